import type { EventNotice } from '../../../kernel/event-notice.ts'
import { searchTextOf } from '../../../kernel/search-text.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import { isUniqueViolation, type Tx } from '../../../platform/database/database.ts'
import { orOnShards, plannedAnew, type Sql, sql } from '../../../platform/database/sql.ts'
import { among, onTheirShards } from '../../../platform/database/their-shards.store.ts'
import { eventsSince } from '../../../platform/events/log-reader.store.ts'
import { inSavepoint } from '../../../platform/operations/savepoints.store.ts'
import { invoiceEventTypes } from '../invoice-events.ts'
import { codesOn, type StoredLine } from '../stored-lines.ts'
import {
  type CodeChange,
  type CountChange,
  codeChanges,
  countChanges,
  type Difference,
  type ListingRow,
  type SumChange,
  sumChanges,
} from './kept-counts.ts'
import { listingColumns, partyId } from './listing-columns.store.ts'

export interface Changed {
  readonly organisationId: string
  readonly mode: Mode
  readonly id: string
  /** an event changed the contents: the lines may differ */
  isRewritten: boolean
  /** an event created it */
  isCreated: boolean
}

/** Events about one invoice are one change. */
function changedIn(events: readonly EventNotice[]): Changed[] {
  const changes = new Map<string, Changed>()
  for (const { organisationId, mode, objectId, type } of events) {
    const key = `${organisationId} ${mode} ${objectId}`
    const [isCreated, isRewritten] = [type === 'invoice.created', type === 'invoice.updated']
    const known = changes.get(key)
    if (known) {
      known.isCreated ||= isCreated
      known.isRewritten ||= isRewritten
    } else changes.set(key, { organisationId, mode: mode as Mode, id: objectId, isCreated, isRewritten })
  }
  return [...changes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change)
}

/** From this many new rows on, a savepoint pays off; from this many changes on, a check of the tables' growth. */
const many = 100

/**
 * Processes the invoices that events name, of all tenants: the listing row of each becomes what the invoice says now.
 * Changes of counts are computed here, so that the database only reads rows and writes those that changed.
 *
 * A created invoice is not listed yet, unless events are read again from an earlier cursor. Searching for it would
 * add a quarter to the cost of reading it. So many created invoices are written as new; on a conflict the write is
 * rolled back and each is searched.
 */
export async function takeUpChanges(tx: Tx, events: readonly EventNotice[]): Promise<void> {
  const changed = changedIn(events)
  const lookedFor = changed.map((change) => ({
    ...change,
    isCreated: false,
    isRewritten: change.isRewritten || change.isCreated,
  }))
  if (changed.filter(({ isCreated }) => isCreated).length < many) await takeUp(tx, lookedFor)
  else
    await inSavepoint(tx, () => takeUp(tx, changed)).catch(async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      await takeUp(tx, lookedFor)
    })
  if (changed.length >= many) await tx.run(firstAnalysis)
}

/**
 * The service may not analyse tables itself; this function runs with the owner's rights. Citus refuses that in a transaction in which the
 * service has written. There the autovacuum of each worker makes the first analysis.
 */
const firstAnalysis = orOnShards(sql`select look_at_new_lists()`, sql`select`)

/** Processes the changes, without searching the listing for created invoices. */
async function takeUp(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const { removedRows, changedRows, differences, parties } = compareRows(await tx.rows<ReadRow>(readingRows(changed)))
  const counts = countChanges(differences)
  const [sums, codes] = [sumChanges(differences), codeChanges(differences.filter(changesCodes(differences)))]
  if (removedRows.length > 0) await tx.run(removing(removedRows))
  const { zeros } = await tx.one<{ zeros: boolean }>(writing({ changedRows, parties, counts, sums, codes }))
  if (zeros) await deleteZeros(tx, counts, sums, codes)
}

interface NewParty {
  readonly organisationId: string
  readonly mode: Mode
  readonly id: string
  readonly name: string
  readonly taxId: string | null
}

interface ReadRow extends ListingRow {
  /** true: what the invoice says now; false: what is listed */
  readonly isNow: boolean
  /** its codes or lines, if they may differ from the listed ones; then the row itself has no codes */
  readonly newCodes: readonly string[] | null
  readonly newLines: readonly StoredLine[] | null
  /** the buyer's name, if this name and tax number are new to the dictionary */
  readonly newName: string | null
  readonly newTaxId: string | null
}

