import type { Cursor } from '../../kernel/cursors.ts'
import { businessDay } from '../../kernel/days.ts'
import type { DocumentType } from '../../kernel/invoice-document.ts'
import { type PageRequest, pageOfMore, readFor } from '../../kernel/paging.ts'
import type {
  StatementAges,
  StatementFigures,
  StatementLine,
  StatementLineType,
} from '../../kernel/statement-of-account.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { behind, cursorKeys, orderBy } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { AccountPeriod } from './account-period.ts'

/** The account of a buyer in one currency. */
export interface AccountRef {
  readonly buyerId: BuyerId
  readonly currency: string
}

const ofAccount = ({ organisationId, mode }: Tenant, { buyerId, currency }: AccountRef): Sql =>
  sql`m.organisation_id = ${organisationId} and m.mode = ${mode} and m.buyer_id = ${buyerId} and m.currency = ${currency}`

/**
 * What was open on each invoice of an account at a moment. Costs as much as there are open invoices now, and moves
 * since that moment: the index is ordered by the end of each row.
 */
const openAt = (tenant: Tenant, account: AccountRef, moment: Date): Sql => {
  const columns = sql`m.open_minor, m.due_date, m.instalments from buyer_account_moves m`
  const open = sql`${ofAccount(tenant, account)} and m.open_minor <> 0 and m.moved_at < ${moment}`
  return sql`
    select ${columns} where ${open} and m.superseded_at >= ${moment}
    union all
    select ${columns} where ${open} and m.superseded_at is null`
}

const order = {
  name: 'booked',
  keys: [
    { column: sql`m.moved_at`, type: 'instant' },
    { column: sql`m.id`, type: 'integer' },
  ],
} as const

type MoveType =
  | 'document'
  | 'document_withdrawn'
  | 'declared_paid'
  | 'declared_paid_withdrawn'
  | 'payment'
  | 'payment_reversed'
  | 'payment_moved'

type SumColumns = StatementAges & {
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  /** the balance before the first line of the page */
  readonly beforeMinor: bigint
}

type LineColumns = Omit<StatementLine, 'type' | 'bookedOn' | 'balanceMinor'> & {
  readonly lineId: string | null
  readonly type: MoveType
  readonly fromCredit: boolean | null
  readonly isRefund: boolean
  readonly cursorKeys: readonly string[]
}

function lineType({ type, documentType, fromCredit, isRefund }: LineColumns): StatementLineType {
  if (type === 'document') return documentType === 'standard' ? 'invoice' : documentType
  if (type === 'payment') return fromCredit ? 'credit_used' : 'payment'
  if (type === 'payment_reversed') return isRefund ? 'refund' : 'payment_reversed'
  return type
}

/** What is open at a moment by due date: what is left of an invoice with instalments belongs to the last ones. */
const openPartsAt = (tenant: Tenant, account: AccountRef, moment: Date): Sql => sql`
  select p.* from (${openAt(tenant, account, moment)}) as o cross join lateral (
    select o.open_minor, o.due_date where o.instalments is null or o.open_minor < 0
    union all
    select i.due_minor, i.due_date from open_instalments(o.instalments, o.open_minor) as i) as p`

/** `amount > 0` and so many days late on the day; without limits if absent. */
const aged = (day: string, least: number | undefined, most: number | undefined): Sql => {
  const late = sql`${day}::date - due_date`
  const from = least === undefined ? sql`true` : sql`${late} >= ${least}::int`
  const to = most === undefined ? sql`true` : sql`coalesce(${late} <= ${most}::int, true)`
  return sql`coalesce(sum(open_minor) filter (where open_minor > 0 and ${from} and ${to}), 0)::bigint`
}

interface LinePage {
  readonly rows: readonly StatementLine[]
  /** the position of the last line; null on the last page */
  readonly next: Cursor | null
}

export interface StatementPage {
  readonly figures: StatementFigures
  readonly lines: LinePage
}

