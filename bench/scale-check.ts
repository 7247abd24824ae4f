import {
  type CodeChange,
  type CountChange,
  codeChanges,
  countChanges,
  type ListingRow,
  sumChanges,
} from '../server/src/modules/invoices/listing/kept-counts.ts'
import type { Database } from '../server/src/platform/database/database.ts'
import { type Sql, sql } from '../server/src/platform/database/sql.ts'
import { ask, checkTotals, dayOf, patiently } from './invoice-lists.ts'
import type { ScaleCaller } from './scale.ts'

/** Larger organisations are not counted again row by row in this process. */
const mostRecounted = 20_000
const accounts = 5

const complain = (what: string, found: unknown, wanted: unknown): never => {
  throw new Error(`${what}: ${JSON.stringify(found, texts)} instead of ${JSON.stringify(wanted, texts)}`)
}
const texts = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row, texts)).sort()

function compare(what: string, found: readonly unknown[], wanted: readonly unknown[]): void {
  const [has, should] = [sorted(found), sorted(wanted)]
  const at = should.findIndex((one, nth) => one !== has[nth])
  if (at >= 0 || has.length !== should.length)
    complain(`${what}, ${has.length} of ${should.length}`, has[Math.max(at, 0)], should[at])
}

/** Counts, sums and codes of one organisation must be what the service's own rules make of its listing. */
async function checkKept(db: Database, organisationId: string): Promise<void> {
  const mine = sql`organisation_id = ${organisationId} and mode = 'sandbox'`
  const listing = await db.rows<ListingRow>(
    sql`select *, (created_at at time zone 'UTC')::text as created_at from invoice_listing where ${mine}`,
  )
  const rows = listing.map((row) => ({ row, sign: 1 }) as const)
  const read = (columns: Sql, table: Sql) =>
    db.rows<Record<string, unknown>>(sql`select ${columns} from ${table} where ${mine}`)
  const counts = countChanges(rows).map(({ kind, key, week, n }: CountChange) => ({ kind, key, week, n }))
  compare('counts', await read(sql`kind, key, week, n::int as n`, sql`invoice_counts`), counts)
  const sums = sumChanges(rows).map(({ span, since, facets, n, netMinor, taxMinor, payableMinor, paidMinor }) => {
    return { span, since, facets, n, net: netMinor, tax: taxMinor, payable: payableMinor, paid: paidMinor }
  })
  const amounts = sql`net_minor::bigint as net, tax_minor::bigint as tax, payable_minor::bigint as payable, paid_minor::bigint as paid`
  compare('sums', await read(sql`span, since::text as since, facets, n::int as n, ${amounts}`, sql`invoice_sums`), sums)
  const codes = codeChanges(rows).map(({ type, code, uses }: CodeChange) => ({ type, code, uses }))
  compare('codes', await read(sql`type, code, uses::int as uses`, sql`invoice_codes`), codes)
}

interface Statistics {
  readonly data: {
    readonly groups: readonly {
      status: string
      invoiceType: string
      currency: string
      count: number
      payableMinor: number
      paidMinor: number
    }[]
  }
}

/** The statistics must be the sums of the invoices. */
async function checkStatistics(url: string, db: Database, caller: ScaleCaller): Promise<void> {
  const { body } = await patiently(() => ask<Statistics>(url, 'invoices/statistics', caller))
  const groups = body.data.groups.map(({ status, invoiceType, currency, count, payableMinor, paidMinor }) => {
    return { status, type: invoiceType, currency, count, payable: payableMinor, paid: paidMinor }
  })
  const wanted = await db.rows(sql`
    select status, type, currency, count(*)::int as count, sum(payable_minor)::float8 as payable, sum(paid_minor)::float8 as paid from invoices
     where organisation_id = ${caller.organisationId} and mode = 'sandbox' group by status, type, currency`)
  compare('statistics', groups, wanted)
}

/** A statement of account must end with what is due on the buyer's invoices. */
async function checkStatements(url: string, db: Database, caller: ScaleCaller): Promise<void> {
  const rows = await db.rows<{ buyerId: string; due: number }>(sql`
    select buyer_id, sum(payable_minor - credited_minor - paid_minor)::float8 as due from invoices
     where organisation_id = ${caller.organisationId} and mode = 'sandbox' and currency = 'NGN' and type <> 'credit_note' and status not in ('draft', 'rejected')
     group by buyer_id order by count(*) desc limit ${accounts}::int`)
  for (const { buyerId, due } of rows) {
    const period = `from=${dayOf(Date.now() - 4 * 365 * 86_400_000)}&to=${dayOf(Date.now() + 30 * 86_400_000)}`
    const path = `buyers/${buyerId}/statement-of-account?currency=NGN&limit=1&${period}`
    const { body } = await patiently(() =>
      ask<{ data: { openingMinor: number; closingMinor: number } }>(url, path, caller),
    )
    if (body.data.openingMinor !== 0 || body.data.closingMinor !== due)
      complain('a statement of account', body.data, due)
  }
}

/** Heads of logs, and the cursors of all consumers, must be at the last event. */
async function checkLogs(db: Database): Promise<void> {
  const { wrong } = await db.one<{ wrong: number }>(sql`
    select count(*)::int as wrong from event_heads h join (
      select organisation_id, max(position) as last, count(*) as n, min(position) as first from events group by organisation_id) as e
        on e.organisation_id = h.organisation_id and (h.position <> e.last or e.n <> e.last - e.first + 1)`)
  if (wrong > 0) complain('logs with a gap or another head', wrong, 0)
}

/** Compares lists, statistics, statements of account, kept counts and logs of filled organisations with their invoices. */
export async function checkFilled(
  url: string,
  db: Database,
  callers: readonly ScaleCaller[],
  say: (text: string) => void,
): Promise<void> {
  let recounted = 0
  for (const caller of callers) {
    const { size } = await db.one<{ size: number }>(
      sql`select count(*)::int as size from invoices where organisation_id = ${caller.organisationId} and mode = 'sandbox'`,
    )
    await checkTotals(url, { key: caller.key, size })
    await checkStatistics(url, db, caller)
    await checkStatements(url, db, caller)
    if (size > mostRecounted) continue
    await checkKept(db, caller.organisationId)
    recounted++
  }
  await checkLogs(db)
  say(
    `Lists, statistics and statements of account of ${callers.length} organisations agree with their invoices; all counts of ${recounted} do.`,
  )
}
