import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { wireDeliveries } from '../server/src/http/shared/contract-words.ts'
import { searchText } from '../server/src/kernel/search-text.ts'
import { declaredPaymentStatuses, derivedStatuses, invoiceStatuses } from '../server/src/modules/invoices/index.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { loaded, openShop, type Shop } from './invoice-data.ts'
import { percentile, type Row } from './measure.ts'
import { chance, pick } from './names.ts'
import { startRisiti } from './server-process.ts'

export const seed = 20_261_115
/**
 * With only 60 requests, one garbage collection could decide the 95th percentile, which is the fourth slowest of them.
 */
const rounds = 200
const warmUp = 20
export const many = Number(process.env.BENCH_INVOICES ?? 1_000_000)
const few = 10_000

interface Shops {
  readonly large: Shop
  readonly small: Shop
}

/** Fills the service's database with two organisations: one with a million invoices, one with ten thousand. */
async function fill(home: string): Promise<Shops> {
  const open = await openedAt(home)
  try {
    await watchStatements(open.ownerConnection)
    return await loaded(open.ownerConnection, async (on) => ({
      large: await openShop(on, open.runner, many, seed),
      small: await openShop(on, open.runner, few, seed + 1),
    }))
  } finally {
    await open.close()
  }
}

export const openedAt = (home: string) =>
  openRuntime(readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)

async function onConnection<Result>(connection: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** From its next start on, the database records the planning and execution time of each statement. */
export const watchStatements = (connection: string): Promise<void> =>
  onConnection(connection, async (client) => {
    await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
    await client.query(`load 'pg_stat_statements'`).catch(() => {})
    await client.query(`create extension if not exists pg_stat_statements`)
  })

export const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Answer {
  readonly took: number
  readonly body: {
    readonly data: readonly { readonly id: string }[]
    readonly meta: { readonly pagination: { readonly total: number } }
  }
}

const mostTries = 5
const pauseMs = 500

/** Repeats failed requests: on a busy machine, one of thousands may get 503. */
export async function patiently<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; tries < mostTries; tries++) {
    try {
      return await send()
    } catch (error) {
      if (!String(error).includes('answered 503')) throw error
      process.stdout.write(`  repeated: ${String(error).slice(0, 120)}\n`)
      await wait(pauseMs)
    }
  }
  return await send()
}