/** The figures of a period and one page of its lines, from one statement and so from one moment. */
export async function readStatement(
  db: Queryable,
  tenant: Tenant,
  account: AccountRef,
  { from, to, startsAt, endsAt, agedOn }: AccountPeriod,
  page: PageRequest,
  zone: string,
): Promise<StatementPage> {
  const { organisationId, mode } = tenant
  const inPeriod = sql`${ofAccount(tenant, account)} and m.moved_at >= ${startsAt} and m.moved_at < ${endsAt}`
  const rows = await db.rows<SumColumns & LineColumns>(sql`
    with page as materialized (
      select m.*, ${cursorKeys(order)} as cursor_keys from buyer_account_moves m
       where ${inPeriod} and ${behind(order, page.after)} order by ${orderBy(order)} limit ${readFor(page)}),
    opening as (select coalesce(sum(open_minor), 0)::bigint as minor from (${openAt(tenant, account, startsAt)}) as o),
    closing as (
      select coalesce(sum(open_minor), 0)::bigint as closing_minor, ${aged(agedOn, undefined, 0)} as not_due_minor,
             ${aged(agedOn, 1, 30)} as days1_to30_minor, ${aged(agedOn, 31, 60)} as days31_to60_minor,
             ${aged(agedOn, 61, 90)} as days61_to90_minor, ${aged(agedOn, 91, undefined)} as over90_days_minor,
             coalesce(-sum(open_minor) filter (where open_minor < 0), 0)::bigint as credit_minor
        from (${openPartsAt(tenant, account, endsAt)}) as o),
    earlier as (
      select coalesce(sum(m.amount_minor), 0)::bigint as minor from buyer_account_moves m
       where ${inPeriod} and ${page.after ? sql`true` : sql`false`}
         and (m.moved_at, m.id) < (select p.moved_at, p.id from page p order by p.moved_at, p.id limit 1))
    select opening.minor as opening_minor, closing.*, opening.minor + earlier.minor as before_minor,
           m.id::text as line_id, m.moved_at as booked_at, m.type, m.amount_minor, m.document_id, m.document_number, m.document_type, m.document_date,
           m.payment_id, m.cursor_keys, p.method as payment_method, p.reference as payment_reference, p.from_credit,
           m.type = 'payment_reversed' and exists (
             select from received_payment_moves r
              where r.organisation_id = ${organisationId} and r.mode = ${mode} and r.payment_id = p.received_payment_id
                and r.invoice_payment_id = m.payment_id and r.type = 'withdraw' and r.refund_id is not null) as is_refund
      from opening cross join closing cross join earlier
      left join page m on true
      left join invoice_payments p on p.organisation_id = ${organisationId} and p.mode = ${mode} and p.id = m.payment_id
     order by m.moved_at, m.id`)
  const sums = rows[0] as SumColumns
  const { openingMinor, closingMinor, beforeMinor } = sums
  const ages: StatementAges = {
    notDueMinor: sums.notDueMinor,
    days1To30Minor: sums.days1To30Minor,
    days31To60Minor: sums.days31To60Minor,
    days61To90Minor: sums.days61To90Minor,
    over90DaysMinor: sums.over90DaysMinor,
    creditMinor: sums.creditMinor,
  }
  let balanceMinor = beforeMinor
  const lines = rows
    .filter(({ lineId }) => lineId !== null)
    .map((row) => {
      balanceMinor += row.amountMinor
      return { line: lineFrom(row, balanceMinor, zone), keys: row.cursorKeys }
    })
  const { rows: shown, next } = pageOfMore(lines, 0, page, ({ keys }) => ({ order: order.name, keys }))
  return {
    figures: { currency: account.currency, from, to, openingMinor, closingMinor, ages, agedOn },
    lines: { rows: shown.map(({ line }) => line), next },
  }
}

const lineFrom = (row: LineColumns, balanceMinor: bigint, zone: string): StatementLine => ({
  type: lineType(row),
  bookedAt: row.bookedAt,
  bookedOn: businessDay(row.bookedAt, zone),
  documentDate: row.documentDate,
  documentId: row.documentId,
  documentNumber: row.documentNumber,
  documentType: row.documentType as DocumentType,
  paymentId: row.paymentId,
  paymentMethod: row.paymentMethod,
  paymentReference: row.paymentReference,
  amountMinor: row.amountMinor,
  balanceMinor,
})

/** The currencies in which a buyer has an account, each found by one look at the index. */
export async function listAccountCurrencies(db: Queryable, tenant: Tenant, buyerId: BuyerId): Promise<string[]> {
  const next = (after: Sql) => sql`
    (select m.currency from buyer_account_moves m
      where m.organisation_id = ${tenant.organisationId} and m.mode = ${tenant.mode} and m.buyer_id = ${buyerId} and ${after}
      order by m.currency limit 1)`
  const rows = await db.rows<{ currency: string }>(sql`
    with recursive found as (
      select ${next(sql`true`)} as currency
      union all
      select ${next(sql`m.currency > f.currency`)} from found f where f.currency is not null)
    select currency from found where currency is not null`)
  return rows.map(({ currency }) => currency)
}