/**
 * The listed and the current values of changed invoices. Rows are looked up one by one (`offset 0`), listing rows in
 * the order of ids, which only the key has. A planner without statistics takes any index that ends with the id for as
 * good as the key, and reads all rows of the tenant for each invoice (1.4 ms among 6,000; 0.05 ms by the key). For
 * the same reason each batch is planned again: a plan from an almost empty list would keep reading all of it. Codes
 * are read only if they may have changed: the stored ones from the creation if nothing happened since, else the
 * stored lines. Unpacking lines in the database would cost more than everything else here.
 */
export function readingRows(changed: readonly Changed[]): Sql {
  const all = <Name extends keyof Changed>(name: Name) => changed.map((one) => one[name])
  const isNew = (amongThem: Sql) => sql`
    (i.buyer_copy is not null and not exists (
       select 1 from invoice_parties p where p.organisation_id = i.organisation_id and p.mode = i.mode and p.id = ${partyId} ${amongThem}))`
  const given = sql`
    unnest(${all('organisationId')}::uuid[], ${all('mode')}::text[], ${all('id')}::uuid[], ${all('isRewritten')}::boolean[],
           ${all('isCreated')}::boolean[]) as c (organisation_id, mode, id, is_rewritten, is_created)`
  const ofInvoice = (amongThem: Sql) => sql`
    ${listingColumns}, i.lines, case when i.version = 1 then i.codes_at_creation end as noted_codes,
    case when ${isNew(amongThem)} then i.buyer_copy ->> 'name' end as new_name, case when ${isNew(amongThem)} then i.buyer_copy ->> 'taxId' end as new_tax_id`
  const usual = plannedAnew(sql`
    with changed as materialized (select * from ${given}),
    both_sides as materialized (
      select c.organisation_id as of_organisation, c.mode as of_mode, c.id as of_id, c.is_rewritten, l.* from changed c left join lateral (
        select l.* from invoice_listing l
         where not c.is_created and l.organisation_id = c.organisation_id and l.mode = c.mode and l.id >= c.id order by l.id limit 1) as l on l.id = c.id)
    ${listedSide} from both_sides l where l.id is not null
    union all
    ${currentSide(sql`l.codes`)} from both_sides l cross join lateral (
        select ${ofInvoice(sql``)}, l.is_rewritten or l.id is null as has_new_lines
          from invoices i where i.organisation_id = l.of_organisation and i.mode = l.of_mode and i.id = l.of_id offset 0) as i`)
  // Citus looks up nothing row by row, but joins tables of the same organisation on their server.
  const amongThem = (alias: string) => among(all('organisationId'), alias)
  const onShards = sql`
    ${listedSide} from ${given} join invoice_listing l
        on not c.is_created and l.organisation_id = c.organisation_id and l.mode = c.mode and l.id = c.id
     where true ${amongThem('l')}
    union all
    ${currentSide(sql`i.listed_codes`)} from (
        select ${ofInvoice(amongThem('p'))}, c.is_rewritten or l.id is null as has_new_lines, l.codes as listed_codes
          from ${given} join invoices i on i.organisation_id = c.organisation_id and i.mode = c.mode and i.id = c.id
          left join invoice_listing l
            on l.organisation_id = i.organisation_id and l.mode = i.mode and l.id = i.id and not c.is_created ${amongThem('l')}
         where true ${amongThem('i')}) as i`
  return orOnShards(usual, onShards)
}

const utc = (instant: Sql): Sql => sql`(${instant} at time zone 'UTC')::text`

const listedSide = sql`
    select false as is_now, ${utc(sql`l.created_at`)} as created_at, l.organisation_id, l.mode, l.id, l.facets, l.issue_date, l.due_date, l.later_instalments::text,
           l.net_minor, l.tax_minor, l.payable_minor, l.paid_minor, l.due_minor, l.buyer_id, l.seller_id, l.created_by, l.party_id, l.number_key, l.reference_key, l.codes,
           null::json as new_codes, null::json as new_lines, null::text as new_name, null::text as new_tax_id`
const currentSide = (listedCodes: Sql): Sql => sql`
    select true, ${utc(sql`i.created_at`)}, i.organisation_id, i.mode, i.id, i.facets, i.issue_date, i.due_date, i.later_instalments::text, i.net_minor, i.tax_minor, i.payable_minor,
           i.paid_minor, i.due_minor, i.buyer_id, i.seller_id, i.created_by, i.party_id, i.number_key, i.reference_key,
           case when i.has_new_lines then '{}' else ${listedCodes} end,
           case when i.has_new_lines then i.noted_codes end, case when i.has_new_lines and i.noted_codes is null then i.lines end, i.new_name, i.new_tax_id`

