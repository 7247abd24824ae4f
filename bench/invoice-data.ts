import pg from 'pg'
import { systemCaller } from '../server/src/kernel/callers.ts'
import { newId, type OrganisationId } from '../server/src/kernel/ids.ts'
import { searchTextOf } from '../server/src/kernel/search-text.ts'
import { mintKey, presets } from '../server/src/modules/api-keys/index.ts'
import { foundOrganisation } from '../server/src/modules/foundings/index.ts'
import { takeUpChanges } from '../server/src/modules/invoices/listing/follow.store.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { asQueryable, exactTypes, type Queryable, type Tx } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { operation } from '../server/src/platform/operations/operation.ts'
import type { Runner } from '../server/src/platform/operations/runner.ts'
import { buyerName, chance } from './names.ts'

export interface Shop {
  readonly organisationId: OrganisationId
  readonly key: string
  readonly buyers: readonly { readonly id: string; readonly name: string; readonly taxId: string }[]
  readonly sellerId: string
  readonly creators: readonly string[]
  readonly size: number
}

const found = operation({ needs: [], refuses: [] }, async (context) => {
  const founder = { id: newId<'user'>(), email: `${newId()}@bench.test` }
  const person = { ...founder, passwordHash: '', firstName: 'B', lastName: 'B', emailVerifiedAt: null }
  await insertPerson(context.tx, person, context.now)
  const organisationId = await foundOrganisation(context, founder, { name: 'Bench', country: 'NG' })
  const capabilities = { mode: 'sandbox', name: 'Bench', ownCapabilities: presets.full_integration } as const
  return { organisationId, key: (await mintKey(context, organisationId, { ...capabilities, createdBy: null })).key }
})

async function insertParties(db: Queryable, organisationId: OrganisationId, next: () => number) {
  const buyers = Array.from({ length: 2_000 }, (_, at) => {
    const name = buyerName(next)
    const taxId = `${20_000_000 + at}-0001`
    return { id: newId<'buyer'>(), name, taxId, search: searchTextOf(name, taxId, taxId.replace('-', '')) }
  })
  await db.run(sql`
    insert into buyers (organisation_id, mode, id, name, party_type, tax_id, tax_id_normal, tax_id_type, search, created_at, updated_at)
    select ${organisationId}, 'sandbox', r.id, r.name, 'company', r."taxId", replace(r."taxId", '-', ''), 'national', r.search, now(), now()
      from jsonb_to_recordset(${JSON.stringify(buyers)}::jsonb) as r (id uuid, name text, "taxId" text, search text)`)
  const sellerId = newId<'seller'>()
  await db.run(sql`
    insert into sellers (organisation_id, id, name, party_type, search, created_at, updated_at)
    values (${organisationId}, ${sellerId}, 'Bench', 'company', 'bench', now(), now())`)
  return { buyers, sellerId }
}

/**
 * Spreads invoices evenly over three years. The newest are drafts, and most of the old ones are accepted and paid.
 * There are four currencies, few large buyers, many small buyers and now and then a very large amount. Numbers of
 * credit notes and debit notes may repeat.
 */
async function insertInvoices(tx: Queryable, shop: Shop, from: number, until: number): Promise<{ id: string }[]> {
  const { organisationId, buyers, sellerId, creators, size } = shop
  // The generated rows are consistent, so a million foreign key checks are skipped.
  await tx.run(sql`set local session_replication_role = replica`)
  await tx.run(sql`set local synchronous_commit = off`)
  await tx.run(sql`select setseed(${(from % 1_000_003) / 1_000_003})`)
  return await tx.rows(sql`
    with drawn as (
      select i, now() - (${size}::int - i) * (interval '3 years' / ${size}::int) as created_at, random() as r1, random() as r2, random() as r3,
             1 + floor(${buyers.length}::int * power(random(), 2))::int as buyer, floor(exp(13 + 1.4 * random_normal()))::bigint as net,
             (array['standard', 'standard', 'credit_note', 'debit_note', 'prepayment'])[1 + floor(5 * power(random(), 6))::int] as type,
             floor(random() * 1000)::int as code
        from generate_series(${from}::int, ${until}::int) as i),
    aged as (
      select *, case when i > ${size}::int * 0.98 then 'draft' when r1 < 0.7 then 'accepted' when r1 < 0.85 then 'finalised'
                     else (array['queued', 'signed', 'transmitted', 'rejected', 'failed', 'cancellation_pending', 'cancelled'])[1 + floor(r2 * 7)::int] end as status,
             created_at::date - (case when r3 < 0.01 then 60 + floor(r2 * 100)::int else floor(r3 * 5)::int end) as issue_date,
             (array['INV', 'INV', 'CN', 'DN', 'PP'])[array_position(array['standard', 'standard2', 'credit_note', 'debit_note', 'prepayment'], type)] || lpad((case when type = 'standard' then i else i / 12 end)::text, 6, '0') as number,
             round(net * 0.075)::bigint as tax, uuidv7(-(${size}::int - i) * (interval '3 years' / ${size}::int)) as id
        from drawn),
    inserted as (
    insert into invoices (organisation_id, mode, id, number, type, kind, status, seller_id, buyer_id, issue_date, due_date, currency, lines, tax_groups,
                          net_minor, allowance_minor, charge_minor, tax_minor, payable_minor, paid_minor, credited_minor, original_id, buyer_copy, authority_reference,
                          delivery, finalised_at, created_by_type, created_by, created_at, updated_at)
    select ${organisationId}, 'sandbox', aged.id, number, type, 'B2B', status, ${sellerId}, b.id, issue_date,
           case when r2 < 0.9 then issue_date + (array[14, 30, 60])[1 + floor(r2 * 3)::int] end,
           (array['NGN', 'USD', 'EUR', 'GBP'])[1 + floor(4 * power(r3, 4))::int],
           jsonb_build_array(jsonb_build_object('description', 'Goods', 'itemName', 'Goods', 'hsnCode', lpad(code::text, 4, '0') || '.21', 'serviceCode', null,
             'productCategory', 'Goods', 'quantity', '1', 'unitCode', 'EA', 'unitPrice', net::text, 'discountMinor', '0', 'feeMinor', '0',
             'taxCategory', 'STANDARD_VAT', 'taxRate', '7.5', 'grossMinor', net::text, 'netMinor', net::text)),
           jsonb_build_array(jsonb_build_object('category', 'STANDARD_VAT', 'rate', '7.5', 'netMinor', net::text, 'allowanceMinor', '0', 'chargeMinor', '0',
             'taxableMinor', net::text, 'taxMinor', tax::text)),
           net, 0, 0, tax, net + tax,
           case when status = 'draft' then 0 when r2 < 0.75 then net + tax when r2 < 0.8 then (net + tax) / 2 else 0 end,
           case when status = 'draft' then 0 when r3 between 0.5 and 0.52 then net + tax when r3 between 0.52 and 0.55 then net / 3 else 0 end,
           case when type in ('credit_note', 'debit_note') then aged.id end,
           case when status <> 'draft' then b.copy end,
           case when status in ('accepted', 'signed', 'transmitted', 'cancelled') then number || '-94ND90NR-' || to_char(issue_date, 'YYYYMMDD') end,
           case when status = 'draft' then 'none' else (array['sent_email', 'none', 'authority', 'deliver_to_buyer', 'shared_link'])[1 + floor(5 * power(r1, 3))::int] end,
           case when status <> 'draft' then created_at end, case when r1 < 0.6 then 'api_key' else 'user' end,
           (${creators}::uuid[])[1 + floor(${creators.length}::int * r2)::int], created_at, created_at
      from aged join unnest(${buyers.map(({ id }) => id)}::uuid[], ${buyers.map(({ name, taxId }) => JSON.stringify({ name, taxId }))}::jsonb[])
        with ordinality as b (id, copy, nth) on b.nth = aged.buyer returning id)
    select id from inserted`)
}

