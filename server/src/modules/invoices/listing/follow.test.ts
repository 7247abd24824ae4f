import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/harness/app.ts'
import { inCopies } from '../../../../../test/harness/cluster.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { followAllLists, followLists, unfollowed } from '../../../../../test/harness/follow-lists.ts'
import { lockScan, moveScan, type Scan, scanLogs } from '../../../../../test/harness/follow-log.ts'
import { testOnOneServer } from '../../../../../test/harness/one-server.ts'
import {
  chance,
  changeAtRandom,
  insertRandomInvoices,
  makeWorld,
  pick,
  type World,
} from '../../../../../test/harness/random-invoices.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Database, openDatabase, type Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { creatorTypes, facets, lowMaskOf, statisticsMask } from './facets.ts'
import { readingRows, takeUpChanges } from './follow.store.ts'
import { invoiceLists } from './follow-invoices.ts'
import { countedPrefix, countedWithParty } from './kept-counts.ts'
import { lineCodes, listingColumns, weekOf } from './listing-columns.store.ts'

const seed = Math.floor(Math.random() * 1e9)
const next = chance(seed)
let db: Database
let tenant: Tenant
let world: World
let ids: string[]

const follow = (limit: number) => followLists(db, limit)
const followAll = (limit: number) => followAllLists(db, limit)
const waiting = () => unfollowed(db)
/** Other tests on the same server may hold back events for a moment. */
const somethingToRead = (limit: number): Promise<Scan> =>
  eventually(async () => {
    const scan = await scanLogs(db, invoiceLists, limit)
    if (!scan) throw new Error('there is nothing to read yet')
    return scan
  })

beforeAll(async () => {
  const app = await startTestApp()
  tenant = { organisationId: (await app.person()).organisationId, mode: 'sandbox' }
  // From here on only explicit calls follow the events.
  await app.close()
  db = openDatabase({ connection: app.database.url })
  world = await makeWorld(db, tenant)
  ids = await insertRandomInvoices(db, tenant, world, 120, next)
})
afterAll(() => db.end())

async function changeSome(count: number) {
  for (let at = 0; at < count; at++) await changeAtRandom(db, tenant, world, pick(next, ids), next)
}

const bucket = sql`lpad(length(l.payable_minor::text)::text, 2, '0') || left(l.payable_minor::text, 3)`
const creator = sql`
  (${creatorTypes}::text[])[((l.facets >> ${facets.creator.shift}::int) & ${lowMaskOf('creator')}::int) + 1] || ':' || l.created_by`
const isOpen = sql`(l.facets >> ${facets.open.shift}::int) & ${lowMaskOf('open')}::int = 1`
const openDue = sql`case when ${isOpen} then l.due_date::text end`
/** The later instalments of a listing row, each with the due date of the one before. */
const later = sql`
  select p."dueDate" as day, p."dueMinor" as minor, lag(p."dueDate", 1, l.due_date) over (order by p."dueDate") as previous
    from jsonb_to_recordset(l.later_instalments) as p ("dueDate" date, "dueMinor" bigint)`

const beginning = (column: Sql, size: number): Sql => sql`left(${column}, ${size}::int)`
/** The first characters of the IRN, a tab, and those of the number; only if they differ. */
const unlike = (size: number): Sql => sql`
  case when ${beginning(sql`l.reference_key`, size)} <> ${beginning(sql`l.number_key`, size)}
       then ${beginning(sql`l.reference_key`, size)} || E'\t' || ${beginning(sql`l.number_key`, size)} end`

/** All counts of a listing row `l`, written again in SQL: kind, key and week. */
const countedUnder = sql`
  cross join lateral (select ${weekOf(sql`l.created_at`)} as created) as w
  cross join lateral (
    values ('all', '', w.created), ('facets', l.facets::text, 0), ('buyer', l.buyer_id::text, 0), ('seller', l.seller_id::text, 0),
           ('creator', ${creator}, 0), ('party', l.party_id::text, 0), ('party_number', l.party_id || ':' || ${beginning(sql`l.number_key`, countedWithParty)}, 0),
           ('party_reference', l.party_id || ':' || ${unlike(countedWithParty)}, 0), ('issue', l.issue_date::text, w.created),
           ('due', l.due_date::text, w.created), ('open', ${openDue}, 0), ('amount', ${bucket}, 0), ('number', ${beginning(sql`l.number_key`, countedPrefix)}, w.created),
           ('reference', ${unlike(countedPrefix)}, w.created)
    union all
    select 'open', p.day || ' ' || p.previous, 0 from (${later}) as p
  ) as c (kind, key, week)`