interface ListingChanges {
  /** listed rows whose invoices are deleted */
  readonly removedRows: readonly ListingRow[]
  /** rows to list, new or changed */
  readonly changedRows: readonly (ListingRow & { readonly isNew: boolean })[]
  readonly differences: readonly Difference[]
  readonly parties: readonly NewParty[]
}

const keyOf = ({ organisationId, mode, id }: Pick<ListingRow, 'organisationId' | 'mode' | 'id'>): string =>
  `${organisationId} ${mode} ${id}`

const columns = [
  'createdAt',
  'facets',
  'issueDate',
  'dueDate',
  'laterInstalments',
  'netMinor',
  'taxMinor',
  'payableMinor',
  'paidMinor',
  'dueMinor',
  'buyerId',
  'sellerId',
  'createdBy',
  'partyId',
  'numberKey',
  'referenceKey',
] as const satisfies readonly (keyof ListingRow)[]

const isSame = (one: ListingRow, other: ListingRow): boolean =>
  columns.every((name) => one[name] === other[name]) && hasSameCodes(one, other)
const hasSameCodes = (one: ListingRow, other: ListingRow): boolean =>
  one.codes.length === other.codes.length && one.codes.every((code, at) => code === other.codes[at])

function withCodes(row: ReadRow): ReadRow {
  if (row.newCodes) return { ...row, codes: row.newCodes }
  return row.newLines ? { ...row, codes: codesOn(row.newLines) } : row
}

function compareRows(readRows: readonly ReadRow[]): ListingChanges {
  const rows = readRows.map(withCodes)
  const before = new Map(rows.filter(({ isNow }) => !isNow).map((row) => [keyOf(row), row]))
  const changedRows: (ListingRow & { isNew: boolean })[] = []
  const differences: Difference[] = []
  const parties = new Map<string, NewParty>()
  for (const row of rows) {
    if (!row.isNow) continue
    const { organisationId, mode, partyId: party, newName, newTaxId } = row
    if (newName !== null && party !== null)
      parties.set(keyOf({ organisationId, mode, id: party }), {
        organisationId,
        mode,
        id: party,
        name: newName,
        taxId: newTaxId,
      })
    const old = before.get(keyOf(row))
    before.delete(keyOf(row))
    if (old && isSame(old, row)) continue
    changedRows.push({ ...row, isNew: old === undefined })
    if (old) differences.push({ row: old, sign: -1 })
    differences.push({ row, sign: 1 })
  }
  const removedRows = [...before.values()]
  differences.push(...removedRows.map((row) => ({ row, sign: -1 }) as const))
  return { removedRows, changedRows, differences, parties: [...parties.values()] }
}

/** Most changes leave the codes unchanged, and then codes are skipped. */
function changesCodes(differences: readonly Difference[]): (one: Difference) => boolean {
  const sides = new Map<string, ListingRow[]>()
  for (const { row } of differences) sides.set(keyOf(row), [...(sides.get(keyOf(row)) ?? []), row])
  return ({ row }) => {
    const [one, other] = sides.get(keyOf(row)) as [ListingRow, ListingRow | undefined]
    return !other || one.createdAt !== other.createdAt || !hasSameCodes(one, other)
  }
}

/** The search text of a buyer: the name, and the tax number with and without punctuation. */
export const partySearch = ({ name, taxId }: Pick<NewParty, 'name' | 'taxId'>): string =>
  searchTextOf(name, taxId, taxId?.replace(/[^\p{L}\p{N}]/gu, ''))

interface ListingWrite extends Pick<ListingChanges, 'changedRows' | 'parties'> {
  readonly counts: readonly CountChange[]
  readonly sums: readonly SumChange[]
  readonly codes: readonly CodeChange[]
}

/** One column of rows as a statement parameter. */
const each = <Row, Name extends keyof Row>(rows: readonly Row[], name: Name) => rows.map((row) => row[name])

const listedNames = sql`
  organisation_id, mode, id, created_at, facets, issue_date, due_date, later_instalments, net_minor, tax_minor, payable_minor, paid_minor, due_minor, buyer_id, seller_id,
  created_by, party_id, number_key, reference_key, codes`
