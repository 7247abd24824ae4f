import type { Cursor } from '../../kernel/cursors.ts'
import { daysThatARateLasts, rateOf } from '../../kernel/exchange-rate.ts'
import type { Id } from '../../kernel/ids.ts'
import { type Page, type PageRequest, pageOfMore, readFor } from '../../kernel/paging.ts'
import type {
  TaxException,
  TaxFigure,
  TaxReturnDocumentLine,
  TaxReturnSection,
  TaxReturnTotals,
} from '../../kernel/tax-return.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { behind, cursorKeys, orderBy } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { periodAfter, type TaxPeriod } from './tax-periods.ts'

export type TaxReturnId = Id<'tax-return'>

/** What the country says about returns. */
export interface ReturnRules {
  /** the home currency */
  readonly currency: string
  /** tax categories that belong to the return */
  readonly categories: readonly string[]
}

export interface ClosedReturn extends TaxReturnTotals {
  readonly id: TaxReturnId
  readonly period: TaxPeriod
  readonly currency: string
  readonly closedAt: Date
}

const within = ({ organisationId, mode }: Tenant, alias: Sql): Sql =>
  sql`${alias}.organisation_id = ${organisationId} and ${alias}.mode = ${mode}`

const closedColumns = sql`r.id, r.period, r.currency, r.output_tax_minor, r.input_tax_minor, r.closed_at`

