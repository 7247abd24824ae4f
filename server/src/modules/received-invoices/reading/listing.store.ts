import type { Page, PageRequest } from '../../../kernel/paging.ts'
import { searchText } from '../../../kernel/search-text.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type ListOrder, readPage, type SortKey } from '../../../platform/database/keyset.store.ts'
import { joined, literalLike, type Sql, sql } from '../../../platform/database/sql.ts'
import { matchesTenantText } from '../../../platform/database/text-search.store.ts'
import type { DayOrInstant, ReceivedFilter, ReceivedSort, Today } from '../received-filter.ts'
import { plainTaxId, type ReceivedInvoice } from '../received-invoice.ts'
import { columns, within } from '../received-invoices.store.ts'

const beginningOf = (day: string, zone: string): Sql => sql`(${day}::date::timestamp at time zone ${zone})`
const endOf = (day: string, zone: string): Sql => sql`((${day}::date + 1)::timestamp at time zone ${zone})`

const from = (at: DayOrInstant, zone: string): Sql =>
  sql`received_at >= ${'day' in at ? beginningOf(at.day, zone) : sql`${at.instant}::timestamptz`}`
const until = (at: DayOrInstant, zone: string): Sql =>
  sql`received_at < ${'day' in at ? endOf(at.day, zone) : sql`${at.instant}::timestamptz`}`

function bySeller(text: string): Sql {
  const plain = plainTaxId(text)
  const name = sql`seller_search like ${`%${literalLike(searchText(text))}%`}`
  // Text without digits is a name. A tax number has digits, with at most a registration prefix before them.
  return /\d/.test(plain) ? sql`(${name} or seller_tax_id_plain like ${`${plain}%`})` : name
}

const largestAmount = 2n ** 63n - 1n
const storable = (minor: bigint): bigint => (minor > largestAmount ? largestAmount : minor)

/** Whether the filter uses these fields only. The stored figures distinguish no others. */
export const saysNoMoreThan = (filter: ReceivedFilter, fields: readonly (keyof ReceivedFilter)[]): boolean =>
  Object.entries(filter).every(
    ([field, value]) =>
      (fields as readonly string[]).includes(field) ||
      value === undefined ||
      (typeof value === 'string' && value.trim() === ''),
  )

export function conditionsOf(tenant: Tenant, filter: ReceivedFilter, { today, zone }: Today): Sql {
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

/** Ties are ordered by id in the same direction, so that each order has its own index. */
const orderBy = (name: ReceivedSort, column: Sql, type: SortKey['type']): ListOrder => {
  const direction = name.startsWith('-') ? { descending: true as const } : {}
  return {
    name,
    keys: [
      { column, type, ...direction },
      { column: sql`id`, type: 'uuid', ...direction },
    ],
  }
}
const orders: Readonly<Record<ReceivedSort, ListOrder>> = {
  receivedAt: orderBy('receivedAt', sql`received_at`, 'instant'),
  '-receivedAt': orderBy('-receivedAt', sql`received_at`, 'instant'),
  issueDate: orderBy('issueDate', sql`issue_date`, 'day'),
  '-issueDate': orderBy('-issueDate', sql`issue_date`, 'day'),
  amount: orderBy('amount', sql`payable_minor`, 'integer'),
  '-amount': orderBy('-amount', sql`payable_minor`, 'integer'),
}

export async function listReceived(
  db: Queryable,
  tenant: Tenant,
  { filter, sort, page }: { filter: ReceivedFilter; sort: ReceivedSort; page: PageRequest },
  today: Today,
): Promise<Page<ReceivedInvoice>> {
  const matching = conditionsOf(tenant, filter, today)
  const { total } = await db.one<{ total: number }>(
    saysNoMoreThan(filter, ['currency', 'paymentStatus'])
      ? sql`select coalesce(sum(count), 0)::int as total from received_figures where ${matching}`
      : sql`select count(*)::int as total from received_invoices where ${matching}`,
  )
  return readPage(db, { columns, tables: sql`received_invoices`, matching, order: orders[sort], total }, page)
}
