import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/harness/app.ts'
import { followLists } from '../../../../../test/harness/follow-lists.ts'
import {
  type Chance,
  chance,
  changeAtRandom,
  insertRandomInvoices,
  makeWorld,
  pick,
  type World,
} from '../../../../../test/harness/random-invoices.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { type Cursor, readCursor, writeCursor } from '../../../kernel/cursors.ts'
import { newId } from '../../../kernel/ids.ts'
import { documentTypes } from '../../../kernel/invoice-document.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { type ReceivableAge, receivableAges } from '../../../kernel/receivable-ages.ts'
import { searchText, searchTextOf } from '../../../kernel/search-text.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Database, openDatabase, type Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import {
  countingStatuses,
  isOverdue,
  isOwed,
  nextInstalmentOf,
  openInstalmentsOf,
  paymentStatusOf,
  refundOwedMinor,
  reportingOf,
  reportings,
  simpleStatuses,
  simpleStatusOf,
} from '../derived-statuses.ts'
import { declaredPaymentStatuses, deliveries, type InvoiceSummary } from '../invoice.ts'
import { summaryColumns, summaryFrom, summaryTables } from '../invoices.store.ts'
import { invoiceStatuses } from '../status-moves.ts'
import { chooseAccessPath, needsEstimates } from './access-paths.store.ts'
import { creatorTypes } from './facets.ts'
import { filterPartsOf } from './filter-parts.store.ts'
import { type InvoiceFilter, type InvoiceSort, invoiceSortKeys } from './invoice-filter.ts'
import { listSummaries } from './listing.store.ts'

const seed = Number(process.env.LISTING_SEED ?? Math.floor(Math.random() * 1e9))
const today = '2026-03-15'

let db: Database
let tenant: Tenant
let world: World
let ids: string[]
const next: Chance = chance(seed)

const follow = (limit: number) => followLists(db, limit)

beforeAll(async () => {
  const app = await startTestApp()
  const person = await app.person()
  tenant = { organisationId: person.organisationId, mode: 'sandbox' }
  const stranger: Tenant = { organisationId: (await app.person()).organisationId, mode: 'sandbox' }
  // From here on the listing lags behind as far as the test wants.
  await app.close()
  db = openDatabase({ connection: app.database.url })
  world = await makeWorld(db, tenant)
  await insertRandomInvoices(db, stranger, await makeWorld(db, stranger), 20, next)
  await insertRandomInvoices(
    db,
    { ...tenant, mode: 'live' },
    await makeWorld(db, { ...tenant, mode: 'live' }),
    20,
    next,
  )
  ids = await insertRandomInvoices(db, tenant, world, 220, next)
  await follow(150)
  ids.push(...(await insertRandomInvoices(db, tenant, world, 60, next)))
  for (let at = 0; at < 60; at++) await changeAtRandom(db, tenant, world, pick(next, ids), next)
  await follow(120)
  for (let at = 0; at < 30; at++) await changeAtRandom(db, tenant, world, pick(next, ids), next)
  // The buyer of drafts is renamed and another one deleted, without an event for the listing.
  await db.run(
    sql`update buyers set name = 'Kòfí Renamed', search = ${searchTextOf('Kòfí Renamed')} where id = ${world.buyers[5]?.id}`,
  )
  await db.run(sql`delete from buyers where id = ${world.buyers.at(-1)?.id ?? null}`)
})
afterAll(() => db.end())

const all = async (): Promise<InvoiceSummary[]> =>
  (
    await db.rows<Parameters<typeof summaryFrom>[0]>(sql`
      select ${summaryColumns} from ${summaryTables(tenant)} where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode}`)
  ).map(summaryFrom)

const isAbsent = (value: unknown): boolean => value === undefined
const between = <T extends string | bigint | Date>(value: T | null, from: T | undefined, to: T | undefined): boolean =>
  (from === undefined || (value !== null && value >= from)) && (to === undefined || (value !== null && value <= to))

function isFound(i: InvoiceSummary, search: string): boolean {
  const words = searchText(search)
  const begins = (text: string | null) => (text ?? '').toUpperCase().startsWith(search.trim().toUpperCase())
  const holds = (text: string | null | undefined) => searchText(text ?? '').includes(words)
  return (
    words === '' ||
    begins(i.number) ||
    begins(i.authorityReference) ||
    holds(i.buyerName) ||
    holds(i.buyerTaxId) ||
    holds(i.buyerTaxId?.replace('-', ''))
  )
}

