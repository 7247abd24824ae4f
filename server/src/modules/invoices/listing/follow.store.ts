import { searchTextOf } from '../../../kernel/search-text.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { eventsSince } from '../../../platform/events/places.store.ts'
import type { EventNotice } from '../../../platform/work/jobs.ts'
import { invoiceEventTypes } from '../invoice-events.ts'
import { countedUnder } from './kept-counts.store.ts'
import { lineCodes, listingColumns, partyId } from './listing-columns.store.ts'

interface Changed {
  readonly organisationId: string
  readonly mode: Mode
  readonly invoiceId: string
}

const changedIn = (events: readonly EventNotice[]): Changed[] => [
  ...new Map(
    events.map(({ organisationId, mode, objectId }) => [
      `${organisationId} ${mode} ${objectId}`,
      { organisationId, mode: mode as Mode, invoiceId: objectId },
    ]),
  ).values(),
]

const rowsOf = (rows: readonly Changed[]): Sql => sql`
  select * from unnest(${rows.map((row) => row.organisationId)}::uuid[], ${rows.map((row) => row.mode)}::text[],
                       ${rows.map((row) => row.invoiceId)}::uuid[]) as changed (organisation_id, mode, id)`

const columns = sql`
  organisation_id, mode, id, created_at, facets, issue_date, due_date, payable_minor, tax_minor, buyer_id, seller_id, created_by, party_id,
  number_key, irn_key, codes`

/** Takes up the invoices that events tell of, whoever they belong to: what is listed of each is what it says now. */
export async function takeUpChanges(tx: Tx, events: readonly EventNotice[]): Promise<void> {
  const changed = changedIn(events)
  await insertNewParties(tx, changed)
  await takeUp(tx, changed)
  await tx.run(sql`delete from invoice_counts where n = 0`)
  await tx.run(sql`delete from invoice_codes where uses = 0`)
  // The first look at tables that fill is ours to ask for, and their owner's to take.
  if (changed.length >= 100) await tx.run(sql`select look_at_new_lists()`)
}

interface NewParty {
  readonly organisationId: string
  readonly mode: Mode
  readonly id: string
  readonly name: string
  readonly taxId: string | null
}

/** How a name is searched for is worked out here, so names are met here first. */
async function insertNewParties(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const parties = await tx.rows<NewParty>(sql`
    select distinct on (f.organisation_id, f.mode, f.party_id) f.organisation_id, f.mode, f.party_id as id, f.name, f.tax_id
      from (${rowsOf(changed)}) as changed
      join lateral (
        select i.organisation_id, i.mode, ${partyId} as party_id, i.buyer_copy ->> 'name' as name, i.buyer_copy ->> 'taxId' as tax_id from invoices i
         where i.organisation_id = changed.organisation_id and i.mode = changed.mode and i.id = changed.id and i.buyer_copy is not null offset 0) as f on true
     where not exists (
       select 1 from invoice_parties p where p.organisation_id = f.organisation_id and p.mode = f.mode and p.id = f.party_id)`)
  if (parties.length === 0) return
  const rows = parties.map((one) => ({ ...one, search: partySearch(one) }))
  await tx.run(sql`
    insert into invoice_parties (organisation_id, mode, id, search)
    select r."organisationId", r.mode, r.id, r.search
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("organisationId" uuid, mode text, id uuid, search text)`)
}

/** What a document's buyer is found by: the name, and the tax number with and without its punctuation. */
export const partySearch = ({ name, taxId }: Pick<NewParty, 'name' | 'taxId'>): string =>
  searchTextOf(name, taxId, taxId?.replace(/[^\p{L}\p{N}]/gu, ''))

/**
 * What was listed is taken off the counts, what is there now is added, and the listing says what is there now. Rows are
 * looked up one by one by their whole keys (`offset 0`), however little the planner knows of a tenant that is new.
 */
async function takeUp(tx: Tx, changed: readonly Changed[]): Promise<void> {
  await tx.run(sql`
    with changed as materialized (${rowsOf(changed)}),
    old as materialized (
      select l.* from changed cross join lateral (
        select l.* from invoice_listing l
         where l.organisation_id = changed.organisation_id and l.mode = changed.mode and l.id = changed.id offset 0) as l),
    new as materialized (
      select i.* from changed cross join lateral (
        select ${listingColumns}, ${lineCodes} as codes from invoices i
         where i.organisation_id = changed.organisation_id and i.mode = changed.mode and i.id = changed.id offset 0) as i),
    removed as (
      delete from invoice_listing l where (l.organisation_id, l.mode, l.id) in (
        select organisation_id, mode, id from old except select organisation_id, mode, id from new)),
    listed as (
      insert into invoice_listing as l (${columns}) select ${columns} from new
      on conflict (organisation_id, mode, id) do update
         set created_at = excluded.created_at, facets = excluded.facets, issue_date = excluded.issue_date, due_date = excluded.due_date,
             payable_minor = excluded.payable_minor, tax_minor = excluded.tax_minor, buyer_id = excluded.buyer_id,
             seller_id = excluded.seller_id, created_by = excluded.created_by, party_id = excluded.party_id,
             number_key = excluded.number_key, irn_key = excluded.irn_key, codes = excluded.codes
       where l.* is distinct from excluded.*),
    differences as (
      select l.*, 1 as sign from new l union all select l.*, -1 from old l),
    tallied as (
      insert into invoice_counts as c (organisation_id, mode, kind, key, week, n)
      select l.organisation_id, l.mode, c.kind, c.key, c.week, sum(l.sign) from differences l ${countedUnder}
       where c.key is not null group by 1, 2, 3, 4, 5 having sum(l.sign) <> 0
      on conflict (organisation_id, mode, kind, key, week) do update set n = c.n + excluded.n)
    insert into invoice_codes as c (organisation_id, mode, type, code, uses, last_used_at, description)
    select l.organisation_id, l.mode, split_part(code, E'\t', 1), split_part(code, E'\t', 2), sum(l.sign), max(l.created_at),
           (array_agg(nullif(split_part(code, E'\t', 3), '') order by l.created_at desc, l.id desc, l.sign desc, nth desc))[1]
      from differences l cross join lateral unnest(l.codes) with ordinality as codes (code, nth) group by 1, 2, 3, 4
    on conflict (organisation_id, mode, type, code) do update
       set uses = c.uses + excluded.uses, last_used_at = greatest(c.last_used_at, excluded.last_used_at),
           description = case when excluded.last_used_at >= c.last_used_at then excluded.description else c.description end`)
}

/** The ids of a tenant's invoices that changed since the lists were brought up to date. */
export const freshInvoices = ({ organisationId, mode }: Tenant): Sql => sql`
  select distinct object_id::uuid as id from (${eventsSince('invoice-lists', organisationId)}) as e
   where mode = ${mode} and type = any (${invoiceEventTypes}::text[])`
