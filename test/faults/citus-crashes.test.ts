import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type ClusterNode, findCluster } from '../harness/citus-cluster.ts'
import { type ClusterBusiness, expectNothingLost, openOnBothWorkers } from '../harness/cluster-business.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import { until } from '../harness/processes.ts'
import { chance } from '../harness/random-invoices.ts'

const seed = Number(process.env.STORM_SEED ?? 1)
const rounds = 3

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

/** Asks a server as a superuser. */
async function ask<Row extends pg.QueryResultRow>(node: ClusterNode, user: string, query: string): Promise<Row> {
  const client = new pg.Client({ ...node, user, database: 'postgres' })
  // The server may crash while the client ends.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(query)).rows[0] as Row
  } finally {
    await client.end()
  }
}

/** Kills a process that serves a client. Then PostgreSQL ends all its processes at once and starts again, as after a crash. */
async function crash(node: ClusterNode, user: string): Promise<void> {
  const startedAt = `select extract(epoch from max(backend_start))::float8 as at from pg_stat_activity where backend_type = 'checkpointer'`
  const { at } = await ask<{ at: number }>(node, user, startedAt)
  const { pid } = await ask<{ pid: number }>(
    node,
    user,
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by state_change desc limit 1`,
  )
  process.kill(pid, 'SIGKILL')
  await until(async () => {
    const again = await ask<{ at: number }>(node, user, startedAt).catch(() => undefined)
    return again !== undefined && again.at > at
  }, 'the server is back')
}

test('servers of the cluster crash under load, and nothing that was acknowledged is lost', async () => {
  const { nodes, user } = await findCluster(process.env.CITUS_URL as string)
  const load = invoiceLoad(business.owners, chance(seed))
  const work = load.start(app, 4)
  for (let round = 0; round < rounds; round++)
    for (const node of nodes) {
      await work.goesOn(10)
      await crash(node, user)
    }
  await work.goesOn(10)
  await work.callOff()
  const [created, unavailable] = [load.statuses.get(201) ?? 0, load.statuses.get(503) ?? 0]
  process.stdout.write(`${rounds * nodes.length} crashes, ${created} creates, ${unavailable} replies 503\n`)
  await expectNothingLost(app, business, load)
  expect(created).toBeGreaterThan(rounds * nodes.length * 10)
})