const batch = 50_000

/** Creates the invoices of one organisation, and the rows that its invoice lists are read from. */
export async function openShop(
  load: Tx,
  runner: Runner,
  size: number,
  seed: number,
  say: (text: string) => void = () => {},
): Promise<Shop> {
  const origin = { requestId: 'bench', address: '', userAgent: '' }
  const { organisationId, key } = await runner.run(found, { caller: systemCaller, origin, input: undefined })
  const parties = await insertParties(load, organisationId, chance(seed))
  const creators = Array.from({ length: 20 }, () => newId<'user'>())
  const shop: Shop = { organisationId, key, ...parties, creators, size }
  for (let from = 1; from <= size; from += batch) {
    await load.run(sql`begin`)
    const made = await insertInvoices(load, shop, from, Math.min(size, from + batch - 1))
    await takeUpChanges(
      load,
      made.map(({ id }) => ({
        eventId: id,
        type: 'invoice.created',
        version: 1,
        organisationId,
        mode: 'sandbox',
        objectId: id,
        objectVersion: 1,
      })),
    )
    await load.run(sql`commit`)
    if ((from - 1) % (4 * batch) === 0) say(`  ${Math.min(size, from + batch - 1).toLocaleString('en')} invoices`)
  }
  return shop
}

/**
 * Works without the indexes of these tables, and of `withoutKeys` also without their keys. They are created again at the end, because a
 * million rows are then written much faster.
 */
export async function withoutIndexes<Result>(
  client: pg.Client,
  tables: readonly string[],
  withoutKeys: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `
    select case when c.conname is null then format('drop index %I', i.indexname) else format('alter table %I drop constraint %I', i.tablename, c.conname) end as drop,
           case when c.conname is null then replace(i.indexdef, ' ON ONLY ', ' ON ')
                else format('alter table %I add constraint %I %s', i.tablename, c.conname, pg_get_constraintdef(c.oid)) end as create
      from pg_indexes i left join pg_constraint c on c.conrelid = i.tablename::regclass and c.conname = i.indexname
     where i.schemaname = 'public' and (i.tablename = any ($1) and c.conname is null or i.tablename = any ($2))`,
    [tables, withoutKeys],
  )
  for (const { drop } of rows) await client.query(drop)
  const result = await work()
  await client.query(`set maintenance_work_mem = '512MB'`)
  for (const { create } of rows) await client.query(create)
  return result
}

/** Loads on a connection without time limits, and without indexes meanwhile. */
export async function loaded<Result>(
  connection: string,
  load: (on: Tx) => Promise<Result>,
  tables: readonly string[] = ['invoices', 'invoice_listing'],
): Promise<Result> {
  const client = new pg.Client({ connectionString: connection, types: exactTypes, pipeline: true } as pg.ClientConfig)
  await client.connect()
  try {
    const result = await withoutIndexes(client, tables, [], () => load(asQueryable(client) as Tx))
    for (const table of [...tables, 'invoice_counts', 'invoice_parties', 'invoice_codes', 'buyers'])
      await client.query(`vacuum analyze ${table}`)
    return result
  } finally {
    await client.end()
  }
}