const ageOf = (dueDate: string | null): ReceivableAge => {
  const days = dueDate === null ? 0 : (Date.parse(today) - Date.parse(dueDate)) / 86_400_000
  return days < 1 ? 'not_due' : days <= 30 ? '1_30' : days <= 60 ? '31_60' : days <= 90 ? '61_90' : 'over_90'
}

/** Lists order and filter by what is to be paid next. */
const listedDueDate = (i: InvoiceSummary): string | null => nextInstalmentOf(i)?.dueDate ?? i.dueDate

/** The plain meaning of each filter. */
const passes = (i: InvoiceSummary, f: InvoiceFilter): boolean =>
  (f.status === undefined || f.status.includes(i.status)) &&
  (isAbsent(f.type) || i.type === f.type) &&
  (isAbsent(f.paymentStatus) ||
    (f.paymentStatus === 'overdue' ? isOverdue(i, today) : paymentStatusOf(i) === f.paymentStatus)) &&
  (isAbsent(f.currency) || i.currency === f.currency) &&
  (isAbsent(f.buyerId) || i.buyerId === f.buyerId) &&
  (isAbsent(f.sellerId) || i.sellerId === f.sellerId) &&
  (isAbsent(f.createdBy) || i.createdBy.id === f.createdBy) &&
  (isAbsent(f.createdByType) || i.createdBy.type === f.createdByType) &&
  between(i.issueDate, f.issueDateFrom, f.issueDateTo) &&
  between(listedDueDate(i), f.dueDateFrom, f.dueDateTo) &&
  (f.createdAtFrom === undefined || i.createdAt >= f.createdAtFrom) &&
  (f.createdAtTo === undefined || i.createdAt < f.createdAtTo) &&
  (f.search === undefined || isFound(i, f.search)) &&
  (isAbsent(f.simpleStatus) || simpleStatusOf(i) === f.simpleStatus) &&
  (isAbsent(f.reporting) || reportingOf[i.status] === f.reporting) &&
  (isAbsent(f.delivery) || i.delivery === f.delivery) &&
  (isAbsent(f.credited) || i.creditedMinor > 0n === f.credited) &&
  (isAbsent(f.refundOwed) || refundOwedMinor(i) > 0n === f.refundOwed) &&
  (isAbsent(f.overdue) || isOverdue(i, today)) &&
  (isAbsent(f.age) || (isOwed(i) && openInstalmentsOf(i).some(({ dueDate }) => ageOf(dueDate) === f.age))) &&
  (isAbsent(f.amountDue) || (isOwed(i) && openInstalmentsOf(i).length > 0) === f.amountDue) &&
  (isAbsent(f.counted) || countingStatuses.includes(i.status) === f.counted) &&
  between(i.payableMinor, f.amountFromMinor, f.amountToMinor)

function compared<T extends string | number | bigint>(a: T | null, b: T | null, descending: boolean): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a < b ? -1 : 1) * (descending ? -1 : 1)
}

const sortValue = (i: InvoiceSummary, by: InvoiceSort['by']) =>
  by === 'createdAt'
    ? i.createdAt.getTime()
    : by === 'number'
      ? i.number.toUpperCase()
      : by === 'dueDate'
        ? listedDueDate(i)
        : i[by]

const inOrder = (rows: readonly InvoiceSummary[], { by, descending }: InvoiceSort): InvoiceSummary[] =>
  rows.toSorted(
    (a, b) =>
      compared(sortValue(a, by), sortValue(b, by), descending) ||
      (by === 'dueDate' ? compared(a.issueDate, b.issueDate, descending) : 0) ||
      compared(a.createdAt.getTime(), b.createdAt.getTime(), descending) ||
      compared(a.id, b.id, descending),
  )

const newestFirst: InvoiceSort = { by: 'createdAt', descending: true }

/** The database may return the rows of a page in any order. */
const inAnyOrder = (): Queryable => ({
  ...db,
  rows: async <Row>(statement: Sql) => (await db.rows<Row>(statement)).toSorted(() => next() - 0.5),
})