/** Waits for another request of the tenant that closes a period: periods are closed one after the other. */
export async function lockReturns(tx: Tx, { organisationId, mode }: Tenant): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended('tax returns of ' || ${organisationId}::text || ${mode}::text, 0))`,
  )
}

export interface ReturnState {
  readonly closed: readonly ClosedReturn[]
  /** the first month for a return while none is closed; null without documents */
  readonly firstPeriod: TaxPeriod | null
}

/** Which months can be the first one. */
interface FirstMonths {
  /** the month in which the organisation was created: from here on, any document can make a month the first one */
  readonly created: TaxPeriod
  /** before this month, no document can */
  readonly earliest: TaxPeriod
}

/**
 * The closed periods, newest first, and the first one. Between `earliest` and `created` only own documents count for the first month: suppliers
 * can send documents of any year, and nobody wants to close all months since then.
 */
export async function readState(
  db: Queryable,
  tenant: Tenant,
  { created, earliest }: FirstMonths,
): Promise<ReturnState> {
  const closed = await db.rows<ClosedReturn>(
    sql`select ${closedColumns} from tax_returns r where ${within(tenant, sql`r`)} order by r.period desc`,
  )
  const unreported = sql`tax_moves m where ${within(tenant, sql`m`)} and m.reported_in is null`
  const { firstPeriod } = await db.one<{ firstPeriod: TaxPeriod | null }>(sql`
    select coalesce(
      least(
        (select m.period from ${unreported} and m.period >= ${earliest} and m.section in ('output', 'output_notes') order by m.period limit 1),
        (select m.period from ${unreported} and m.period >= ${created} order by m.period limit 1)),
      (select ${created}::text from ${unreported} limit 1)) as first_period`)
  return { closed, firstPeriod }
}

/** As much as a received document can have in the home currency, so that every converted amount fits into its column. */
export const largestConvertedMinor = 10n ** 17n

/** As much as an own document can have. A supplier may write any amount, and such a document holds up no month. */
const largestPlausibleMinor = 10n ** 15n

/**
 * Minor units of the home currency for one of the move. Null if the rate is missing, or so large that a document cannot have the
 * amount. What was reported keeps its rate: a later move of the same document uses it too, so that it takes back exactly what was reported.
 */
const rateIn = ({ organisationId, mode }: Tenant, home: string): Sql => sql`
  case
    when m.minor_rate is not null then m.minor_rate
    when m.currency = ${home} then 1
    else coalesce(
      (select e.minor_rate from tax_moves e
        where e.organisation_id = ${organisationId} and e.mode = ${mode} and e.document_id = m.document_id and e.minor_rate is not null
        order by e.id limit 1),
      -- The rate that the document was issued with.
      (select (i.home_tax ->> 'minorRate')::numeric from invoices i
        where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = m.document_id),
      (select case when greatest(abs(m.net_minor), abs(m.tax_minor)) * x.minor_rate <= ${largestConvertedMinor} then x.minor_rate end
         from exchange_rates x
        where x.organisation_id = ${organisationId} and x.mode = ${mode} and x.currency = m.currency
          and x.day between m.document_date - ${daysThatARateLasts}::int and m.document_date
        order by x.day desc limit 1))
  end`

const isCounted = (categories: readonly string[]): Sql => sql`
  coalesce(m.is_counted, m.section in ('input', 'input_notes')
    or (m.section in ('output', 'output_notes') and m.code = any (${categories}::text[])))`

/** Moves with their amounts in the home currency. An amount without a rate is null. */
const valued = (tenant: Tenant, { currency, categories }: ReturnRules, matching: Sql): Sql => sql`
  select m.*, v.rate as value_rate, coalesce(m.home_net_minor, round(m.net_minor * v.rate)::bigint) as value_net_minor,
         coalesce(m.home_tax_minor, round(m.tax_minor * v.rate)::bigint) as value_tax_minor,
         ${isCounted(categories)} as value_is_counted
    from tax_moves m cross join lateral (select ${rateIn(tenant, currency)} as rate) as v
   where ${within(tenant, sql`m`)} and ${matching}`

/** The newest closed period. While none is closed, the one before the first return. */
const lastOver = (tenant: Tenant, before: TaxPeriod): Sql =>
  sql`coalesce((select max(r.period) from tax_returns r where ${within(tenant, sql`r`)}), ${before})`

/** A period, and the last one that was over when the caller looked. */
interface PeriodToRead {
  readonly period: TaxPeriod
  readonly before: TaxPeriod
}

/**
 * The moves of a period: those that it reported when it was closed. While it is open, those of its documents; the first
 * open period also has what changed in those before it.
 */
const inReturn = (tenant: Tenant, rules: ReturnRules, { period, before }: PeriodToRead): Sql => sql`
  ${valued(tenant, rules, sql`m.reported_in = ${period}`)}
  union all
  ${valued(
    tenant,
    rules,
    sql`m.reported_in is null and m.period <= ${period} and ${period} > ${lastOver(tenant, before)}
        and (m.period = ${period} or (m.period <= ${lastOver(tenant, before)} and ${periodAfter(period, -1)} = ${lastOver(tenant, before)}))`,
  )}`

/** Sums as text: suppliers may write any amount, and a sum may exceed a bigint column. */
type FigureRow = Omit<TaxException, 'netMinor' | 'taxMinor'> & {
  readonly netMinor: string
  readonly taxMinor: string
  readonly isRateMissing: boolean
}

export interface ReadFigures {
  readonly figures: readonly TaxFigure[]
  readonly exceptions: readonly TaxException[]
  /** documents in a foreign currency that are in no figure, because the rate of their day is missing */
  readonly withoutRate: number
}

/** All figures of a period from one statement, and so from one moment. */
export async function readFigures(
  db: Queryable,
  tenant: Tenant,
  rules: ReturnRules,
  period: TaxPeriod,
  before: TaxPeriod,
): Promise<ReadFigures> {
  const rows = await db.rows<FigureRow>(sql`
    select m.period, m.section, m.code, m.rate, m.value_is_counted as is_counted,
           coalesce(sum(m.value_net_minor), 0)::text as net_minor, coalesce(sum(m.value_tax_minor), 0)::text as tax_minor,
           coalesce(sum(m.documents) filter (where m.value_rate is not null), 0)::int as documents,
           bool_or(m.value_rate is null) as is_rate_missing
      from (${inReturn(tenant, rules, { period, before })}) as m
     group by m.period, m.section, m.code, m.rate, m.value_is_counted
     order by m.period, array_position(array['output', 'output_notes', 'input', 'input_notes', 'not_claimable'], m.section), m.code, m.rate`)
  const figure = ({ isRateMissing: _, netMinor, taxMinor, ...rest }: FigureRow): TaxException => ({
    ...rest,
    netMinor: BigInt(netMinor),
    taxMinor: BigInt(taxMinor),
  })
  const shown = rows
    .map(figure)
    .filter(({ documents, netMinor, taxMinor }) => documents !== 0 || netMinor !== 0n || taxMinor !== 0n)
  return {
    figures: shown.filter((row) => row.period === period).map(({ period: _, ...row }) => row),
    exceptions: shown.filter((row) => row.period !== period),
    withoutRate: rows.some((row) => row.isRateMissing)
      ? await countWithoutRate(db, tenant, rules, { period, before })
      : 0,
  }
}

/** A document with several tax rates counts once, and one whose moves take each other back does not count. */
async function countWithoutRate(
  db: Queryable,
  tenant: Tenant,
  rules: ReturnRules,
  toRead: PeriodToRead,
): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct l.document_id)::int as count from (
      select m.document_id from (${inReturn(tenant, rules, toRead)}) as m where m.value_rate is null
       group by m.document_id, m.section, m.code, m.rate
      having sum(m.documents) <> 0 or sum(m.net_minor) <> 0 or sum(m.tax_minor) <> 0) as l`)
  return count
}

