import pg from 'pg'
import { searchText } from '../server/src/kernel/search-text.ts'
import { creatorTypes, facets, lowMaskOf, statisticsMask } from '../server/src/modules/invoices/listing/facets.ts'
import { countedPrefix, countedWithParty, never } from '../server/src/modules/invoices/listing/kept-counts.ts'
import { lineCodes, listingColumns, weekOf } from '../server/src/modules/invoices/listing/listing-columns.store.ts'
import { asQueryable, exactTypes, type Tx } from '../server/src/platform/database/database.ts'
import { type Sql, sql } from '../server/src/platform/database/sql.ts'
import { withoutIndexes } from './invoice-data.ts'
import { buyerName, chance } from './names.ts'

/** How much is filled in, and whose requests will be measured. */
export interface Installation {
  readonly invoices: number
  readonly organisations: number
  /** organisations that exist already, at these ranks: 1 is the largest */
  readonly callers: readonly { readonly organisationId: string; readonly rank: number }[]
  readonly seed: number
}

/** Each connection fills every second organisation. */
const connections = 2
const batch = 20_000
const years = 3
/** Older events are gone, as with `EVENT_MONTHS=13`. */
const eventMonths = 13
const namePool = 2_000

async function onConnection<Result>(
  url: string,
  work: (db: Tx, client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, types: exactTypes, pipeline: true } as pg.ClientConfig)
  await client.connect()
  try {
    // The rows are consistent with each other, so triggers and foreign keys are skipped.
    await client.query(
      `set session_replication_role = replica; set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set jit = off; set enable_nestloop = off`,
    )
    return await work(asQueryable(client) as Tx, client)
  } finally {
    await client.end()
  }
}

/** The share of an organisation falls with its rank: 1, 1/2, 1/3, … */
const shareOf = (rank: Sql, ranks: number): Sql => sql`ln((${rank} + 1.0) / ${rank}) / ln(${ranks}::int + 1.0)`

/** Copies the first caller's organisation until there are enough, and gives each its buyers. */
async function fillOrganisations(db: Tx, { invoices, organisations, callers, seed }: Installation): Promise<void> {
  const [model] = callers
  const of = (table: Sql) => sql`from ${table} as m cross join new where m.organisation_id = ${model?.organisationId}`
  await db.run(
    sql`create unlogged table bench_organisations (rank int primary key, organisation_id uuid, seller_id uuid, buyers int, filled bigint, position bigint)`,
  )
  await db.run(sql`
    insert into bench_organisations (rank, organisation_id, seller_id, buyers, filled, position)
    select rank, coalesce(c.organisation_id, uuidv7()), coalesce((select s.id from sellers s where s.organisation_id = c.organisation_id and s.is_primary), uuidv7()),
           greatest(5, ${invoices}::int * ${shareOf(sql`((rank + ${connections}::int - 1) / ${connections}::int)`, Math.ceil(organisations / connections))} / ${connections}::int / 50),
           coalesce((select max(n.next_number) - 1 from number_series n where n.organisation_id = c.organisation_id and n.mode = 'sandbox'), 0),
           coalesce((select h.position from event_heads h where h.organisation_id = c.organisation_id), 0)
      from generate_series(1, ${organisations}::int) as rank
      left join unnest(${callers.map((one) => one.organisationId)}::uuid[], ${callers.map((one) => one.rank)}::int[]) as c (organisation_id, at) on c.at = rank`)
  const isNew = sql`new as (select rank, organisation_id, seller_id from bench_organisations b where not exists (select from organisations o where o.id = b.organisation_id))`
  await db.run(sql`
    with ${isNew},
    members as (
      insert into memberships (organisation_id, user_id, role_id, joined_at) select new.organisation_id, m.user_id, m.role_id, m.joined_at ${of(sql`memberships`)}),
    accounts as (
      insert into billing_accounts (organisation_id, id, opened_at) select new.organisation_id, uuidv7(), m.opened_at ${of(sql`billing_accounts`)}),
    balances as (
      insert into credit_balances (organisation_id, mode, available, issued, version, opened_at)
      select new.organisation_id, m.mode, m.issued, m.issued, 1, m.opened_at ${of(sql`credit_balances`)}),
    sellers as (
      insert into sellers (organisation_id, id, is_primary, name, party_type, search, created_at, updated_at)
      select new.organisation_id, new.seller_id, true, 'Bench ' || rank, m.party_type, 'bench ' || rank, m.created_at, m.updated_at ${of(sql`sellers`)} and m.is_primary)
    insert into organisations (id, name, country, created_at, updated_at, founded_by)
    select new.organisation_id, 'Bench ' || rank, o.country, o.created_at, o.updated_at, o.founded_by
      from new cross join organisations o where o.id = ${model?.organisationId}`)
  const next = chance(seed)
  const names = Array.from({ length: namePool }, () => buyerName(next))
  await db.run(
    sql`create unlogged table bench_buyers (organisation_id uuid, nth int, id uuid, copy jsonb, search text)`,
  )
  await db.run(sql`
    insert into bench_buyers
    select o.organisation_id, nth, uuidv7(), jsonb_build_object('name', n.name, 'taxId', t.number || '-0001'), n.search || E'\n' || t.number || E'-0001\n' || t.number || '0001'
      from bench_organisations o cross join generate_series(1, o.buyers) as nth
      join unnest(${names}::text[], ${names.map(searchText)}::text[]) with ordinality as n (name, search, at) on n.at = 1 + (nth * 31 + o.rank) % ${namePool}::int
     cross join lateral (select (20000000 + nth)::text as number) as t`)
  await db.run(sql`alter table bench_buyers add primary key (organisation_id, nth)`)
  await db.run(sql`
    insert into buyers (organisation_id, mode, id, name, party_type, tax_id, tax_id_normal, tax_id_type, search, created_at, updated_at)
    select organisation_id, 'sandbox', id, copy ->> 'name', 'company', copy ->> 'taxId', replace(copy ->> 'taxId', '-', ''), 'national', search, now(), now()
      from bench_buyers`)
  await db.run(sql`analyze bench_organisations, bench_buyers`)
}

