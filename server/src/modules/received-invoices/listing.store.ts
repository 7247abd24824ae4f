import { offsetOf, type Page, type PageRequest, pageOf } from '../../kernel/paging.ts'
import { searchText } from '../../kernel/search-text.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { joined, literalLike, type Sql, sql } from '../../platform/database/sql.ts'
import { matchesTenantText } from '../../platform/database/text-search.store.ts'
import type { DayOrInstant, ReceivedFilter, ReceivedSort, Today } from './received-filter.ts'
import { plainTaxId, type ReceivedInvoice } from './received-invoice.ts'
import { columns, within } from './received-invoices.store.ts'

const beginningOf = (day: string, zone: string): Sql => sql`(${day}::date::timestamp at time zone ${zone})`
const endOf = (day: string, zone: string): Sql => sql`((${day}::date + 1)::timestamp at time zone ${zone})`

const from = (at: DayOrInstant, zone: string): Sql =>
  sql`received_at >= ${'day' in at ? beginningOf(at.day, zone) : sql`${at.instant}::timestamptz`}`
const until = (at: DayOrInstant, zone: string): Sql =>
  sql`received_at < ${'day' in at ? endOf(at.day, zone) : sql`${at.instant}::timestamptz`}`

function bySeller(text: string): Sql {
  const plain = plainTaxId(text)
  const name = sql`seller_search like ${`%${literalLike(searchText(text))}%`}`
  // Letters alone are a name; a number has digits, and only the prefix of a registration before them.
  return /\d/.test(plain) ? sql`(${name} or seller_tax_id_plain like ${`${plain}%`})` : name
}

const largestAmount = 2n ** 63n - 1n
const storable = (minor: bigint): bigint => (minor > largestAmount ? largestAmount : minor)

function conditionsOf(tenant: Tenant, filter: ReceivedFilter, { today, zone }: Today): Sql {
  const conditions = [within(tenant)]
  const add = <Value>(value: Value | undefined, condition: (value: Value) => Sql) => {
    if (value !== undefined) conditions.push(condition(value))
  }
  add(filter.seller?.trim() || undefined, bySeller)
  add(filter.accessPoint, (name) => sql`access_point = ${name}`)
  add(
    filter.transmissionStatus,
    (status) => sql`case when acknowledged_at is null then 'transmitted' else 'acknowledged' end = ${status}`,
  )
  add(filter.paymentStatus, (status) =>
    status === 'overdue'
      ? sql`due_date < ${today}::date and payment_status <> 'paid'`
      : sql`payment_status = ${status}`,
  )
  add(filter.issueDateFrom, (day) => sql`issue_date >= ${day}::date`)
  add(filter.issueDateTo, (day) => sql`issue_date <= ${day}::date`)
  add(filter.receivedFrom, (at) => from(at, zone))
  add(filter.receivedTo, (at) => until(at, zone))
  add(filter.amountMinMinor, (minor) => sql`payable_minor >= ${storable(minor)}`)
  add(filter.amountMaxMinor, (minor) => sql`payable_minor <= ${storable(minor)}`)
  add(filter.currency, (currency) => sql`currency = ${currency}`)
  add(filter.taxIdNormal, (taxId) => sql`buyer_tax_id_normal = ${taxId}`)
  add(searchText(filter.words ?? '') || undefined, (words) => matchesTenantText(tenant, words))
  return joined(conditions, ' and ')
}

/** Equal ones in the order in which they came, turned round where the rest is: each has an index of its own. */
const orders: Readonly<Record<ReceivedSort, Sql>> = {
  receivedAt: sql`received_at, id`,
  '-receivedAt': sql`received_at desc, id desc`,
  issueDate: sql`issue_date, id`,
  '-issueDate': sql`issue_date desc, id desc`,
  amount: sql`payable_minor, id`,
  '-amount': sql`payable_minor desc, id desc`,
}

export async function listReceived(
  db: Queryable,
  tenant: Tenant,
  { filter, sort, page }: { filter: ReceivedFilter; sort: ReceivedSort; page: PageRequest },
  today: Today,
): Promise<Page<ReceivedInvoice>> {
  const matching = conditionsOf(tenant, filter, today)
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from received_invoices where ${matching}`,
  )
  const rows = await db.rows<ReceivedInvoice>(sql`
    select ${columns} from received_invoices where ${matching}
     order by ${orders[sort]} limit ${page.limit} offset ${offsetOf(page)}`)
  return pageOf(rows, total, page)
}

/** Credit notes count against the rest: they are told as less. */
export interface CurrencyFigures {
  readonly currency: string
  readonly count: number
  readonly creditNotes: number
  readonly suppliers: number
  readonly faulty: number
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly unpaidMinor: bigint
  readonly overdueMinor: bigint
  readonly overdueCount: number
  readonly claimableTaxMinor: bigint
}

/** Most used currency first. */
export function sumReceived(
  db: Queryable,
  tenant: Tenant,
  filter: ReceivedFilter,
  today: Today,
): Promise<CurrencyFigures[]> {
  const isOverdue = sql`due_date < ${today.today}::date and payment_status <> 'paid'`
  const isOpen = sql`payment_status in ('unpaid', 'partial')`
  return db.rows(sql`
    select currency, count(*)::int as count, (count(*) filter (where sign < 0))::int as credit_notes,
           (count(distinct seller_tax_id_plain))::int as suppliers, (count(*) filter (where faults <> '[]'::jsonb))::int as faulty,
           sum(sign * net_minor)::bigint as net_minor, sum(sign * tax_minor)::bigint as tax_minor,
           sum(sign * payable_minor)::bigint as payable_minor,
           coalesce(sum(sign * payable_minor) filter (where ${isOpen}), 0)::bigint as unpaid_minor,
           coalesce(sum(sign * payable_minor) filter (where ${isOverdue}), 0)::bigint as overdue_minor,
           (count(*) filter (where ${isOverdue}))::int as overdue_count,
           coalesce(sum(tax_minor) filter (where is_claimable and (claim_until is null or claim_until >= ${today.today}::date)), 0)::bigint
             as claimable_tax_minor
      from (select *, case when type = 'credit_note' then -1 else 1 end as sign from received_invoices
             where ${conditionsOf(tenant, filter, today)}) as r
     group by currency order by count(*) desc, currency`)
}
