import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { type OpenMachine, openMachine } from '../server/src/bin/machine.ts'
import { newId } from '../server/src/kernel/ids.ts'
import { creatingInvoices } from '../server/src/modules/invoices/drafts/create-invoices.store.ts'
import { planInvoice } from '../server/src/modules/invoices/drafts/plan-invoice.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import type { Sql } from '../server/src/platform/sql.ts'
import { bodyOf, draftOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import { median, type Row } from './measure.ts'
import { pgbenchPerSecond } from './pgbench.ts'
import { ended, printed, startRisiti } from './server-process.ts'

const organisations = 100
const rounds = 3
const seconds = 5
const connections = 32
const clients = 10

const reference = (name: string) => join(import.meta.dirname, 'reference', name)

/** Ids that stand in a prepared plan until it is sent, and are new each time. */
const placeholders = ['id', 'moveId', 'eventId'] as const

async function planned({ machine }: OpenMachine, caller: InvoiceCaller): Promise<Sql> {
  const { db, ports } = machine
  const now = new Date()
  const plan = await planInvoice({ db, ports, now, caller: caller.caller }, draftOf(caller))
  const origin = { requestId: 'bench', address: '127.0.0.1', userAgent: 'bench' }
  return creatingInvoices(caller.caller.tenant, [{ plan, caller: caller.caller, origin, now }])
}

/** The ids that were made for a statement's only invoice. */
function idsIn(statement: Sql): string[] {
  const [given] = JSON.parse(
    statement.values.find((value) => typeof value === 'string' && value.startsWith('[')) as string,
  )
  return placeholders.map((name) => given[name] as string)
}

const quoted = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** What a statement is given for its only invoice, with gaps where ids go. */
const templateOf = (statement: Sql): string => {
  const json = statement.values.find(isPlans) as string
  return idsIn(statement).reduce((text, id, at) => text.replaceAll(id, `%${at + 1}$s`), json)
}
const isPlans = (value: unknown): value is string => typeof value === 'string' && value.startsWith('[')

/**
 * The same statement as a script for pgbench. Like the reference it looks its caller up first, among a hundred; what the
 * caller sends is kept there, and gets new ids.
 */
function asScript({ text, values }: Sql, organisationId: string): string {
  const fixed = text.replace(/\$(\d+)/g, (_, at) => {
    const value = values[Number(at) - 1]
    if (isPlans(value))
      return '(select format(plan, gen_random_uuid(), gen_random_uuid(), gen_random_uuid()) from caller)'
    return value === organisationId ? '(select organisation_id from caller)' : quoted(value)
  })
  const caller = 'with caller as materialized (select organisation_id, plan from reference.plans where nth = :nth),'
  return `\\set nth random(1, ${organisations})\n${fixed
    .trim()
    .replace(/^with/, caller)
    .replace(/\s*\n\s*/g, ' ')};\n`
}

interface Load {
  readonly url: string
  readonly requests: readonly { readonly headers: Record<string, string>; readonly body: string }[]
  readonly withKey?: true
}

/** Creates a second. Every connection goes through the callers in an order of its own, with one request in flight. */
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
        const setupRequest = (sent: autocannon.Request) => ({
          ...sent,
          headers: { ...request.headers, ...(withKey ? { 'idempotency-key': newId() } : {}) },
        })
        return { method: 'POST' as const, ...request, ...(withKey ? { setupRequest } : {}) }
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

async function keepPlans(
  connection: string,
  callers: readonly InvoiceCaller[],
  statements: readonly Sql[],
): Promise<void> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  await client.query(
    'create table reference.plans (nth bigint primary key, organisation_id uuid not null, plan text not null)',
  )
  for (const [at, statement] of statements.entries())
    await client.query('insert into reference.plans values ($1, $2, $3)', [
      at + 1,
      callers[at]?.caller.tenant.organisationId,
      templateOf(statement),
    ])
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

/** Creating an invoice of five lines over HTTP, beside the same statement without us, and beside one that we cannot move. */
export async function benchCreateInvoice(say: (text: string) => void): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const open = await openMachine(readConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  try {
    const callers = await newCallers(open, organisations)
    const statements = await Promise.all(callers.map((caller) => planned(open, caller)))
    await runSql(open.connection, await readFile(reference('tables.sql'), 'utf8'))
    const script = join(home, 'ours.sql')
    const [first] = statements as [Sql]
    await writeFile(script, asScript(first, (callers[0] as InvoiceCaller).caller.tenant.organisationId))
    await keepPlans(open.connection, callers, statements)
    const ids = [...new Set(statements.flatMap(idsIn))]
    const benchFile = join(home, 'bare.json')
    await writeFile(
      benchFile,
      JSON.stringify(
        {
          connection: open.connection,
          statements: statements.map(({ name, text, values }) => ({ name, text, values })),
          ids,
        },
        (_, value) => (typeof value === 'bigint' ? String(value) : value),
      ),
    )
    const risiti = await startRisiti(home)
    const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-invoice.ts')], {
      env: { PATH: process.env.PATH, BENCH_FILE: benchFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const figures: Figures = { ours: [], withKey: [], oneOrganisation: [], bare: [], statement: [], reference: [] }
    try {
      const url = `${risiti.url}/i/v1/invoices`
      const requests = callers.map(requestOf)
      const bareLoad = { url: await printed(bare, /listens at (http:\S+)/), requests: [{ headers: {}, body: '' }] }
      const database = { connection: open.connection, clients, seconds }
      await createsPerSecond({ url, requests }, 3)
      await createsPerSecond(bareLoad, 2)
      for (let round = 0; round < rounds; round++) {
        figures.ours.push(await createsPerSecond({ url, requests }, seconds))
        figures.bare.push(await createsPerSecond(bareLoad, seconds))
        figures.withKey.push(await createsPerSecond({ url, requests, withKey: true }, seconds))
        figures.oneOrganisation.push(await createsPerSecond({ url, requests: requests.slice(0, 1) }, seconds))
        const statement = await pgbenchPerSecond({ ...database, files: [script] })
        const yardstick = await pgbenchPerSecond({ ...database, files: [reference('invoice.sql')] })
        if (statement !== undefined) figures.statement.push(statement)
        if (yardstick !== undefined) figures.reference.push(yardstick)
        say(
          `round ${round + 1}: ${Object.entries(figures)
            .map(([name, all]) => `${name} ${Math.round(all.at(-1) ?? 0)}`)
            .join(', ')}`,
        )
      }
    } finally {
      await ended(bare)
      await risiti.stop()
    }
    return rowsOf(figures)
  } finally {
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}

function rowsOf(figures: Figures): Row[] {
  const [ours, bare, withKey, one] = [figures.ours, figures.bare, figures.withKey, figures.oneOrganisation].map(
    median,
  ) as [number, number, number, number]
  const statement = figures.statement.length > 0 ? median(figures.statement) : undefined
  const yardstick = figures.reference.length > 0 ? median(figures.reference) : undefined
  const unit = 'invoices/s'
  return [
    {
      name: 'create an invoice of five lines',
      unit,
      ours,
      yardstick: bare,
      yardstickName: 'bare route, same statement',
      goal: 0.7,
    },
    {
      name: 'create, all load on one organisation',
      unit,
      ours: one,
      yardstick: ours,
      yardstickName: '100 organisations',
      goal: 0.5,
    },
    {
      name: 'the statement alone (pgbench)',
      unit,
      ours: statement ?? 0,
      yardstick: statement === undefined ? undefined : yardstick,
      yardstickName: 'reference SQL (pgbench)',
      goal: 0.8,
    },
    {
      name: 'create, beside the database alone',
      unit,
      ours,
      yardstick: statement,
      yardstickName: 'pgbench, same statement',
      goal: 0,
    },
    {
      name: 'create with an Idempotency-Key',
      unit,
      ours: withKey,
      yardstick: statement,
      yardstickName: 'pgbench, same statement',
      goal: 0,
    },
  ]
}