/** The numbers of one connection's batch: from the `from`th to the `until`th of its `size` invoices, the oldest first. */
interface Batch {
  readonly part: number
  readonly ranks: number
  readonly size: number
  readonly from: number
  readonly until: number
}

/**
 * Writes invoices with all rows that the service would have written by now, except for the histories of submissions and VAT returns.
 * Organisations take turns by chance, so that the invoices of one are spread over the whole table. Every 25th document of an organisation is
 * a credit note for a quarter of the one before it.
 */
const fillingBatch = ({ part, ranks, size, from, until }: Batch, payload: string): Sql => sql`
  with drawn as materialized (
    select i, now() - (${size}::int - i) * (interval '1 year' * ${years}::int / ${size}::int) as created_at,
           uuidv7(-(${size}::int - i) * (interval '1 year' * ${years}::int / ${size}::int)) as id,
           (floor(exp(random() * ln(${ranks}::int + 1.0)))::int - 1) * ${connections}::int + ${part}::int + 1 as rank,
           random() as r1, random() as r2, random() as r3, random() as r4, floor(exp(13 + 1.4 * random_normal()))::bigint + 4 as net
      from generate_series(${from}::int, ${until}::int) as i),
  based as (
    select d.*, o.organisation_id, o.seller_id, o.filled + row_number() over (partition by d.rank order by i) as seq, o.position as head,
           1 + floor(o.buyers * power(random(), 2))::int as buyer, (array['NGN', 'USD', 'EUR', 'GBP'])[1 + floor(4 * power(r3, 6))::int] as money,
           case when i > ${size}::int * 0.98 then 'draft' when r1 < 0.7 then 'accepted' when r1 < 0.85 then 'finalised'
                else (array['signed', 'transmitted', 'rejected', 'failed'])[1 + floor(r2 * 4)::int] end as state
      from drawn d join bench_organisations o on o.rank = d.rank),
  paired as (
    select *, seq % 25 = 0 and lag(state) over one_by_one = 'accepted' as is_note,
           seq % 25 = 24 and state = 'accepted' and lead(id) over one_by_one is not null as is_corrected,
           lag(id) over one_by_one as note_of, lag(net) over one_by_one / 4 as note_net, lag(buyer) over one_by_one as note_buyer, lag(money) over one_by_one as note_money
      from based window one_by_one as (partition by rank order by i)),
  priced as (
    select *, case when is_note then 'accepted' else state end as status, case when is_note then 'credit_note' when r4 < 0.03 then 'prepayment' else 'standard' end as type,
           case when is_note then note_net else net end as net_minor, round(case when is_note then note_net else net end * 0.075)::bigint as tax_minor,
           case when is_corrected then net / 4 + round(net / 4 * 0.075)::bigint else 0 end as credited_minor, case when is_note then note_money else money end as currency,
           created_at::date - floor(r3 * 5)::int as issue_date, lpad(((rank * 7 + floor(r4 * 30)::int) % 1000)::text, 4, '0') as code
      from paired),
  numbered as (
    select *, (case type when 'credit_note' then 'CN' when 'prepayment' then 'PP' else 'INV' end) || lpad(seq::text, greatest(6, length(seq::text)), '0') as number,
           net_minor + tax_minor as payable_minor,
           case when status in ('draft', 'rejected') or type = 'credit_note' then 0 when r2 < 0.75 then net_minor + tax_minor - credited_minor
                when r2 < 0.8 then (net_minor + tax_minor - credited_minor) / 2 else 0 end as paid_minor
      from priced),
  invoiced as (
    insert into invoices (organisation_id, mode, id, number, type, kind, status, seller_id, buyer_id, issue_date, due_date, currency, lines, tax_groups, net_minor,
                          allowance_minor, charge_minor, tax_minor, payable_minor, paid_minor, credited_minor, original_id, reason, buyer_copy, authority_reference, stamp,
                          delivery, finalised_at, created_by_type, created_by, created_at, updated_at)
    select n.organisation_id, 'sandbox', n.id, number, type, 'B2B', status, seller_id, b.id, issue_date,
           case when type <> 'credit_note' and r2 < 0.9 then issue_date + (array[14, 30, 60])[1 + floor(r2 * 3)::int] end, currency,
           json_build_array(json_build_object('description', 'Goods as ordered', 'hsnCode', code || '.21', 'productCategory', 'Goods of chapter ' || code, 'quantity', '1',
             'unitCode', 'EA', 'unitPrice', trim_scale(net_minor / 100.0)::text, 'discountMinor', '0', 'taxCategory', 'STANDARD_VAT', 'taxRate', '7.5', 'netMinor', net_minor::text)),
           json_build_array(json_build_object('category', 'STANDARD_VAT', 'rate', '7.5', 'netMinor', net_minor::text, 'allowanceMinor', '0', 'chargeMinor', '0',
             'taxableMinor', net_minor::text, 'taxMinor', tax_minor::text)),
           net_minor, 0, 0, tax_minor, payable_minor, paid_minor, credited_minor, case when is_note then note_of end, case when is_note then 'Goods returned' end,
           case when status <> 'draft' then b.copy end, case when status in ('accepted', 'signed', 'transmitted') then number || '-94ND90NR-' || to_char(issue_date, 'YYYYMMDD') end,
           case when status in ('accepted', 'signed', 'transmitted') then 'bench' end,
           case when status = 'draft' then 'none' else (array['sent_email', 'none', 'authority', 'deliver_to_buyer', 'shared_link'])[1 + floor(5 * power(r1, 3))::int] end,
           case when status <> 'draft' then created_at end, case when r1 < 0.6 then 'api_key' else 'user' end, seller_id, created_at, created_at
      from numbered n join bench_buyers b on b.organisation_id = n.organisation_id and b.nth = case when is_note then note_buyer else buyer end
    returning *),
  listed as (
    insert into invoice_listing (organisation_id, mode, id, created_at, facets, issue_date, due_date, later_instalments, net_minor, tax_minor, payable_minor, paid_minor, due_minor, buyer_id,
                                 seller_id, created_by, party_id, number_key, reference_key, codes)
    select ${listingColumns}, ${lineCodes} from invoiced i),
  named as (insert into invoice_numbers (organisation_id, mode, reading, invoice_id) select organisation_id, mode, number, id from invoiced),
  issued as (
    insert into issued_parties (organisation_id, mode, invoice_id, buyer_id, seller_id)
    select organisation_id, mode, id, buyer_id, seller_id from invoiced where status <> 'draft'),
  paid as (
    insert into invoice_payments (organisation_id, mode, id, invoice_id, amount_minor, paid_on, method, recorded_by_type, recorded_by, recorded_at)
    select organisation_id, mode, gen_random_uuid(), id, paid_minor, (created_at + interval '12 days')::date, 'bank_transfer', created_by_type, created_by,
           created_at + interval '12 days'
      from invoiced where paid_minor > 0 returning organisation_id, mode, id, invoice_id, amount_minor, paid_on, recorded_at),
  movable as (
    select *, case when type = 'credit_note' then original_id else id end as on_invoice from invoiced where status not in ('draft', 'rejected')),
  moves as (
    select m.*, 'document' as move, created_at as at, case when type = 'credit_note' then -payable_minor else payable_minor end as minor, null::uuid as payment_id,
           issue_date as dated
      from movable m
    union all
    select m.*, 'payment', p.recorded_at, -p.amount_minor, p.id, p.paid_on from movable m join paid p on p.organisation_id = m.organisation_id and p.invoice_id = m.id),
  moved as (
    insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number, document_type, document_date,
                                     invoice_id, payment_id, open_minor, due_date, superseded_at)
    select organisation_id, mode, buyer_id, currency, at, move, minor, id, number, type, dated, on_invoice, payment_id,
           sum(minor) over (so_far rows between unbounded preceding and current row), max(due_date) over (partition by organisation_id, on_invoice), lead(at) over so_far
      from moves window so_far as (partition by organisation_id, on_invoice order by at, move)),
  recent as (
    select i.*, o.position + row_number() over (partition by i.organisation_id order by i.created_at, i.id) as place
      from invoiced i join bench_organisations o on o.organisation_id = i.organisation_id where i.created_at >= now() - interval '1 month' * ${eventMonths}::int),
  told as (
    insert into events (organisation_id, id, mode, type, object_id, object_version, data, actor_kind, actor_id, actor_name, address, user_agent, request_id, created_at, position)
    select organisation_id, id, mode, 'invoice.created', id::text, 1,
           ${payload}::jsonb || jsonb_build_object('invoiceId', id, 'invoiceNumber', number, 'buyerId', buyer_id, 'payableMinor', payable_minor, 'taxMinor', tax_minor),
           created_by_type, created_by, 'Bench', '192.0.2.1', 'bench', 'bench', created_at, place
      from recent)
  update bench_organisations o set filled = o.filled + c.filled, position = greatest(o.position, c.place)
    from (select n.rank, count(*) as filled, coalesce(max(r.place), 0) as place
            from numbered n left join recent r on r.organisation_id = n.organisation_id and r.id = n.id group by n.rank) as c
   where c.rank = o.rank`

