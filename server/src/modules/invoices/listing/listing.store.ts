import { mapped, offsetOf, type Page, type PageRequest, pageOfMore, readFor } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import type { InvoiceSummary } from '../invoice.ts'
import { summaryColumns, summaryFrom, summaryTables } from '../invoices.store.ts'
import {
  type AccessPath,
  chooseAccessPath,
  type Estimates,
  firstInOrder,
  isNotFresh,
  isSortedOtherwise,
  type ListQuery,
  needsEstimates,
  partsOf,
  rowsAlong,
  weeksFor,
  weeksWithoutFresh,
} from './access-paths.store.ts'
import { countOfAll, filterPartsOf, listed, listedAs, within } from './filter-parts.store.ts'
import { freshInvoices, partySearch } from './follow.store.ts'
import type { InvoiceFilter, InvoiceSort } from './invoice-filter.ts'
import { isFoundBehind, keysOfFound, orderName } from './list-order.store.ts'
import { listingColumns } from './listing-columns.store.ts'
import {
  countBoth,
  countNamed,
  countNumbered,
  guessNamed,
  partiesOf,
  rowsThatFit,
  searchWords,
  type UnmetParty,
  unmetParties,
} from './search.store.ts'

/** The kept count without fresh documents; or a real count if no count is kept for the combination of filters. */
function countListed(query: ListQuery, accessPath: AccessPath, condition: Sql, estimates: Estimates | undefined): Sql {
  if (accessPath === 'by week') return sql`(select coalesce(sum(n), 0) from weeks)`
  const { tenant, filterParts, search, few } = query
  const [sole] = filterParts
  const superseded = sql`(select count(*) from superseded)`
  if (search && filterParts.length === 0) {
    const both = countBoth(tenant, search, (estimates?.numbered ?? 0) <= (estimates?.named ?? 0))
    return sql`
      (select c.numbered + c.named - case when c.numbered = 0 or c.named = 0 then 0 else ${both} end
         from (select ${countNumbered(tenant, search)} as numbered, ${countNamed(tenant)} as named offset 0) as c) - ${superseded}`
  }
  if (search && estimates && estimates.numbered + estimates.named <= 4 * few) {
    const further = sql`${joined(
      filterParts.map((one) => one.condition),
      ' and ',
    )} and ${isNotFresh}`
    return sql`(select count(*) from (${rowsThatFit(tenant, search, sql`l.id`, further, sql``)}) as l)`
  }
  if (!search && filterParts.length <= 1) return sql`${sole ? sole.keptCount : countOfAll(tenant)} - ${superseded}`
  return sql`(select count(*) from ${listed(tenant)} and ${condition} and ${isNotFresh})`
}

const freshOf = (tenant: Tenant): Sql => sql`fresh as materialized (${freshInvoices(tenant)})`

async function estimate(db: Queryable, query: ListQuery): Promise<Estimates> {
  const { tenant, filterParts, search } = query
  const [sole] = filterParts
  const none = sql`0`
  const row = await db.one<Estimates>(sql`
    with ${freshOf(tenant)}, parties as materialized (${search ? partiesOf(tenant, search, []) : sql`select null::uuid as id where false`})
    select ${countOfAll(tenant)}::float8 as all, (${sole ? (sole.roughCount ?? sole.keptCount) : none})::float8 as kept,
           (${sole && isSortedOtherwise(query) ? sql`select count(*) from (${firstInOrder(query)}) as l where ${sole.condition}` : none})::float8 as soon,
           (${sole?.facetValues ? sql`select count(*) from (${sole.facetValues}) as v` : none})::float8 as values,
           (${search ? countNumbered(tenant, search) : none})::float8 as numbered, (${search ? guessNamed(tenant) : none})::float8 as named,
           (select count(*) from parties)::float8 as parties,
           (${search ? sql`select jsonb_agg(u) from (${unmetParties(tenant, [])}) as u` : sql`null::jsonb`}) as unmet`)
  return row
}

type PageRow = Parameters<typeof summaryFrom>[0] & {
  readonly total: bigint
  readonly nth: bigint | null
  readonly cursorKeys: readonly (string | null)[]
  readonly parties: bigint
  readonly unmet: readonly UnmetParty[] | null
}

