import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type ClusterNode, findCluster } from '../harness/citus-cluster.ts'
import { type ClusterBusiness, expectNothingLost, openOnBothWorkers } from '../harness/cluster-business.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import { until } from '../harness/processes.ts'
import { chance } from '../harness/random-invoices.ts'

const seed = Number(process.env.STORM_SEED ?? 1)

let app: TestApp
let business: ClusterBusiness

beforeAll(async () => {
  app = await startTestApp()
  business = await openOnBothWorkers(app)
})
afterAll(async () => {
  await app?.close()
  await business?.receiver[Symbol.asyncDispose]()
})

/** Connects to a server as a superuser. */
async function asAdmin<Result>(
  node: ClusterNode,
  user: string,
  act: (ask: <Row extends pg.QueryResultRow>(query: string) => Promise<Row>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...node, user, database: 'postgres' })
  // The server may crash while the client is connected.
  client.on('error', () => {})
  await client.connect()
  try {
    return await act(async (query) => (await client.query(query)).rows[0])
  } finally {
    await client.end()
  }
}

const startedAt = `select extract(epoch from max(backend_start))::float8 as at from pg_stat_activity where backend_type = 'checkpointer'`

/**
 * Kills a process that serves a client. Then PostgreSQL ends all its processes at once and starts again, as after a crash. The client is our own:
 * another one may leave at that moment, and then nothing crashes.
 */
async function crash(node: ClusterNode, user: string): Promise<void> {
  const before = await asAdmin(node, user, async (ask) => {
    const { at, pid } = await ask<{ at: number; pid: number }>(
      `select *, pg_backend_pid() as pid from (${startedAt}) as s`,
    )
    process.kill(pid, 'SIGKILL')
    return at
  })
  await until(async () => {
    const again = await asAdmin(node, user, (ask) => ask<{ at: number }>(startedAt)).catch(() => undefined)
    return again !== undefined && again.at > before
  }, 'the server is back')
}

/** Restarts a server as an operator would: it ends the connections of its clients, and refuses new ones until it is back. */
async function restart(node: ClusterNode, user: string): Promise<void> {
  const { folder, programs } = await asAdmin(node, user, (ask) =>
    ask<{ folder: string; programs: string }>(
      `select current_setting('data_directory') as folder, (select setting from pg_config where name = 'BINDIR') as programs`,
    ),
  )
  const { uid, gid } = await stat(folder)
  // Without our own environment: the server would look for certificates in the home of the user who runs the tests.
  const values = ['restart', '-m', 'fast', '-w', '-D', folder, '-l', join(folder, 'restarted.log')]
  await promisify(execFile)(join(programs, 'pg_ctl'), values, { uid, gid, cwd: folder, env: {} })
}

const rounds = [restart, crash, crash, crash]

test('servers of the cluster crash and restart under load, and nothing that was acknowledged is lost', async () => {
  const { nodes, user } = await findCluster(process.env.CITUS_URL as string)
  const load = invoiceLoad(business.owners, chance(seed))
  const work = load.start(app, 4)
  for (const disturb of rounds)
    for (const node of nodes) {
      await work.goesOn(10)
      await disturb(node, user)
    }
  await work.goesOn(10)
  await work.callOff()
  const [created, unavailable] = [load.statuses.get(201) ?? 0, load.statuses.get(503) ?? 0]
  process.stdout.write(
    `${rounds.length * nodes.length} crashes and restarts, ${created} creates, ${unavailable} replies 503\n`,
  )
  await expectNothingLost(app, business, load)
  expect(created).toBeGreaterThan(rounds.length * nodes.length * 10)
})