const months = Array.from({ length: eventMonths + 1 }, (_, back) => back)

const bigTables = [
  'invoices',
  'invoice_listing',
  'invoice_payments',
  'issued_parties',
  'buyer_account_moves',
  'invoice_parties',
  'events',
] as const
/** Their keys are created at the end too, because nothing refers to them. */
const countTables = ['invoice_counts', 'invoice_sums'] as const

const ofListing = (kind: string, key: Sql, week: Sql, where = sql`true`): Sql => sql`
  insert into invoice_counts (organisation_id, mode, kind, key, week, n)
  select l.organisation_id, l.mode, ${kind}, ${key}, ${week}, count(*) from invoice_listing l where ${where}
   group by 1, 2, 4, 5 order by 1, 4, 5`

const facet = (name: 'open' | 'creator'): Sql =>
  sql`((l.facets >> ${facets[name].shift}::int) & ${lowMaskOf(name)}::int)`

/** The same counts as `countsOf` in kept-counts.ts. `checkKept` compares both. */
function countingAll(): readonly Sql[] {
  const week = weekOf(sql`l.created_at`)
  const none = sql`0`
  const start = (column: Sql, size: number) => sql`left(${column}, ${size}::int)`
  const reference = (size: number) =>
    sql`${start(sql`l.reference_key`, size)} || E'\t' || ${start(sql`l.number_key`, size)}`
  const differs = (size: number) =>
    sql`l.reference_key is not null and ${start(sql`l.reference_key`, size)} <> ${start(sql`l.number_key`, size)}`
  const isOpen = sql`${facet('open')} = 1 and l.due_date is not null`
  return [
    ofListing('all', sql`''`, week),
    ofListing('facets', sql`l.facets::text`, none),
    ofListing('buyer', sql`l.buyer_id::text`, none, sql`l.buyer_id is not null`),
    ofListing('seller', sql`l.seller_id::text`, none, sql`l.seller_id is not null`),
    ofListing(
      'creator',
      sql`(${creatorTypes}::text[])[1 + ${facet('creator')}] || ':' || l.created_by::text`,
      none,
      sql`l.created_by is not null`,
    ),
    ofListing('party', sql`l.party_id::text`, none, sql`l.party_id is not null`),
    ofListing(
      'party_number',
      sql`l.party_id::text || ':' || ${start(sql`l.number_key`, countedWithParty)}`,
      none,
      sql`l.party_id is not null`,
    ),
    ofListing(
      'party_reference',
      sql`l.party_id::text || ':' || ${reference(countedWithParty)}`,
      none,
      sql`l.party_id is not null and ${differs(countedWithParty)}`,
    ),
    ofListing('issue', sql`l.issue_date::text`, week),
    ofListing('due', sql`l.due_date::text`, week, sql`l.due_date is not null`),
    ofListing('open', sql`l.due_date::text`, none, isOpen),
    ofListing('amount', sql`lpad(length(l.payable_minor::text)::text, 2, '0') || left(l.payable_minor::text, 3)`, none),
    ofListing('number', start(sql`l.number_key`, countedPrefix), week),
    ofListing('reference', reference(countedPrefix), week, differs(countedPrefix)),
  ]
}