/** A page and the exact total, from one snapshot: the listing, corrected by the fresh invoices. */
async function readPage(
  db: Queryable,
  query: ListQuery,
  estimates: Estimates | undefined,
  met: readonly UnmetParty[],
  isLast: boolean,
): Promise<{ rows: PageRow[]; accessPath: AccessPath }> {
  const { tenant, search, sort, offset, limit, after } = query
  const fitting = met.filter((party) => search && partySearch(party).includes(search.words)).map(({ id }) => id)
  // Weeks are kept for numbers only. The last look assumes that a name matches.
  const atLeast = Math.max(fitting.length, isLast ? 1 : 0)
  const accessPath = chooseAccessPath(
    query,
    estimates && { ...estimates, parties: Math.max(estimates.parties, atLeast) },
  )
  const parts = partsOf(query)
  const { columns, order, condition } = parts
  const known = met.map(({ id }) => id)
  const parties = search ? partiesOf(tenant, search, fitting) : sql`select null::uuid as id where false`
  const rows = await db.rows<PageRow>(sql`
    with ${freshOf(tenant)}, parties as materialized (${parties}),
    fresh_rows as materialized (
      select ${columns} from (
        select i.* from fresh cross join lateral (
          select ${listingColumns} from invoices i where ${within(tenant, sql`i`)} and i.id = fresh.id offset 0) as i) as l where ${condition}),
    fresh_count as materialized (select count(*)::int as n from fresh_rows),
    superseded as materialized (
      select l.id, l.created_at from fresh cross join lateral (${listedAs(tenant, sql`fresh.id`)}) as l where ${condition}),
    weeks as materialized (${accessPath === 'by week' ? weeksWithoutFresh(weeksFor(query)) : sql`select 0 as week, 0 as n where false`}),
    page as materialized (${rowsAlong(accessPath, query, parts)}),
    chosen as materialized (
      select l.id, row_number() over (order by ${order}) as nth, ${keysOfFound(sort)} as cursor_keys
        from (select * from page union all select l.* from fresh_rows l where ${isFoundBehind(sort, after)}) as l
       order by ${order} offset (select least(n, ${offset}::bigint) from fresh_count) limit ${limit})
    select ((${countListed(query, accessPath, condition, estimates)}) + (select n from fresh_count))::bigint as total, (select count(*) from parties) as parties,
           (${search ? sql`select jsonb_agg(u) from (${unmetParties(tenant, known)}) as u` : sql`null::jsonb`}) as unmet, s.*
      from (select 1) as always
      left join lateral (
        select chosen.nth, chosen.cursor_keys, i.* from chosen cross join lateral (
          select ${summaryColumns} from ${summaryTables(tenant)} where ${within(tenant, sql`i`)} and i.id = chosen.id offset 0) as i) as s on true`)
  // Sorted here, because the database would send no row before it had found the last. A row without a position comes
  // alone.
  return { rows: rows.toSorted((one, other) => Number((one.nth ?? 0n) - (other.nth ?? 0n))), accessPath }
}

/** New names may arrive as fast as they are checked; those of the last look wait for the next request. */
const mostLooks = 5

export async function listSummaries(
  db: Queryable,
  tenant: Tenant,
  { filter, sort, page, today }: { filter: InvoiceFilter; sort: InvoiceSort; page: PageRequest; today: string },
  few = 5_000,
): Promise<Page<InvoiceSummary>> {
  const query: ListQuery = {
    tenant,
    sort,
    offset: offsetOf(page),
    limit: readFor(page),
    after: page.after,
    filterParts: filterPartsOf(tenant, filter, today),
    search: searchWords(filter.search),
    few,
  }
  const cursorOf = ({ cursorKeys: keys }: PageRow) => ({ order: orderName(sort), keys })
  const met: UnmetParty[] = []
  for (let looks = 1; ; looks++) {
    const isLast = looks === mostLooks
    const estimates = needsEstimates(query) ? await estimate(db, query) : undefined
    if (met.length === 0) met.push(...(estimates?.unmet ?? []))
    const { rows, accessPath } = await readPage(db, query, estimates, met, isLast)
    const [first] = rows as [PageRow, ...PageRow[]]
    // New names must be checked, and weeks are kept for numbers only: read again for both.
    met.push(...(first.unmet ?? []))
    const isSettled = first.unmet === null && !(accessPath === 'by week' && first.parties > 0n)
    if (isSettled || looks === mostLooks)
      return mapped(pageOfMore(rows.filter(isFound), Number(first.total), page, cursorOf), summaryIn)
  }
}

/** An empty page still has one row, with the values of the whole page. */
const isFound = ({ nth }: PageRow): boolean => nth !== null
const summaryIn = ({ cursorKeys: _, ...row }: PageRow): InvoiceSummary => summaryFrom(row)