/** Output and input tax of every open month from the documents of that month alone. */
export async function sumOpenPeriods(
  db: Queryable,
  tenant: Tenant,
  rules: ReturnRules,
): Promise<(TaxReturnTotals & { readonly period: TaxPeriod })[]> {
  const taxOf = (sections: Sql): Sql =>
    sql`coalesce(sum(m.value_tax_minor) filter (where m.value_is_counted and m.section in (${sections})), 0)::text`
  const rows = await db.rows<Readonly<Record<'period' | keyof TaxReturnTotals, string>>>(sql`
    select m.period, ${taxOf(sql`'output', 'output_notes'`)} as output_tax_minor, ${taxOf(sql`'input', 'input_notes'`)} as input_tax_minor
      from (${valued(tenant, rules, sql`m.reported_in is null`)}) as m group by m.period`)
  return rows.map(({ period, outputTaxMinor, inputTaxMinor }) => ({
    period,
    outputTaxMinor: BigInt(outputTaxMinor),
    inputTaxMinor: BigInt(inputTaxMinor),
  }))
}

/** Which lines of a return: all, or those of one figure. */
export interface LineFilter {
  readonly section?: TaxReturnSection | undefined
  readonly code?: string | undefined
  readonly rate?: string | undefined
  /** true: only changes of closed periods; false: only documents of the period itself */
  readonly isException?: boolean | undefined
  /** only documents of this month, which for an exception is a closed one */
  readonly documentPeriod?: TaxPeriod | undefined
  /** only lines that are in no figure, because the rate of their day is missing */
  readonly isWithoutRate?: boolean | undefined
}

const order = {
  name: 'tax_lines',
  keys: [
    { column: sql`l.document_date`, type: 'day' },
    { column: sql`l.document_id`, type: 'uuid' },
    { column: sql`l.section`, type: 'text' },
    { column: sql`l.code`, type: 'text' },
    { column: sql`l.rate`, type: 'text' },
  ],
} as const

type LineRow = Omit<TaxReturnDocumentLine, 'exchangeRate'> & {
  readonly minorRate: string | null
  readonly cursorKeys: string[]
}

const equals = (column: Sql, value: string | undefined): Sql =>
  value === undefined ? sql`true` : sql`${column} = ${value}`