const zero = sql`0::bigint`
const summing = (span: string, since: Sql, amounts: readonly [Sql, Sql, Sql, Sql], where = sql`true`): Sql => sql`
  insert into invoice_sums (organisation_id, mode, span, since, facets, n, net_minor, tax_minor, payable_minor, paid_minor)
  select l.organisation_id, l.mode, ${span}, ${since}, l.facets & ${statisticsMask}::int, count(*), sum(${amounts[0]}), sum(${amounts[1]}), sum(${amounts[2]}), sum(${amounts[3]})
    from invoice_listing l where ${where} group by 1, 2, 4, 5 order by 1, 4, 5`

function summingAll(): readonly Sql[] {
  const all = [sql`l.net_minor`, sql`l.tax_minor`, sql`l.payable_minor`, sql`l.paid_minor`] as const
  return [
    summing('day', sql`l.issue_date`, all),
    summing('month', sql`date_trunc('month', l.issue_date::timestamp)::date`, all),
    summing(
      'due',
      sql`coalesce(l.due_date, ${never}::date)`,
      [zero, zero, sql`l.due_minor`, zero],
      sql`l.due_minor > 0`,
    ),
  ]
}

const filledOnly = sql`organisation_id in (select organisation_id from bench_organisations)`

/** What the service keeps for each organisation besides its invoices. */
const completingAll = (): readonly Sql[] => [
  sql`
    insert into invoice_parties (organisation_id, mode, id, search)
    select b.organisation_id, 'sandbox', p.id, b.search from bench_buyers b
     cross join lateral (select md5((b.copy ->> 'name') || E'\n' || (b.copy ->> 'taxId'))::uuid as id) as p
     where exists (select from invoice_counts c where c.organisation_id = b.organisation_id and c.mode = 'sandbox' and c.kind = 'party' and c.key = p.id::text)
     on conflict do nothing`,
  sql`
    insert into invoice_codes as c (organisation_id, mode, type, code, uses, last_used_at, description, reads_runs)
    select organisation_id, mode, 'goods', split_part(code, E'\t', 2), sum(coalesce(nullif(split_part(code, E'\t', 4), ''), '1')::int), max(created_at), max(split_part(code, E'\t', 3)), true
      from (select organisation_id, mode, created_at, unnest(codes) as code from invoice_listing where ${filledOnly}) as l group by organisation_id, mode, split_part(code, E'\t', 2)
    on conflict (organisation_id, mode, type, code) do update set uses = excluded.uses, last_used_at = excluded.last_used_at, description = excluded.description`,
  sql`
    insert into number_series as s (organisation_id, mode, series, next_number)
    select organisation_id, 'sandbox', series, filled + 1 from bench_organisations cross join unnest(array['INV', 'CN', 'PP']) as series
    on conflict (organisation_id, mode, series) do update set next_number = excluded.next_number`,
  sql`
    insert into event_heads as h (organisation_id, position) select organisation_id, position from bench_organisations where position > 0
    on conflict (organisation_id) do update set position = excluded.position`,
  sql`
    insert into consumer_cursors as c (consumer, organisation_id, position)
    select p.consumer, o.organisation_id, o.position from consumers p cross join bench_organisations o where o.position > 0
    on conflict (organisation_id, consumer) do update set position = excluded.position`,
]