/** Reads, or posts if there is a body. */
export async function ask<Body = Answer['body']>(
  url: string,
  path: string,
  { key }: Pick<Shop, 'key'>,
  body?: object,
): Promise<{ readonly took: number; readonly body: Body }> {
  const begun = performance.now()
  const method = body ? 'POST' : 'GET'
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request(`${url}/i/v1/${path}`, { agent, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
  const took = performance.now() - begun
  if (status !== (body ? 201 : 200)) throw new Error(`${path} answered ${status}: ${text}`)
  return { took, body: JSON.parse(text) }
}

const dayMs = 86_400_000
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** A range of days within the last three years: a week, a month or half of the time. */
function span(next: () => number): [number, number] {
  const length = pick([7, 30, 500], next) * dayMs
  const from = Date.now() - 3 * 365 * dayMs + next() * (3 * 365 * dayMs - length)
  return [from, from + length]
}

/** A search text as people type it: part of a name, part of a tax number or the start of a document number. */
function words(shop: Shop, next: () => number): string {
  const buyer = pick(shop.buyers, next)
  const number = `INV${String(1 + Math.floor(next() * shop.size)).padStart(6, '0')}`
  return pick(
    [pick(searchText(buyer.name).split(' '), next), buyer.taxId, number, number.slice(0, 3 + Math.floor(next() * 4))],
    next,
  )
}

type Query = (shop: Shop, next: () => number) => string
const oneOf =
  (name: string, values: readonly string[]): Query =>
  (_, next) =>
    `${name}=${pick(values, next)}`
const between =
  (name: string, spell: (ms: number) => string): Query =>
  (_, next) => {
    const [from, to] = span(next)
    return pick(
      [`${name}From=${spell(from)}`, `${name}To=${spell(to)}`, `${name}From=${spell(from)}&${name}To=${spell(to)}`],
      next,
    )
  }

const filters: Readonly<Record<string, Query>> = {
  status: oneOf('status', invoiceStatuses),
  invoiceType: oneOf('invoiceType', ['standard', 'credit_note', 'debit_note']),
  paymentStatus: oneOf('paymentStatus', declaredPaymentStatuses),
  currency: oneOf('currency', ['NGN', 'USD', 'EUR', 'GBP']),
  buyerId: ({ buyers }, next) => `buyerId=${pick(buyers, next).id}`,
  sellerId: ({ sellerId }) => `sellerId=${sellerId}`,
  createdBy: ({ creators }, next) => `createdBy=${pick(creators, next)}${pick(['', '&createdByType=user'], next)}`,
  createdByType: oneOf('createdByType', ['user', 'api_key', 'service', 'system']),
  invoiceDate: between('invoiceDate', dayOf),
  dueDate: between('dueDate', dayOf),
  createdAt: between('createdAt', (ms) => new Date(ms).toISOString()),
  search: (shop, next) => `search=${encodeURIComponent(words(shop, next))}`,
  simpleStatus: oneOf('simpleStatus', derivedStatuses.simpleStatuses),
  reporting: oneOf('reporting', derivedStatuses.reportings),
  delivery: oneOf('delivery', wireDeliveries),
  credited: oneOf('credited', ['true', 'false']),
  refundOwed: oneOf('refundOwed', ['true', 'false']),
  overdue: () => 'overdue=true',
  amount: (_, next) => {
    const from = Math.floor(Math.exp(10 + 7 * next()))
    return pick(
      [`amountFromMinor=${from}`, `amountToMinor=${from}`, `amountFromMinor=${from}&amountToMinor=${from * 2}`],
      next,
    )
  },
}
/** Combinations of filters and sorts. */
const crossed: Readonly<Record<string, Query>> = {
  'invoiceDate by dueDate': (shop, next) =>
    `${filters.invoiceDate?.(shop, next)}&sortBy=dueDate&sortOrder=${pick(['ASC', 'DESC'], next)}`,
  'dueDate by invoiceDate': (shop, next) =>
    `${filters.dueDate?.(shop, next)}&sortBy=invoiceDate&sortOrder=${pick(['ASC', 'DESC'], next)}`,
}
const sorts = ['createdAt', 'invoiceDate', 'invoiceNumber', 'payableMinor', 'dueDate', 'taxMinor']

/** The totals over all values of a filter must add up to the number of all invoices. */
export async function checkTotals(url: string, large: Pick<Shop, 'key' | 'size'>): Promise<void> {
  const parts = {
    status: invoiceStatuses,
    paymentStatus: declaredPaymentStatuses,
    simpleStatus: derivedStatuses.simpleStatuses,
    reporting: derivedStatuses.reportings,
    delivery: wireDeliveries,
  }
  for (const [name, values] of Object.entries(parts)) {
    const totals = []
    for (const value of values)
      totals.push((await patiently(() => ask(url, `invoices?${name}=${value}`, large))).body.meta.pagination.total)
    const sum = totals.reduce((a, b) => a + b, 0)
    if (sum !== large.size) throw new Error(`totals by ${name} come to ${sum}, not to ${large.size}`)
  }
}

type Kinds = Readonly<Record<string, () => Promise<{ readonly took: number }>>>

/** The times of each kind, one request of each in turn. */
export async function timesOf(kinds: Kinds): Promise<Record<string, readonly number[]>> {
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  for (let round = -warmUp; round < rounds; round++)
    for (const [kind, send] of Object.entries(kinds)) {
      const { took } = await send()
      if (round >= 0) times[kind]?.push(took)
    }
  return times
}

export async function measured(kinds: Kinds): Promise<Record<string, number>> {
  const times = await timesOf(kinds)
  return Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, percentile(all, 95)]))
}

/** The most frequent reads of programs and people, in equal shares. */
const reads = ({ buyers }: Shop, id: string, next: () => number): readonly string[] => [
  `invoices/${id}`,
  `invoices/${id}/status`,
  `invoices/${id}/payments`,
  'invoices',
  `invoices?status=${pick(invoiceStatuses, next)}`,
  `invoices?paymentStatus=${pick(declaredPaymentStatuses, next)}`,
  `invoices?buyerId=${pick(buyers, next).id}`,
  'invoices/statistics',
  'buyers',
  `buyers/${pick(buyers, next).id}`,
]