const listedValues = sql`
  organisation_id, mode, id, created_at at time zone 'UTC', facets, issue_date, due_date, later_instalments, net_minor, tax_minor, payable_minor, paid_minor, due_minor, buyer_id,
  seller_id, created_by, party_id, number_key, reference_key, string_to_array(codes, E'\x1e')`

/** Listing rows as statement parameters. */
const givenToList = (rows: readonly ListingRow[]): Sql => sql`
  unnest(${each(rows, 'organisationId')}::uuid[], ${each(rows, 'mode')}::text[],
          ${each(rows, 'id')}::uuid[], ${each(rows, 'createdAt')}::timestamp[], ${each(rows, 'facets')}::int[], ${each(rows, 'issueDate')}::date[],
          ${each(rows, 'dueDate')}::date[], ${each(rows, 'laterInstalments')}::jsonb[], ${each(rows, 'netMinor')}::bigint[], ${each(rows, 'taxMinor')}::bigint[],
          ${each(rows, 'payableMinor')}::bigint[], ${each(rows, 'paidMinor')}::bigint[], ${each(rows, 'dueMinor')}::bigint[],
          ${each(rows, 'buyerId')}::uuid[], ${each(rows, 'sellerId')}::uuid[], ${each(rows, 'createdBy')}::uuid[], ${each(rows, 'partyId')}::uuid[], ${each(rows, 'numberKey')}::text[],
          ${each(rows, 'referenceKey')}::text[], ${rows.map((row) => row.codes.join('\x1e'))}::text[])
        as c (organisation_id, mode, id, created_at, facets, issue_date, due_date, later_instalments, net_minor, tax_minor, payable_minor, paid_minor, due_minor,
              buyer_id, seller_id, created_by, party_id, number_key, reference_key, codes)`

/**
 * Deletes rows of deleted invoices. Planned each time, as in `readingRows`: by a plan from an empty list, deleting
 * one of 20,000 took 25 ms; planned again it takes 2 ms.
 */
function removing(removedRows: readonly ListingRow[]): Sql {
  const statement = onTheirShards(
    each(removedRows, 'organisationId'),
    (named) => sql`
    delete from invoice_listing l
     using unnest(${each(removedRows, 'organisationId')}::uuid[], ${each(removedRows, 'mode')}::text[], ${each(removedRows, 'id')}::uuid[]) as r (organisation_id, mode, id)
     where l.organisation_id = r.organisation_id and l.mode = r.mode and l.id = r.id ${named('l')}`,
  )
  return plannedAnew(statement)
}

/**
 * Writes everything else of a batch in one statement; returns whether a count became zero. Existing rows are found by
 * the conflict on their key, whatever the planner assumes.
 */
