import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { type OpenRuntime, openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { newId } from '../server/src/kernel/ids.ts'
import { creatingInvoices } from '../server/src/modules/invoices/drafts/create-invoices.store.ts'
import { planInvoice } from '../server/src/modules/invoices/drafts/plan-invoice.ts'
import type { Sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { bodyOf, draftOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import { followed, median, medianRound, type Row, tidied } from './measure.ts'
import { type Pgbench, pgbenchPerSecond } from './pgbench.ts'
import { ended, printed, startRisiti } from './server-process.ts'

const organisations = 100
/**
 * Disturbances on the machine last some seconds, so one of seven rounds can be lost. Consumers lag by a second, so a
 * shorter round would not contain their work.
 */
const rounds = 7
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
/**
 * The process reaches full speed only after about ten thousand requests, and later with Idempotency-Keys than without.
 */
const warmUpSeconds = 4 * seconds
const connections = 32
/** For the database alone: four clients use two cores fully, and organisations seldom meet in a lock. */
const clients = 4

const reference = (name: string) => join(import.meta.dirname, 'reference', name)

interface PlannedInvoice {
  readonly statement: Sql
  /** the ids in the planned statement; each execution replaces them with new ones */
  readonly ids: readonly string[]
}

async function planned({ runtime }: OpenRuntime, { caller, buyerId }: InvoiceCaller): Promise<PlannedInvoice> {
  const { db, ports } = runtime
  const now = new Date()
  const plan = await planInvoice({ db, ports, now, caller }, draftOf({ buyerId }))
  const origin = { requestId: 'bench', address: '127.0.0.1', userAgent: 'bench' }
  const statement = creatingInvoices(caller.tenant, [{ plan, caller, origin, now, realNow: now }])
  const known = new Set<unknown>([caller.tenant.organisationId, buyerId, caller.keyId])
  const ids = statement.values.filter((value): value is string => isId(value) && !known.has(value))
  return { statement, ids: [...new Set(ids)] }
}

const isId = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

/**
 * pgbench reads a colon before a letter or digit as a variable, in string literals too. JSON allows an escape instead.
 */
const withoutColons = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_, value) => (typeof value === 'string' ? value.replaceAll(':', '\uE000') : value))
    .replaceAll(':', ': ')
    .replaceAll('\uE000', '\\u003a')

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return 'now()'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = /^[[{]/.test(String(value)) ? withoutColons(String(value)) : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * The same statement as a pgbench script. Each client prepares it once, as the service does. The caller and buyer are
 * variables. The database generates the ids in time order, as the service does: random ids would miss the monthly
 * partitions of events. All other values are constants.
 */
function asScript({ statement, ids }: PlannedInvoice, { caller, buyerId }: InvoiceCaller): string {
  const variables = new Map<unknown, string>([
    [caller.tenant.organisationId, ':org'],
    [buyerId, ':buyer'],
    [caller.keyId, ':key'],
  ])
  const fixed = statement.text.replace(/\$(\d+)/g, (_, at) => {
    const value = statement.values[Number(at) - 1]
    return variables.get(value) ?? (ids.includes(value as string) ? 'uuidv7()' : literal(value))
  })
  return `${fixed.replace(/\s*\n\s*/g, ' ')};\n`
}

interface Load {
  readonly url: string
  readonly requests: readonly { readonly headers: Record<string, string>; readonly body: string }[]
  readonly withKey?: true
}

/** Creates per second. Every connection goes through the callers in its own order, with one request in flight. */
async function createsPerSecond({ url, requests, withKey }: Load, duration: number): Promise<number> {
  let start = 0
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration,
    setupClient: (client) => {
      start += 7
      const from = start
      const own = requests.map((_, at) => {
        const request = requests[(from + at * 13) % requests.length] as Load['requests'][number]
        // Requests without a key get a new header too, so that the load generator does the same work for both. The
        // generator shares the cores, and a new request costs it twice as much.
        const setupRequest = (sent: autocannon.Request) => ({
          ...sent,
          headers: { ...request.headers, [withKey ? 'idempotency-key' : 'x-bench-id']: newId() },
        })
        return { method: 'POST' as const, ...request, setupRequest }
      })
      client.setRequests(own)
    },
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of the creations at ${url} failed`)
  return result.requests.average
}

const requestOf = (caller: InvoiceCaller) => ({
  headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
  body: JSON.stringify(bodyOf(caller)),
})

async function runSql(connection: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  await client.query(text)
  await client.end()
}

interface Figures {
  readonly ours: number[]
  readonly withKey: number[]
  readonly oneOrganisation: number[]
  readonly bare: number[]
  readonly statement: number[]
  readonly reference: number[]
}

const variablesOf = ({ caller, buyerId }: InvoiceCaller) => ({
  org: caller.tenant.organisationId,
  buyer: buyerId,
  key: caller.keyId,
})

/**
 * Runs several clients at the same time, each with its own options, and adds up their transactions per second.
 * `undefined` if pgbench is not installed.
 */
async function together(count: number, told: (nth: number) => Pgbench): Promise<number> {
  const figures = await Promise.all(Array.from({ length: count }, (_, nth) => pgbenchPerSecond(told(nth))))
  return figures.reduce<number>((sum, figure) => sum + (figure ?? Number.NaN), 0)
}

/**
 * Takes figures in turns and returns the mean for each name. The machine's speed varies by a tenth within ten seconds,
 * and later rounds have more data to flush. So each name gets two turns, there and back, and every second round
 * reverses the order.
 */
async function takenInTurns<Name extends string>(
  order: readonly Name[],
  measure: (name: Name) => Promise<number>,
): Promise<Record<Name, number>> {
  const taken = {} as Record<Name, number[]>
  for (const name of order) {
    taken[name] ??= []
    taken[name].push(await measure(name))
  }
  const means = {} as Record<Name, number>
  for (const name of order) means[name] = taken[name].reduce((sum, figure) => sum + figure) / taken[name].length
  return means
}

/** Measures the real service and the bare route in turns. The service's own background work runs beside both. */
async function overHttp(
  { runtime: { db } }: OpenRuntime,
  home: string,
  benchFile: string,
  callers: readonly InvoiceCaller[],
  figures: Figures,
): Promise<void> {
  const risiti = await startRisiti(home)
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-invoice.ts')], {
    env: { PATH: process.env.PATH, BENCH_FILE: benchFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = `${risiti.url}/i/v1/invoices`
    const requests = callers.map(requestOf)
    const bareLoad = { url: await printed(bare, /listens at (http:\S+)/), requests: [{ headers: {}, body: '' }] }
    const measured = async (load: Load, duration = seconds) => {
      await followed(db)
      await tidied(db)
      return await createsPerSecond(load, duration)
    }
    // Warms up until the compiler has optimised every variant.
    await measured({ url, requests }, warmUpSeconds)
    await measured(bareLoad, warmUpSeconds)
    await measured({ url, requests, withKey: true }, warmUpSeconds)
    const loads = {
      bare: bareLoad,
      ours: { url, requests },
      withKey: { url, requests, withKey: true },
      oneOrganisation: { url, requests: requests.slice(0, 1) },
    } as const
    const there = ['bare', 'ours', 'withKey', 'withKey', 'ours', 'oneOrganisation'] as const
    const back = ['oneOrganisation', 'withKey', 'ours', 'ours', 'withKey', 'bare'] as const
    for (let round = 0; round < rounds; round++) {
      const taken = await takenInTurns(round % 2 === 0 ? there : back, (name) => measured(loads[name]))
      for (const name of new Set(there)) figures[name].push(taken[name])
    }
  } finally {
    await ended(bare)
    await risiti.stop()
  }
}

/**
 * Creates invoices of five lines over HTTP. The yardsticks are the same statement on a bare route and a fixed pgbench
 * script.
 */
export const benchCreateInvoice = (say: (text: string) => void): Promise<readonly Row[]> => bench(say, true)

/** Only the measurement of the statement. */
export const benchStatement = (say: (text: string) => void): Promise<readonly Row[]> => bench(say, false)

async function bench(say: (text: string) => void, isOverHttp: boolean): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const open = await openRuntime(readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  try {
    const callers = await newCallers(open, organisations)
    const plans = await Promise.all(callers.map((caller) => planned(open, caller)))
    await runSql(open.ownerConnection, await readFile(reference('tables.sql'), 'utf8'))
    const script = join(home, 'ours.sql')
    await writeFile(script, asScript(plans[0] as PlannedInvoice, callers[0] as InvoiceCaller))
    const benchFile = join(home, 'bare.json')
    const written = plans.map(({ statement: { name, text, values }, ids }) => ({ name, text, values, ids }))
    const exact = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
    await writeFile(benchFile, JSON.stringify({ connection: open.ownerConnection, statements: written }, exact))
    const figures: Figures = { ours: [], withKey: [], oneOrganisation: [], bare: [], statement: [], reference: [] }
    // The database alone: no consumer runs meanwhile, because none runs for the reference either.
    const alone = { connection: open.ownerConnection, clients: 1, seconds: Math.ceil(seconds / 2) }
    const told = {
      statement: (nth: number) => ({
        ...alone,
        files: [script],
        variables: variablesOf(callers[nth] as InvoiceCaller),
      }),
      reference: () => ({ ...alone, files: [reference('invoice.sql')] }),
    }
    const there = ['statement', 'reference', 'reference', 'statement'] as const
    const back = ['reference', 'statement', 'statement', 'reference'] as const
    const roundAlone = async (round: number) => {
      const taken = await takenInTurns(round % 2 === 0 ? there : back, (name) => together(clients, told[name]))
      if (Number.isNaN(taken.statement)) return
      figures.statement.push(taken.statement)
      figures.reference.push(taken.reference)
    }
    // Half of the rounds come before the HTTP measurement and half after it, because the machine's speed drifts within
    // minutes.
    for (let round = 0; round < rounds; round++) {
      if (isOverHttp && round === Math.floor(rounds / 2)) await overHttp(open, home, benchFile, callers, figures)
      await roundAlone(round)
    }
    say(
      Object.entries(figures)
        .map(([name, all]) => `${name} ${(all as number[]).map(Math.round).join(' ')}`)
        .join(', '),
    )
    return isOverHttp ? rowsOf(figures) : [statementRow(figures)]
  } finally {
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}

const unit = 'invoices/s'

const statementRow = ({ statement, reference }: Figures): Row => ({
  name: 'the statement alone (pgbench)',
  unit,
  ...(statement.length > 0 ? medianRound(statement, reference) : { ours: 0, yardstick: undefined }),
  yardstickName: 'reference SQL (pgbench)',
  goal: 0.8,
})

function rowsOf(figures: Figures): Row[] {
  const { ours, bare, withKey, oneOrganisation, statement } = figures
  return [
    {
      name: 'create an invoice of five lines',
      unit,
      ...medianRound(ours, bare),
      yardstickName: 'bare route, same statement',
      goal: 0.85,
    },
    {
      name: 'create, all load on one organisation',
      unit,
      ...medianRound(oneOrganisation, ours),
      yardstickName: '100 organisations',
      goal: 1,
    },
    statementRow(figures),
    {
      // Not taken in turns: the consumers would also follow the invoices of the database-only rounds.
      name: 'create, beside the database alone',
      unit,
      ours: median(ours),
      yardstick: statement.length > 0 ? median(statement) : undefined,
      yardstickName: 'pgbench, same statement',
      goal: 0.45,
    },
    {
      name: 'create with an Idempotency-Key',
      unit,
      ...medianRound(withKey, ours),
      yardstickName: 'create without',
      goal: 0.75,
    },
  ]
}