/** Expands the listing's runs of equal lines. */
function codesOfLines(run: string): string[] {
  const [type, code, category, lines = '1'] = run.split('\t')
  return Array(Number(lines)).fill([type, code, category].join('\t'))
}

/** Compares the listing, its counts and its codes with ones that are computed from the invoices. */
const expectUpToDate = () =>
  inCopies(db, ['invoices', 'invoice_listing', 'invoice_counts', 'invoice_sums', 'invoice_codes'], expectEqualLists)

async function expectEqualLists(db: Queryable): Promise<void> {
  const listing = sql`
    select organisation_id, mode, id, created_at, facets, issue_date, due_date, later_instalments, net_minor, tax_minor, payable_minor, paid_minor, due_minor, buyer_id, seller_id, created_by,
           party_id, number_key, reference_key, codes from invoice_listing order by id`
  const [listed, invoiced] = await Promise.all([
    db.rows<{ codes: string[] }>(listing),
    db.rows(sql`select ${listingColumns}, ${lineCodes} as codes from invoices i order by i.id`),
  ])
  const byLine = listed.map((row) => ({ ...row, codes: row.codes.flatMap(codesOfLines) }))
  expect({ seed, rows: byLine }).toEqual({ seed, rows: invoiced })
  const kept = await db.rows(sql`select kind, key, week, n from invoice_counts order by kind, key, week`)
  const grouped = await db.rows(sql`
    select c.kind, c.key collate "C" as key, c.week, count(*) as n from (select ${listingColumns} from invoices i) as l ${countedUnder}
     where c.key is not null group by 1, 2, 3 order by 1, 2, 3`)
  expect({ seed, kept }).toEqual({ seed, kept: grouped })
  const summed = await db.rows(sql`
    select span, since, facets, n, net_minor, tax_minor, payable_minor, paid_minor from invoice_sums order by span, since, facets`)
  const added = await db.rows(sql`
    select s.span, date_trunc(s.span, l.issue_date::timestamp)::date as since, l.facets & ${statisticsMask}::int as facets, count(*) as n,
           sum(l.net_minor) as net_minor, sum(l.tax_minor) as tax_minor, sum(l.payable_minor) as payable_minor, sum(l.paid_minor) as paid_minor
      from (select ${listingColumns} from invoices i) as l cross join (values ('day'), ('month')) as s (span) group by 1, 2, 3
    union all
    select 'due', coalesce(l.due_date, 'infinity'), l.facets & ${statisticsMask}::int, count(*), 0, 0,
           sum(l.due_minor - coalesce((select sum(p.minor) from (${later}) as p), 0)), 0
      from (select ${listingColumns} from invoices i) as l where l.due_minor > 0 group by 2, 3
    union all
    select 'due after ' || p.previous, p.day, l.facets & ${statisticsMask}::int, count(*), 0, 0, sum(p.minor), 0
      from (select ${listingColumns} from invoices i) as l cross join lateral (${later}) as p group by 1, 2, 3
     order by 1, 2, 3`)
  expect({ seed, summed }).toEqual({ seed, summed: added })
  const uses = await db.rows(sql`select type, code, uses from invoice_codes order by type, code`)
  const used = await db.rows(sql`
    select split_part(code, E'\t', 1) as type, split_part(code, E'\t', 2) as code, count(*) as uses
      from invoices i cross join lateral unnest(${lineCodes}) as code group by 1, 2 order by 1, 2`)
  expect({ seed, uses }).toEqual({ seed, uses: used })
}

test('kept counts equal real counts after any changes between batches of any size', async () => {
  for (let round = 0; round < 6; round++) {
    await changeSome(25)
    await follow(1 + Math.floor(next() * 60))
    ids.push(...(await insertRandomInvoices(db, tenant, world, 5, next)))
  }
  await followAll(17)
  await expectUpToDate()
})