function writing({ changedRows, parties, counts, sums, codes }: ListingWrite): Sql {
  return sql`
    with inserted as (
      insert into invoice_listing (${listedNames}) select ${listedValues} from ${givenToList(changedRows.filter(({ isNew }) => isNew))}),
    updated as (
      insert into invoice_listing (${listedNames}) select ${listedValues} from ${givenToList(changedRows.filter(({ isNew }) => !isNew))}
      on conflict (organisation_id, mode, id) do update
         set created_at = excluded.created_at, facets = excluded.facets, issue_date = excluded.issue_date, due_date = excluded.due_date,
             later_instalments = excluded.later_instalments,
             net_minor = excluded.net_minor, tax_minor = excluded.tax_minor, payable_minor = excluded.payable_minor, paid_minor = excluded.paid_minor,
             due_minor = excluded.due_minor, buyer_id = excluded.buyer_id, seller_id = excluded.seller_id, created_by = excluded.created_by,
             party_id = excluded.party_id, number_key = excluded.number_key, reference_key = excluded.reference_key, codes = excluded.codes),
    met as (
      insert into invoice_parties (organisation_id, mode, id, search)
      select * from unnest(${each(parties, 'organisationId')}::uuid[], ${each(parties, 'mode')}::text[], ${each(parties, 'id')}::uuid[],
                           ${parties.map(partySearch)}::text[])),
    counted as (
      insert into invoice_counts as c (organisation_id, mode, kind, key, week, n)
      select * from unnest(${each(counts, 'organisationId')}::uuid[], ${each(counts, 'mode')}::text[], ${each(counts, 'kind')}::text[],
                           ${each(counts, 'key')}::text[], ${each(counts, 'week')}::int[], ${each(counts, 'n')}::bigint[])
      on conflict (organisation_id, mode, kind, key, week) do update set n = c.n + excluded.n returning c.n),
    summed as (
      insert into invoice_sums as s (organisation_id, mode, span, since, facets, n, net_minor, tax_minor, payable_minor, paid_minor)
      select * from unnest(${each(sums, 'organisationId')}::uuid[], ${each(sums, 'mode')}::text[], ${each(sums, 'span')}::text[],
                           ${each(sums, 'since')}::date[], ${each(sums, 'facets')}::int[], ${each(sums, 'n')}::bigint[],
                           ${each(sums, 'netMinor')}::numeric[], ${each(sums, 'taxMinor')}::numeric[], ${each(sums, 'payableMinor')}::numeric[],
                           ${each(sums, 'paidMinor')}::numeric[])
      on conflict (organisation_id, mode, span, since, facets) do update
         set n = s.n + excluded.n, net_minor = s.net_minor + excluded.net_minor, tax_minor = s.tax_minor + excluded.tax_minor,
             payable_minor = s.payable_minor + excluded.payable_minor, paid_minor = s.paid_minor + excluded.paid_minor
      returning s.n),
    coded as (
      insert into invoice_codes as c (organisation_id, mode, type, code, uses, last_used_at, description, reads_runs)
      select organisation_id, mode, type, code, uses, last_used_at at time zone 'UTC', description, true
        from unnest(${each(codes, 'organisationId')}::uuid[], ${each(codes, 'mode')}::text[], ${each(codes, 'type')}::text[], ${each(codes, 'code')}::text[],
                    ${each(codes, 'uses')}::bigint[], ${each(codes, 'lastUsedAt')}::timestamp[], ${each(codes, 'description')}::text[])
          as u (organisation_id, mode, type, code, uses, last_used_at, description)
      on conflict (organisation_id, mode, type, code) do update
         set uses = c.uses + excluded.uses, last_used_at = greatest(c.last_used_at, excluded.last_used_at),
             description = case when excluded.last_used_at >= c.last_used_at then excluded.description else c.description end
      returning c.uses as n)
    select exists (select 1 from counted where n = 0) or exists (select 1 from summed where n = 0) or exists (select 1 from coded where n = 0) as zeros`
}

/** Deletes counts that became zero. */
async function deleteZeros(
  tx: Tx,
  counts: readonly CountChange[],
  sums: readonly SumChange[],
  codes: readonly CodeChange[],
): Promise<void> {
  await tx.run(
    onTheirShards(
      each(counts, 'organisationId'),
      (named) => sql`
    delete from invoice_counts c
     using unnest(${each(counts, 'organisationId')}::uuid[], ${each(counts, 'mode')}::text[], ${each(counts, 'kind')}::text[],
                  ${each(counts, 'key')}::text[], ${each(counts, 'week')}::int[]) as k (organisation_id, mode, kind, key, week)
     where c.organisation_id = k.organisation_id and c.mode = k.mode and c.kind = k.kind and c.key = k.key and c.week = k.week and c.n = 0 ${named('c')}`,
    ),
  )
  await tx.run(
    onTheirShards(
      each(sums, 'organisationId'),
      (named) => sql`
    delete from invoice_sums s
     using unnest(${each(sums, 'organisationId')}::uuid[], ${each(sums, 'mode')}::text[], ${each(sums, 'span')}::text[],
                  ${each(sums, 'since')}::date[], ${each(sums, 'facets')}::int[]) as k (organisation_id, mode, span, since, facets)
     where s.organisation_id = k.organisation_id and s.mode = k.mode and s.span = k.span and s.since = k.since and s.facets = k.facets and s.n = 0 ${named('s')}`,
    ),
  )
  await tx.run(
    onTheirShards(
      each(codes, 'organisationId'),
      (named) => sql`
    delete from invoice_codes c
     using unnest(${each(codes, 'organisationId')}::uuid[], ${each(codes, 'mode')}::text[], ${each(codes, 'type')}::text[],
                  ${each(codes, 'code')}::text[]) as k (organisation_id, mode, type, code)
     where c.organisation_id = k.organisation_id and c.mode = k.mode and c.type = k.type and c.code = k.code and c.uses = 0 ${named('c')}`,
    ),
  )
}

/** The ids of a tenant's invoices that changed since the cursor of the lists. */
export const freshInvoices = ({ organisationId, mode }: Tenant): Sql => sql`
  select distinct object_id::uuid as id from (${eventsSince('invoice-lists', organisationId)}) as e
   where mode = ${mode} and type = any (${invoiceEventTypes}::text[])`
