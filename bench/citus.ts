import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenRuntime, openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { consumers, jobHandlers, ownQueues } from '../server/src/jobs/index.ts'
import { createInvoice, finaliseInvoice } from '../server/src/modules/invoices/index.ts'
import { startWorker } from '../server/src/platform/background/worker.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { loadKeyRing } from '../server/src/platform/secrets/key-file.ts'
import { distribute } from '../server/src/platform/sharding/distribution.store.ts'
import { type ClusterNode, createClusterDatabase, findCluster, runOnEach } from '../test/harness/citus-cluster.ts'
import { draftOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import { followed, medianRound, type Row } from './measure.ts'
import { cpuMsOf } from './server-cpu.ts'

const organisations = 50
const atOnce = 16
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const turns = ['plain', 'apart', 'citus'] as const
const origin = { requestId: 'bench', address: '127.0.0.1', userAgent: 'bench' }

interface Installation {
  readonly open: OpenRuntime
  readonly callers: readonly InvoiceCaller[]
}

const create = ({ open }: Installation, { caller, buyerId }: InvoiceCaller) =>
  open.runner.run(createInvoice, { caller, origin, input: draftOf({ buyerId }) })

/** Creates invoices for some seconds, so many at once, and returns their number. */
async function createsIn(one: Installation, forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1_000
  let count = 0
  const loop = async (nth: number) => {
    for (let at = nth; performance.now() < until; at += atOnce, count++)
      await create(one, one.callers[at % one.callers.length] as InvoiceCaller)
  }
  await Promise.all(Array.from({ length: atOnce }, (_, nth) => loop(nth)))
  return count
}

/** The commands that the coordinator sends to each server for a request, by the notices of Citus. */
async function commandsOf(url: string, secrets: string, home: string, one: InvoiceCaller): Promise<string[]> {
  const options = '-c plan_cache_mode=force_generic_plan -c citus.log_remote_commands=on -c client_min_messages=notice'
  const config = {
    DATABASE_URL: `${url}?options=${encodeURIComponent(options)}`,
    SECRETS_FILE: secrets,
    DATA_DIR: home,
  }
  const open = await openRuntime(readServiceConfig({ ...config, LOG_LEVEL: 'warn' }, []), silentLogger)
  let said: { readonly command: string; readonly server: string }[] = []
  const heard = new WeakSet<object>()
  // Some connections are open already.
  open.runtime.db.pool.on('acquire', (client) => {
    if (heard.has(client)) return
    heard.add(client)
    client.on('notice', ({ message = '', detail = '' }) => {
      const command = /^issuing (\w+(?: (?:PREPARED|TRANSACTION))?)/.exec(message)?.[1]
      if (command) said.push({ command, server: /:(\d+)/.exec(detail)?.[1] ?? '' })
    })
  })
  try {
    const { caller } = one
    const installation = { open, callers: [one] }
    const requests: Record<string, () => Promise<unknown>> = {
      create: () => create(installation, one),
      finalise: async () => {
        const { id } = await create(installation, one)
        said = []
        await open.runner.run(finaliseInvoice, { caller, origin, input: { id } })
      },
    }
    const lines: string[] = []
    for (const [name, ask] of Object.entries(requests)) {
      // The first runs open connections and plan.
      for (let nth = 0; nth < 8; nth++) {
        said = []
        await ask()
      }
      const servers = new Set(said.map(({ server }) => server))
      const commands = said.map(({ command }) => command)
      lines.push(
        `${name}: ${commands.length} commands to ${servers.size} server(s)${commands.some((command) => command.startsWith('PREPARE')) ? ', two-phase commit' : ''}: ${commands.join(', ')}`,
      )
    }
    return lines
  } finally {
    await open.close()
  }
}

/** CPU of each server, and of this process, for one create. */
async function costOf(
  nodes: readonly ClusterNode[],
  user: string,
  work: () => Promise<number>,
): Promise<{ readonly count: number; readonly servers: number[]; readonly node: number }> {
  const read = () => Promise.all(nodes.map((node) => cpuMsOf(node, user)))
  const before = await read()
  const own = process.cpuUsage()
  const count = await work()
  const used = process.cpuUsage(own)
  const after = await read()
  return {
    count,
    servers: after.map((ms, at) => (ms - (before[at] as number)) / count),
    node: (used.user + used.system) / 1_000 / count,
  }
}

/**
 * Creates invoices on a Citus cluster, and in a database of the coordinator without Citus, in turns. Then adds the background work, to see
 * what is left on the coordinator.
 */
export async function benchCitus(say: (text: string) => void): Promise<readonly Row[]> {
  const { CITUS_URL: cluster } = process.env
  if (!cluster) {
    say('CITUS_URL names no coordinator of a Citus cluster: nothing is measured.')
    return []
  }
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const secrets = join(home, 'secrets.json')
  await loadKeyRing(secrets, { createIfMissing: true })
  const { user, nodes } = await findCluster(cluster)
  const [coordinator] = nodes as [ClusterNode]
  const names = { plain: `bench_${process.pid}_plain`, citus: `bench_${process.pid}_citus` }
  const urlOf = (name: string) => `postgresql://${user}@${coordinator.host}:${coordinator.port}/${name}`
  const opened: OpenRuntime[] = []
  const openOn = async (name: string, more: Record<string, string> = {}): Promise<OpenRuntime> => {
    const config = { DATABASE_URL: urlOf(name), SECRETS_FILE: secrets, DATA_DIR: home, LOG_LEVEL: 'warn', ...more }
    const open = await openRuntime(readServiceConfig(config, []), silentLogger)
    opened.push(open)
    return open
  }
  const install = async (name: string): Promise<Installation> => {
    const open = await openOn(name)
    return { open, callers: await newCallers(open, organisations) }
  }
  const asAdmin = (statement: string) => runOnEach([coordinator], user, 'postgres', [statement])
  try {
    await asAdmin(`create database ${names.plain}`)
    await createClusterDatabase(nodes, user, names.citus)
    // The tables are made first, and then distributed.
    await (await openOn(names.citus)).close()
    opened.length = 0
    await distribute(urlOf(names.citus), () => {})
    const plain = await install(names.plain)
    const citus = await install(names.citus)
    const apart = { ...plain, open: await openOn(names.plain, { SHARED_STATEMENTS: '0' }) }
    const all = { plain, apart, citus }
    for (const one of [plain, apart, citus, citus]) await createsIn(one, seconds)

    const taken = () => ({ ms: [] as number[], cpu: [] as number[] })
    const costs = { plain: taken(), apart: taken(), citus: taken() }
    for (let round = 0; round < rounds; round++)
      for (const name of round % 2 === 0 ? turns : turns.toReversed()) {
        const { count, servers, node } = await costOf(nodes, user, () => createsIn(all[name], seconds))
        costs[name].ms.push((seconds * 1_000) / count)
        costs[name].cpu.push(servers.reduce((sum, ms) => sum + ms, node))
        say(
          `${name}: ${Math.round(count / seconds)} creates/s; CPU of a create: servers ${servers.map((ms) => ms.toFixed(2)).join(' + ')} ms, node ${node.toFixed(2)} ms`,
        )
      }

    for (const line of await commandsOf(urlOf(names.citus), secrets, home, citus.callers[0] as InvoiceCaller)) say(line)

    for (const [name, one] of Object.entries({ plain, citus })) {
      const { runtime, access } = one.open
      const worker = startWorker(runtime, access, { handlers: jobHandlers, consumers, ownQueues })
      try {
        await followed(runtime.db)
        const { servers, node, count } = await costOf(nodes, user, async () => {
          const made = await createsIn(one, seconds)
          await followed(runtime.db)
          return made
        })
        say(
          `${name} with all background work: ${count} creates; CPU of a create: servers ${servers.map((ms) => ms.toFixed(2)).join(' + ')} ms, node ${node.toFixed(2)} ms`,
        )
      } finally {
        await worker.stop()
      }
    }
    const row = (what: 'ms' | 'cpu', yardstick: 'plain' | 'apart'): Row => ({
      name: `create on Citus, coordinator and two workers on the same cores${what === 'cpu' ? ', CPU' : ''}`,
      unit: 'ms',
      ...medianRound(costs.citus[what], costs[yardstick][what]),
      yardstickName: `plain PostgreSQL${yardstick === 'apart' ? ', each organisation apart' : ''}`,
      goal: 2.5,
      goalIs: 'at most',
    })
    return [row('ms', 'plain'), row('cpu', 'plain'), row('ms', 'apart'), row('cpu', 'apart')]
  } finally {
    for (const open of opened) await open.close()
    await asAdmin(`drop database if exists ${names.plain} with (force)`).catch(() => {})
    await runOnEach(nodes, user, 'postgres', [`drop database if exists ${names.citus} with (force)`]).catch(() => {})
    await rm(home, { recursive: true, force: true })
  }
}