/** Runs the statements on all connections, each its share. */
async function inParallel(url: string, statements: readonly Sql[], done: (left: number) => void): Promise<void> {
  let left = statements.length
  const share = (part: number) =>
    onConnection(url, async (db) => {
      for (const statement of statements.filter((_, at) => at % connections === part)) {
        await db.run(statement)
        done(--left)
      }
    })
  await Promise.all(Array.from({ length: connections }, (_, part) => share(part)))
}

/** Fills a database whose consumers are known and stand at the heads of all logs. `url` leads to it with the owner's rights. */
export async function fillInstallation(
  url: string,
  installation: Installation,
  say: (text: string) => void,
): Promise<void> {
  const { invoices, organisations, seed } = installation
  const begun = performance.now()
  const progress = (text: string) => say(`  ${Math.round((performance.now() - begun) / 1000)} s: ${text}`)
  const size = Math.ceil(invoices / connections)
  await onConnection(url, async (db, client) => {
    await db.run(sql`delete from invoice_counts`)
    await db.run(sql`delete from invoice_sums`)
    for (const back of months)
      await db.run(sql`select make_event_month((now() - interval '1 month' * ${back}::int)::date)`)
    await fillOrganisations(db, installation)
    progress(`${organisations.toLocaleString('en')} organisations`)
    const { payload } = await db.one<{ payload: string }>(
      sql`select data::text as payload from events where type = 'invoice.created' order by id desc limit 1`,
    )
    await withoutIndexes(client, bigTables, countTables, async () => {
      let filled = 0
      let told = 0
      const part = (nth: number) =>
        onConnection(url, async (own) => {
          await own.run(sql`select setseed(${((seed + nth) % 1_000) / 1_000})`)
          const ranks = Math.ceil((organisations - nth) / connections)
          for (let from = 1; from <= size; from += batch) {
            const until = Math.min(size, from + batch - 1)
            await own.run(fillingBatch({ part: nth, ranks, size, from, until }, payload))
            filled += until - from + 1
            if (filled < told + invoices / 40) continue
            told = filled
            progress(`${filled.toLocaleString('en')} invoices`)
          }
        })
      await Promise.all(Array.from({ length: connections }, (_, nth) => part(nth)))
      await db.run(sql`analyze invoice_listing`)
      // All listings are counted again, also those of the demo, whose counts were deleted above.
      await inParallel(url, [...countingAll(), ...summingAll()], (left) => progress(`counting, ${left} left`))
    })
    await db.run(sql`analyze invoice_counts`)
    progress('indexes')
    // The counts of each buyer are found by their key. Hashing all counts for it took more than ten minutes for ten million invoices.
    await client.query('set enable_nestloop = on')
    for (const statement of completingAll()) await db.run(statement)
    progress('buyers, codes, numbers and cursors')
    await client.query('drop table bench_buyers, bench_organisations')
    await client.query('vacuum analyze')
    progress('vacuum')
  })
}