/** What each document counts for, oldest first. Moves that take each other back are left out. */
export async function readLines(
  db: Queryable,
  tenant: Tenant,
  rules: ReturnRules,
  toRead: PeriodToRead,
  filter: LineFilter,
  page: PageRequest,
): Promise<Page<TaxReturnDocumentLine>> {
  const { section, code, rate, isException, documentPeriod, isWithoutRate } = filter
  const { period } = toRead
  const ofPeriod = isException === undefined ? sql`true` : sql`(m.period <> ${period}) = ${isException}`
  const rows = await db.rows<LineRow>(sql`
    select l.*, ${cursorKeys(order)} as cursor_keys from (
      select m.section, m.code, m.rate, max(m.message) as message, (array_agg(m.cause order by m.id desc))[1] as cause, m.period, m.document_id,
             m.document_number, m.document_type, m.document_date, m.party_name, m.currency, sum(m.net_minor)::bigint as net_minor,
             sum(m.tax_minor)::bigint as tax_minor, min(m.value_rate)::text as minor_rate,
             case when bool_and(m.value_rate is not null) then sum(m.value_net_minor)::bigint end as home_net_minor,
             case when bool_and(m.value_rate is not null) then sum(m.value_tax_minor)::bigint end as home_tax_minor
        from (${inReturn(tenant, rules, toRead)}) as m
       where ${equals(sql`m.section`, section)} and ${equals(sql`m.code`, code)} and ${equals(sql`m.rate`, rate)} and ${ofPeriod}
         and ${equals(sql`m.period`, documentPeriod)} and ${isWithoutRate ? sql`m.value_rate is null` : sql`true`}
       group by m.section, m.code, m.rate, m.period, m.document_id, m.document_number, m.document_type, m.document_date, m.party_name, m.currency
      having sum(m.documents) <> 0 or sum(m.net_minor) <> 0 or sum(m.tax_minor) <> 0) as l
     where ${behind(order, page.after)} order by ${orderBy(order)} limit ${readFor(page)}`)
  const cursor = ({ cursorKeys: keys }: LineRow): Cursor => ({ order: order.name, keys })
  const { rows: shown, ...rest } = pageOfMore(rows, 0, page, cursor)
  return { ...rest, rows: shown.map((row) => lineFrom(row, rules.currency)) }
}

const lineFrom = ({ cursorKeys: _, minorRate, ...row }: LineRow, home: string): TaxReturnDocumentLine => ({
  ...row,
  exchangeRate: minorRate === null ? null : rateOf(row.currency, minorRate, home),
})

/** A document that counts in an open period, and whose currency has no rate on its day. */
export function findWithoutRate(
  db: Queryable,
  tenant: Tenant,
  rules: ReturnRules,
  period: TaxPeriod,
): Promise<{ readonly currency: string; readonly documentDate: string } | undefined> {
  return db.maybe(sql`
    select m.currency, m.document_date from (${valued(tenant, rules, sql`m.reported_in is null and m.period <= ${period}`)}) as m
     where m.value_rate is null and greatest(abs(m.net_minor), abs(m.tax_minor)) <= ${largestPlausibleMinor}
     group by m.document_id, m.section, m.code, m.rate, m.currency, m.document_date
    having sum(m.documents) <> 0 or sum(m.net_minor) <> 0 or sum(m.tax_minor) <> 0
     order by m.document_date limit 1`)
}

/**
 * Closes a period: marks every move up to it that no period has reported, with its amounts in the home currency. A move
 * that commits later, or has no rate, is not marked and becomes an exception. The caller holds `lockReturns`.
 */
export async function insertReturn(
  tx: Tx,
  tenant: Tenant,
  rules: ReturnRules,
  { id, period, now }: { readonly id: TaxReturnId; readonly period: TaxPeriod; readonly now: Date },
): Promise<ClosedReturn> {
  const taxOf = (sections: Sql): Sql =>
    sql`coalesce(sum(k.home_tax_minor) filter (where k.is_counted and k.section in (${sections})), 0)::bigint`
  const rate = rateIn(tenant, rules.currency)
  // One table only: a join would be quadratic if the planner has no statistics yet.
  return await tx.one(sql`
    with marked as (
      update tax_moves m
         set reported_in = ${period}, minor_rate = ${rate}, home_net_minor = round(m.net_minor * ${rate})::bigint,
             home_tax_minor = round(m.tax_minor * ${rate})::bigint, is_counted = ${isCounted(rules.categories)}
       where ${within(tenant, sql`m`)} and m.reported_in is null and m.period <= ${period} and ${rate} is not null
      returning m.section, m.home_tax_minor, m.is_counted)
    insert into tax_returns as r (organisation_id, mode, period, id, currency, output_tax_minor, input_tax_minor, closed_at)
    select ${tenant.organisationId}::uuid, ${tenant.mode}::text, ${period}, ${id}::uuid, ${rules.currency},
           ${taxOf(sql`'output', 'output_notes'`)}, ${taxOf(sql`'input', 'input_notes'`)}, ${now}::timestamptz
      from marked k
    returning ${closedColumns}`)
}