test('growing lists are analysed, although the service itself may not do that', async () => {
  const looked = async () =>
    await db.rows(
      sql`select relname::text as name from pg_class where relname in ('invoice_listing', 'invoice_counts') and reltuples > 0 order by 1`,
    )
  // Other tests on this server may hold back some events until the next batch.
  for (let rounds = 0; rounds < 5 && (await looked()).length === 0; rounds++) {
    await insertRandomInvoices(db, tenant, world, 100, next)
    await followAll(500)
  }
  // On Citus autovacuum does it, on each worker.
  const expected = (await db.isDistributed()) ? [] : [{ name: 'invoice_counts' }, { name: 'invoice_listing' }]
  expect(await looked()).toEqual(expected)
})

testOnOneServer('the listing row is found by its key, even without statistics about the tenant', async () => {
  const known = [
    'organisation_id',
    'mode',
    'id',
    'created_at',
    'facets',
    'issue_date',
    'due_date',
    'payable_minor',
    'tax_minor',
  ]
  const names = [...known, 'number_key', 'codes', 'net_minor', 'paid_minor', 'due_minor'].join(', ')
  const listed = (organisation: string, count: number) =>
    `insert into invoice_listing (${names}) select ${organisation}, 'sandbox', gen_random_uuid(), now(), 1, current_date, current_date, 1, 1,
            '', '{}', 1, 0, 0 from generate_series(1, ${count})`
  const plan = await db.transaction(async (tx) => {
    const run = (text: string) => tx.run({ text, values: [], name: undefined })
    await run(listed('gen_random_uuid()', 200))
    await run('analyze invoice_listing')
    await run(listed(`'${tenant.organisationId}'`, 3_000))
    const { text, values } = readingRows(
      ids.slice(0, 50).map((id) => ({ ...tenant, id, isRewritten: false, isCreated: false })),
    )
    const rows = await tx.rows<Record<string, string>>({ text: `explain ${text}`, values, name: undefined })
    await run("delete from invoice_listing where codes = '{}' and net_minor = 1 and number_key = ''")
    return rows.flatMap(Object.values).join('\n')
  })
  expect(plan.match(/\w+ on invoice_listing\b/g)).toEqual(['invoice_listing_pkey on invoice_listing'])
})

test('reading all events again changes nothing', async () => {
  ids.push(...(await insertRandomInvoices(db, tenant, world, 120, next)))
  await followAll(1_000)
  await expectUpToDate()
  await db.run(sql`
    update consumer_cursors set position = 0 where consumer = 'invoice-lists'`)
  await followAll(1_000)
  await expectUpToDate()
})

test('a failed batch is processed again as a whole', async () => {
  await changeSome(30)
  const before = await waiting()
  const scan = await somethingToRead(10)
  const crash = db.transaction(async (tx) => {
    await takeUpChanges(tx, scan.events)
    await moveScan(tx, invoiceLists, scan)
    throw new Error('the process died')
  })
  await expect(crash).rejects.toThrow('the process died')
  expect(await waiting()).toBe(before)
  await followAll(10)
  await expectUpToDate()
})

test('two followers do not conflict', async () => {
  await changeSome(40)
  const scan = await somethingToRead(5)
  await db.transaction(async (tx) => {
    expect(await lockScan(tx, invoiceLists, scan)).toBe(true)
    await takeUpChanges(tx, scan.events)
    expect(await follow(5)).toBeUndefined()
    await moveScan(tx, invoiceLists, scan)
  })
  await Promise.all([followAll(3), followAll(4), followAll(5)])
  await followAll(100)
  await expectUpToDate()
})

test('changes during a batch are processed after it', async () => {
  const [id] = ids as [string]
  await followAll(1_000)
  // An invoice that certainly exists: random steps may have deleted others.
  const [last] = (await insertRandomInvoices(db, tenant, world, 1, next)) as [string]
  const scan = await somethingToRead(1_000)
  await db.transaction(async (tx) => {
    await takeUpChanges(tx, scan.events)
    await moveScan(tx, invoiceLists, scan)
    await changeAtRandom(db, tenant, world, id, next)
    await changeAtRandom(db, tenant, world, last, next)
  })
  expect(await waiting()).toBeGreaterThan(0)
  await followAll(1_000)
  await expectUpToDate()
})