/** Measures the share of planning in the database time of reads. */
export async function measurePlanning(url: string, home: string, { large }: Shops): Promise<Row> {
  const next = chance(seed)
  const ids = (await ask(url, 'invoices?limit=100', large)).body.data.map(({ id }) => id)
  const round = async () => {
    for (const path of reads(large, pick(ids, next), next)) await ask(url, path, large)
  }
  for (let nth = 0; nth < warmUp; nth++) await round()
  const open = await openedAt(home)
  try {
    return await onConnection(open.ownerConnection, async (client) => {
      await client.query(`alter system set pg_stat_statements.track_planning = on`)
      await client.query('select pg_reload_conf(), pg_sleep(0.5), pg_stat_statements_reset()')
      for (let nth = 0; nth < rounds; nth++) await round()
      const { rows } = await client.query<{ planning: number; all: number }>(`
        select sum(total_plan_time) as planning, sum(total_plan_time + total_exec_time) as all from pg_stat_statements
         where query ~* '^\\s*(select|with)' and query !~* 'pg_stat_statements|pg_sleep'`)
      const [{ planning, all }] = rows as [{ planning: number; all: number }]
      return {
        name: 'planning, over the ten most used reads',
        unit: 'ms',
        ours: planning,
        yardstick: all,
        yardstickName: 'time in the database',
        goal: 0.1,
        goalIs: 'at most',
      }
    })
  } finally {
    await open.close()
  }
}

export async function measureLists(url: string, shops: Shops): Promise<readonly Row[]> {
  const next = chance(seed)
  const { large, small } = shops
  const ids = (await ask(url, 'invoices?limit=100&sortBy=payableMinor', large)).body.data.map(({ id }) => id)
  const list = (query: string, shop = large) => ask(url, `invoices?${query}`, shop)
  const p95 = await measured({
    read: () => ask(url, `invoices/${pick(ids, next)}`, large),
    first: () => list(''),
    firstOfFew: () => list('', small),
    deep: () => list('page=1000'),
    statistics: () => ask(url, 'invoices/statistics', large),
    statisticsOfFew: () => ask(url, 'invoices/statistics', small),
    ...Object.fromEntries(
      Object.entries({ ...filters, ...crossed }).map(([name, query]) => [
        `filter ${name}`,
        () => list(query(large, next)),
      ]),
    ),
    ...Object.fromEntries(
      sorts.flatMap((by) =>
        ['ASC', 'DESC'].map((order) => [`sort ${by} ${order}`, () => list(`sortBy=${by}&sortOrder=${order}`)]),
      ),
    ),
  })
  await checkTotals(url, shops.large)
  const figure = (kind: string) => p95[kind] as number
  const row = (name: string, ours: number, yardstickName: string, yardstick: number, goal: number): Row => {
    return { name, unit: 'ms (p95)', ours, yardstick, yardstickName, goal, goalIs: 'at most' }
  }
  return [
    row(`invoices, first page among ${many}`, figure('first'), `among ${few}`, figure('firstOfFew'), 2),
    row(`invoices, first page among ${many}`, figure('first'), 'one by its id', figure('read'), 3),
    row(`invoices, first page among ${few}`, figure('firstOfFew'), 'one by its id', figure('read'), 3),
    row(`statistics of ${many}`, figure('statistics'), `of ${few}`, figure('statisticsOfFew'), 2),
    row('invoices, page 1,000', figure('deep'), 'page 1', figure('first'), 5),
    ...Object.keys(p95)
      .filter((kind) => /^(filter|sort) /.test(kind))
      .map((kind) => row(`invoices, ${kind}`, figure(kind), 'one by its id', figure('read'), 50)),
  ]
}

/**
 * Lists of an organisation with a million invoices, one request at a time: each filter and each sort alone, with the
 * exact total.
 */
export async function benchInvoiceLists(say: (text: string) => void): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  try {
    const begun = performance.now()
    const shops = await fill(home)
    say(
      `${(many + few).toLocaleString('en')} invoices written and listed in ${Math.round((performance.now() - begun) / 1000)} s; ${rounds} requests of each kind, seed ${seed}.`,
    )
    const risiti = await startRisiti(home)
    try {
      return [...(await measureLists(risiti.url, shops)), await measurePlanning(risiti.url, home, shops)]
    } finally {
      await risiti.stop()
    }
  } finally {
    agent.destroy()
    await rm(home, { recursive: true, force: true })
  }
}