/** Compares pages, by the access paths of small and large listings in turn, with the plain meaning of the query. */
async function expectRight(
  rows: readonly InvoiceSummary[],
  filter: InvoiceFilter,
  sort: InvoiceSort = newestFirst,
  pages: readonly number[] = [1, 2],
  fewest?: number,
) {
  const expected = inOrder(
    rows.filter((row) => passes(row, filter)),
    sort,
  )
  const limit = 7
  async function expectPage(number: number, page: PageRequest): Promise<Cursor | null> {
    const few = fewest ?? (next() < 0.5 ? 0 : 5_000)
    const got = await listSummaries(inAnyOrder(), tenant, { filter, sort, page, today }, few)
    const asked = { seed, filter, sort, few, page }
    // Rows of a page also have `total`, `nth`, `parties` and `unmet`.
    expect({ ...asked, total: got.total, rows: got.rows, hasMore: got.next !== null }).toMatchObject({
      ...asked,
      total: expected.length,
      rows: expected.slice((number - 1) * limit, number * limit),
      hasMore: number * limit < expected.length,
    })
    expect(got.rows).toHaveLength(Math.max(0, Math.min(limit, expected.length - (number - 1) * limit)))
    return got.next
  }
  for (const page of pages) {
    const behind = await expectPage(page, { page, limit })
    // The next page is also read by the cursor.
    if (behind) await expectPage(page + 1, { page: 1, limit, after: readCursor(writeCursor(behind)) })
  }
}

const dates = () => ['2026-01-20', '2026-02-28', '2026-03-15', '2026-05-01', '2026-06-20'].toSorted(() => next() - 0.5)
const range = <From extends string, To extends string, Value>(from: From, to: To, values: readonly Value[]) =>
  [
    { [from]: values[0] },
    { [to]: values[1] },
    { [from]: values[2], [to]: values[3] },
    { [from]: values[3], [to]: values[2] },
  ] as InvoiceFilter[]
const each = <Name extends keyof InvoiceFilter>(name: Name, values: readonly InvoiceFilter[Name][]): InvoiceFilter[] =>
  values.map((value) => ({ [name]: value }))

const words = [
  'inv',
  'INV',
  'i',
  'in',
  '2026',
  '20',
  'adebayo',
  'ADÉBÁYỌ̀',
  'ojo',
  'kofi',
  'sade',
  '%',
  '_',
  'a%',
  'b_',
  '100%',
  'under_',
  'o',
  'jo',
  'ltd',
  'formerly',
  '1003-0003',
  '20261003',
  'legal',
  'nothing like it',
  'INV0012',
  'inv001',
  '  ',
  'CN00',
  '94ND',
  'l',
  'in\t0',
  '2026\t',
]

const alone = (): Record<string, InvoiceFilter[]> => ({
  status: [...invoiceStatuses.map((one) => ({ status: [one] })), { status: ['draft', 'accepted', 'failed'] as const }],
  type: each('type', documentTypes),
  paymentStatus: each('paymentStatus', [...declaredPaymentStatuses, 'overdue']),
  currency: each('currency', ['NGN', 'USD', 'EUR', 'GBP', 'ngn']),
  buyerId: world.buyers.map(({ id }) => ({ buyerId: id }) as InvoiceFilter),
  sellerId: world.sellers.map((id) => ({ sellerId: id }) as InvoiceFilter),
  createdBy: world.creators.flatMap((createdBy) => [{ createdBy }, { createdBy, createdByType: 'api_key' as const }]),
  createdByType: each('createdByType', creatorTypes),
  issueDate: range('issueDateFrom', 'issueDateTo', dates()),
  dueDate: range('dueDateFrom', 'dueDateTo', dates()),
  createdAt: [
    ...range(
      'createdAtFrom',
      'createdAtTo',
      dates().map((date) => new Date(date)),
    ),
    { createdAtFrom: new Date('2026-02-02T00:00:01Z'), createdAtTo: new Date('2026-02-03T00:00:00Z') },
  ],
  search: each('search', words),
  simpleStatus: each('simpleStatus', simpleStatuses),
  reporting: each('reporting', reportings),
  delivery: each('delivery', deliveries),
  credited: each('credited', [true, false]),
  refundOwed: each('refundOwed', [true, false]),
  overdue: each('overdue', [true]),
  age: each('age', receivableAges),
  amountDue: each('amountDue', [true, false]),
  counted: each('counted', [true, false]),
  amount: [
    ...range('amountFromMinor', 'amountToMinor', [500n, 1_500_000n, 1_234n, 100_000n]),
    { amountFromMinor: 0n, amountToMinor: 0n },
    { amountFromMinor: 100_000n, amountToMinor: 100_000n },
    { amountToMinor: 10n ** 30n },
  ],
})

test('every filter alone means what it says, with exact totals', async () => {
  const rows = await all()
  const pages = casesToTry(1, 2) === 1 ? [1] : [1, 2]
  for (const filters of Object.values(alone()))
    for (const filter of filters) await expectRight(rows, filter, newestFirst, pages)
})

