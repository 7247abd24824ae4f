import { type ChildProcess, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { type OpenMachine, openMachine } from '../server/src/bin/machine.ts'
import { systemCaller } from '../server/src/kernel/callers.ts'
import { allCapabilities } from '../server/src/kernel/capabilities.ts'
import { newId, type OrganisationId, type UserId } from '../server/src/kernel/ids.ts'
import type { Tenant } from '../server/src/kernel/tenant.ts'
import { foundOrganisation } from '../server/src/modules/organisations/index.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { type EndpointId, secretPlace, snapshotOf } from '../server/src/modules/webhooks/endpoint.ts'
import { insertEndpoint } from '../server/src/modules/webhooks/endpoints.store.ts'
import { webhookLane } from '../server/src/modules/webhooks/index.ts'
import { newSecret } from '../server/src/modules/webhooks/signatures.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { operation } from '../server/src/platform/operations/operation.ts'
import { loadKeyRing } from '../server/src/platform/secrets/key-file.ts'
import { startWorker, type Worker } from '../server/src/platform/work/worker.ts'
import { median, percentile, type Row } from './measure.ts'

const endpoints = 4
const events = 5_000
const rounds = 3
const warmUps = 2
/** Of a hundred or two, the slowest one in a hundred would be whatever else the machine did in that moment. */
const idleEvents = 400
const idleTurns = 2
const warmUpEvents = 200
/** So many before the measured ones that those whom nobody answered run into their deadlines, of ten seconds, while it is measured. */
const eventsBeforeDeadlines = 300
const origin = { requestId: 'bench', address: '127.0.0.1', userAgent: 'bench' }
const told = {
  buyerId: 'b',
  name: 'Adebayo Trading',
  taxId: null,
  taxIdType: 'TIN',
  taxIdStatus: 'unverified',
  changed: ['name'],
}

interface Receiver {
  readonly url: string
  readonly process: ChildProcess
  ask<Answer>(what: string): Promise<Answer>
}

async function startReceiver(): Promise<Receiver> {
  const process = fork(join(import.meta.dirname, 'webhook-receiver.ts'))
  const [{ url }] = (await once(process, 'message')) as [{ url: string }]
  return {
    url,
    process,
    async ask<Answer>(what: string) {
      process.send(what)
      return (await once(process, 'message'))[0] as Answer
    },
  }
}
const received = async ({ ask }: Receiver): Promise<number> => (await ask<{ count: number }>('count')).count

/** The yardstick: the same size of body, signed twice and posted by so many hands. */
async function bareLoop({ url }: Receiver, count: number, hands: number): Promise<number> {
  const pool = new Pool(url, { connections: hands, pipelining: 1 })
  const body = JSON.stringify({
    id: newId(),
    type: 'buyer.updated',
    organizationId: newId(),
    data: { object: told, objectVersion: 7 },
  })
  let left = count
  const began = performance.now()
  const hand = async () => {
    for (; left > 0; ) {
      left--
      const at = Math.floor(Date.now() / 1000)
      const sign = (key: string) => createHmac('sha256', key).update(`${at}.${body}`).digest('hex')
      const headers = {
        'content-type': 'application/json',
        'risiti-signature': `t=${at},v1=${sign('a')}`,
        'webhook-signature': sign('b'),
        'webhook-id': 'bare',
      }
      const { body: answer } = await pool.request({ method: 'POST', path: '/bare', headers, body })
      await answer.dump()
    }
  }
  await Promise.all(Array.from({ length: hands }, hand))
  const perSecond = count / ((performance.now() - began) / 1000)
  await pool.close()
  return perSecond
}

const emitting = operation(
  { needs: [], refuses: [] },
  async ({ emit }, { organisationId, count }: { organisationId: OrganisationId; count: number }) => {
    for (let version = 1; version <= count; version++)
      emit('buyer.updated', { organisationId, mode: 'sandbox', objectId: 'b', version }, told)
  },
)

async function prepare(
  { machine, runner }: OpenMachine,
  { url }: Receiver,
  paths: readonly string[],
): Promise<OrganisationId> {
  const make = operation({ needs: [], refuses: [] }, async (context) => {
    const id: UserId = newId()
    const email = `${id}@example.com`
    await insertPerson(
      context.tx,
      { id, email, passwordHash: '', firstName: 'A', lastName: 'B', emailVerifiedAt: context.now },
      context.now,
    )
    const organisationId = await foundOrganisation(context, { id, email }, { name: 'Bench', country: 'NG' })
    const tenant: Tenant = { organisationId, mode: 'sandbox' }
    for (const path of paths) {
      const endpointId: EndpointId = newId()
      await insertEndpoint(
        context.tx,
        tenant,
        {
          id: endpointId,
          dialect: 'a',
          url: `${url}${path}`,
          description: null,
          patterns: ['buyer.updated'],
          capabilities: snapshotOf(new Set(allCapabilities)),
          plan: null,
          sealedSecret: machine.vault.seal(newSecret(), secretPlace(endpointId)),
          createdBy: id,
        },
        context.now,
      )
    }
    return organisationId
  })
  return await runner.run(make, { caller: systemCaller, origin, input: undefined })
}

/** All time that the database has spent on statements, as it counts it itself; connections tell of it when they have a moment. */
async function databaseMs({ machine }: OpenMachine): Promise<number> {
  await wait(2_500)
  const { ms } = await machine.db.one<{ ms: number }>(
    sql`select active_time as ms from pg_stat_database where datname = current_database()`,
  )
  return ms
}

/** Where that time went, since it was last asked. */
class Statements {
  readonly #db: OpenMachine['machine']['db']
  readonly #events: number

  constructor({ machine }: OpenMachine, count: number) {
    this.#db = machine.db
    this.#events = count
  }

  async begin(): Promise<void> {
    await this.#db.pool.query('create extension if not exists pg_stat_statements')
    await this.#db.pool.query('select pg_stat_statements_reset()')
  }

  async heaviest(): Promise<string[]> {
    const { rows } = await this.#db.pool.query<{ query: string; calls: number; ms: number; planning: number }>(`
      select query, calls::int, total_exec_time + total_plan_time as ms, total_plan_time as planning
        from pg_stat_statements order by ms desc limit 8`)
    await this.#db.pool.query('select pg_stat_statements_reset()')
    return rows.map(({ query, calls, ms, planning }) => {
      const text = query.replace(/\s+/g, ' ').trim().slice(0, 90)
      const [all, planned] = [ms, planning].map((time) => ((time * 1000) / this.#events).toFixed(0))
      return `${all} µs (${planned} for planning) in ${calls} calls: ${text}`
    })
  }
}

/** A CPU profile of what happens meanwhile in this process, where `BENCH_PROFILE` says where to. */
async function profiled<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const folder = process.env.BENCH_PROFILE
  if (folder === undefined) return await work()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  const result = await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(profile))
  return result
}

/** What all the figures are taken on. */
interface Stage {
  readonly open: OpenMachine
  readonly receiver: Receiver
  /** starts a process' worker with nothing but deliveries to do */
  start(): Promise<Worker>
  emit(organisationId: OrganisationId, count: number): Promise<void>
  /** waits until so many have arrived in all */
  until(count: number): Promise<void>
  say(text: string): void
}

async function onStage<Result>(say: Stage['say'], measure: (stage: Stage) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const receiver = await startReceiver()
  const settings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' }
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'postgres'), settings })
  const secrets = join(home, 'secrets.json')
  await loadKeyRing(secrets, { createIfMissing: true })
  const config = { DATA_DIR: home, ALLOW_PRIVATE_WEBHOOKS: '1', DATABASE_URL: postgres.url, SECRETS_FILE: secrets }
  const open = await openMachine(readConfig(config, []), silentLogger)
  try {
    return await measure({
      open,
      receiver,
      say,
      start: () =>
        startWorker(open.machine, open.access, { handlers: () => [], consumers: [], ownLanes: [webhookLane] }),
      emit: (organisationId, count) =>
        open.runner.run(emitting, { caller: systemCaller, origin, input: { organisationId, count } }),
      // Asked once: whoever asks again and again is paid for by what is measured.
      async until(count) {
        const late = wait(120_000, undefined, { ref: false }).then(() =>
          Promise.reject(new Error('not everything has arrived')),
        )
        await Promise.race([receiver.ask(`until ${count}`), late])
      },
    })
  } finally {
    await open.close()
    await postgres.stop()
    receiver.process.kill()
    await rm(home, { recursive: true, force: true })
  }
}

/** From commit to receiver, one event at a time: milliseconds of each. */
async function idleTimes(
  { open, receiver, emit }: Stage,
  organisationId: OrganisationId,
  path: string,
  count = idleEvents,
) {
  const committed = new Map<string, number>()
  for (let nth = 0; nth < count; nth++) {
    await emit(organisationId, 1)
    const at = performance.timeOrigin + performance.now()
    const { id } = await open.machine.db.one<{ id: string }>(
      sql`select id from events where organisation_id = ${organisationId} order by id desc limit 1`,
    )
    committed.set(`${path} ${id}`, at)
    await wait(20)
  }
  await wait(500)
  const { times } = await receiver.ask<{ times: [string, number][] }>('times')
  const came = new Map(times)
  return [...committed].map(([id, at]) => (came.get(id) ?? Number.POSITIVE_INFINITY) - at)
}

const told99 = (times: readonly number[]): string =>
  [50, 95, 99, 100].map((percent) => percentile(times, percent).toFixed(1)).join(' / ')

/** One turn on a stage of its own, measured warm: the first of anything is compiled, planned and connected. */
async function idleTurn(stage: Stage, paths: readonly string[], eventsBefore: number): Promise<number[]> {
  const { open, receiver, start, emit, until } = stage
  const watched = paths.at(-1) as string
  await receiver.ask('watch')
  const organisationId = await prepare(open, receiver, paths)
  // Its place is there once it has begun.
  const worker = await start()
  await emit(organisationId, 1)
  await until(1)
  await idleTimes(stage, organisationId, watched, eventsBefore)
  const times = await profiled(`webhooks${watched.replace('/', '-')}`, () => idleTimes(stage, organisationId, watched))
  await worker.stop()
  return times
}

/** At idle and beside a slow endpoint in turns: whatever disturbs the machine for a while disturbs both. */
async function measureIdle(say: Stage['say']): Promise<Row[]> {
  const alone: number[] = []
  const beside: number[] = []
  for (let nth = 0; nth < idleTurns; nth++) {
    alone.push(...(await onStage(say, (stage) => idleTurn(stage, ['/single'], warmUpEvents))))
    beside.push(...(await onStage(say, (stage) => idleTurn(stage, ['/slow', '/beside'], eventsBeforeDeadlines))))
  }
  say(
    `  commit to receiver, ms (50, 95, 99, 100 %): ${told99(alone)} at idle, ${told99(beside)} beside one that takes 10 s`,
  )
  const [aloneMs, besideMs] = [percentile(alone, 99), percentile(beside, 99)]
  return [
    {
      name: 'webhooks: commit to receiver at idle, p99',
      unit: 'ms',
      ours: aloneMs,
      yardstick: 50,
      yardstickName: 'ms',
      goal: 1,
      goalIs: 'at most',
    },
    {
      name: 'webhooks: the same beside an endpoint that takes 10 s',
      unit: 'ms',
      ours: besideMs,
      yardstick: aloneMs,
      yardstickName: 'without it',
      goal: 2,
      goalIs: 'at most',
    },
  ]
}

/** Database time: one event in a transaction of its own, as requests tell of them; then all that its delivery takes. */
async function measureDatabase({ open, receiver, start, emit, until, say }: Stage): Promise<Row[]> {
  const single = await prepare(open, receiver, ['/single'])
  let worker = await start()
  await emit(single, 1)
  await until(1)
  await worker.stop()
  const statements = new Statements(open, events)
  const before = await databaseMs(open)
  await statements.begin()
  for (let nth = 0; nth < events; nth++) await emit(single, 1)
  const told = await databaseMs(open)
  for (const line of await statements.heaviest()) say(`  ${line}`)
  const arrived = await received(receiver)
  worker = await start()
  await until(arrived + events)
  await worker.stop()
  const delivered = await databaseMs(open)
  for (const line of await statements.heaviest()) say(`  ${line}`)
  const [inserting, delivering] = [(told - before) / events, (delivered - told) / events]
  say(
    `  database time: ${(inserting * 1000).toFixed(0)} µs to insert an event, ${(delivering * 1000).toFixed(0)} µs to deliver it`,
  )
  return [
    {
      name: 'webhooks: database time of a delivery',
      unit: 'ms',
      ours: delivering,
      yardstick: inserting,
      yardstickName: 'inserting the event',
      goal: 1.5,
      goalIs: 'at most',
    },
  ]
}

/** Microseconds of CPU that this process and the receiver have used. */
async function cpuUsed({ ask }: Receiver): Promise<[number, number]> {
  const theirs = await ask<NodeJS.CpuUsage>('cpu')
  const mine = process.cpuUsage()
  return [mine.user + mine.system, theirs.user + theirs.system]
}

/** CPU of each side for one request, while something goes on. */
async function withCpu(receiver: Receiver, requests: number, work: () => Promise<void>): Promise<string> {
  const before = await cpuUsed(receiver)
  await work()
  const after = await cpuUsed(receiver)
  return after.map((used, nth) => `${Math.round((used - (before[nth] as number)) / requests)} µs`).join(' and ')
}

async function measureRate({ open, receiver, start, emit, until, say }: Stage): Promise<Row[]> {
  const many = await prepare(open, receiver, ['/0', '/1', '/2', '/3'])
  const worker = await start()
  await emit(many, 1)
  await until(endpoints)
  const count = events * endpoints
  const ours: number[] = []
  // As many hands as our sender has for these endpoints at first, and when it knows that they are quick: whichever is faster is compared with.
  const bare = new Map([8 * endpoints, 16 * endpoints].map((hands): [number, number[]] => [hands, []]))
  const round = async () => {
    const had = await received(receiver)
    await emit(many, events)
    const began = performance.now()
    const oursCpu = await withCpu(receiver, count, () =>
      profiled(`webhooks-rate-${ours.length}`, () => until(had + count)),
    )
    ours.push(count / ((performance.now() - began) / 1000))
    say(`  CPU of sender and receiver for each: ${oursCpu}`)
    for (const [hands, figures] of bare) {
      const bareCpu = await withCpu(receiver, count, async () => {
        figures.push(await bareLoop(receiver, count, hands))
      })
      say(`    of the bare loop with ${hands} hands: ${bareCpu}`)
    }
  }
  // Both are warmed up: the bare loop is small, and soon compiled.
  for (let nth = 0; nth < warmUps; nth++) await round()
  ours.length = 0
  for (const figures of bare.values()) figures.length = 0
  const statements = new Statements(open, count * rounds)
  await statements.begin()
  for (let nth = 0; nth < rounds; nth++) await round()
  await worker.stop()
  for (const line of await statements.heaviest()) say(`  ${line}`)
  return [
    {
      name: 'webhook deliveries',
      unit: '/s',
      ours: median(ours),
      yardstick: Math.max(...[...bare.values()].map(median)),
      yardstickName: 'bare loop of signed POSTs',
      goal: 0.5,
    },
  ]
}

const parts = {
  rate: (say: Stage['say']) => onStage(say, measureRate),
  idle: measureIdle,
  database: (say: Stage['say']) => onStage(say, measureDatabase),
}

/** Each figure on a stage of its own: what one leaves behind is not paid for by the next. */
export async function benchWebhooks(
  say: Stage['say'],
  wanted: readonly (keyof typeof parts)[] = ['rate', 'idle', 'database'],
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const part of wanted) rows.push(...(await parts[part](say)))
  return rows
}