test('every sort orders every page', async () => {
  const rows = await all()
  const filters = Object.values(alone()).flat()
  for (const by of invoiceSortKeys)
    for (const descending of [true, false]) {
      await expectRight(rows, {}, { by, descending }, [1, 2, 20, 36, 60])
      for (let tries = 0; tries < casesToTry(1, 4); tries++)
        await expectRight(rows, pick(next, filters), { by, descending }, [1, 3])
    }
})

test('a filter on one day and a sort by the other: every page is right, and rows before it are not read', async () => {
  const rows = await all()
  const { issueDate, dueDate } = alone() as Record<'issueDate' | 'dueDate', InvoiceFilter[]>
  const across = { issueDate: dueDate, dueDate: issueDate }
  for (const by of ['issueDate', 'dueDate'] as const)
    for (const descending of [true, false])
      for (const filter of across[by]) {
        await expectRight(rows, filter, { by, descending }, [1, 2, 9, 40])
        const filterParts = filterPartsOf(tenant, filter, today)
        const query = {
          tenant,
          sort: { by, descending },
          offset: 0,
          limit: 20,
          after: undefined,
          filterParts,
          search: undefined,
          few: 1,
        }
        expect([needsEstimates(query), chooseAccessPath(query, undefined)]).toEqual([false, 'by day'])
      }
})

test('if the matches come late in the wanted order, the rows before them are not all read', () => {
  const filterParts = filterPartsOf(tenant, { status: ['draft'] }, today)
  const query = { tenant, offset: 0, limit: 20, after: undefined, filterParts, search: undefined, few: 5_000 }
  const unknown = { values: 1, numbered: 0, named: 0, parties: 0, unmet: null }
  const path = (by: InvoiceSort['by'], kept: number, soon: number, parts = filterParts) => {
    const sorted = { ...query, filterParts: parts, sort: { by, descending: false } }
    return chooseAccessPath(sorted, { ...unknown, all: 1_000_000, kept, soon })
  }
  // With an even spread, twenty of a thousand would match.
  expect([path('dueDate', 20_000, 0), path('number', 20_000, 4)]).toEqual(Array(2).fill('collect and sort'))
  expect([path('dueDate', 20_000, 18), path('number', 200_000, 0)]).toEqual(Array(2).fill('in order'))
  const amounts = filterPartsOf(tenant, { amountFromMinor: 1_000_000n }, today)
  expect(path('payableMinor', 20_000, 0, amounts)).toBe('in order')
})

test('several filters narrow the list together', async () => {
  const rows = await all()
  const kinds = Object.values(alone())
  for (let tries = 0; tries < casesToTry(20, 60); tries++) {
    const filter = {
      ...pick(next, pick(next, kinds)),
      ...pick(next, pick(next, kinds)),
      ...(tries % 3 ? {} : pick(next, pick(next, kinds))),
    }
    await expectRight(rows, filter, newestFirst, [1])
  }
})

test('a list is right however far the listing lags behind', async () => {
  for (const take of [40, 40, 1_000]) {
    await follow(take)
    const rows = await all()
    for (const filters of Object.values(alone()))
      await expectRight(rows, pick(next, filters), { by: 'createdAt', descending: next() < 0.5 }, [1, 4])
  }
})

/** Issued documents of a buyer that the listing does not know yet. */
async function issueTo(name: string): Promise<void> {
  const buyer = { id: newId<'b'>(), name, taxId: null }
  await insertRandomInvoices(db, tenant, { ...world, buyers: [buyer, buyer] }, 8, next)
}

test('a name that the listing does not know yet counts beside matching numbers', async () => {
  await follow(1_000)
  await issueTo('Acne Cream')
  const rows = await all()
  // With a limit of one, every count is large, so weeks are used.
  await expectRight(rows, { search: 'CN' }, newestFirst, [1, 2], 1)
  await expectRight(rows, { search: 'cn' }, { by: 'createdAt', descending: false }, [1], 1)
})

test('a search ends even if new names keep arriving', async () => {
  const issuing: Queryable = {
    ...db,
    rows: async (statement) => {
      await issueTo(`Acne Cream ${next()}`)
      return await db.rows(statement)
    },
  }
  const asked = { filter: { search: 'CN' }, sort: newestFirst, page: { page: 1, limit: 20 }, today }
  const before = (await all()).filter((row) => passes(row, asked.filter)).length
  const { total } = await listSummaries(issuing, tenant, asked, 1)
  expect(total).toBeGreaterThanOrEqual(before)
})
