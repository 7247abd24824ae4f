import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { followAllLists } from '../../../../test/harness/follow-lists.ts'
import { expectInvoicesAddUp } from '../../../../test/harness/invoice-identity.ts'
import { ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../test/harness/reporting-authority.ts'

interface ListedInvoice {
  readonly id: string
  readonly invoiceType: string
  readonly status: string
  readonly currency: string
  readonly payableMinor: number
  readonly taxMinor: number
  readonly paidMinor: number
  readonly dueDate: string | null
  readonly dueMinor: number
  readonly overdue: boolean
  readonly overdueMinor: number
  readonly instalments: readonly { readonly dueDate: string; readonly dueMinor: number }[] | null
}
interface Sums {
  readonly currency: string
  readonly documents: number
  readonly invoicedMinor: number
  readonly taxMinor: number
  readonly paidMinor: number
}

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
const line = { description: 'Freight', hsnCode: '2523.29', unitCode: 'EA', quantity: 1, taxCategory: 'standard' }
const post = (id: string, action: string, body?: object) =>
  app.a.post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
const get = async (form: 'A' | 'B', what: string) => ok(await app.client(form).get(what, { token: own.token }))
const list = (form: 'A' | 'B', filter = ''): Promise<ListedInvoice[]> => get(form, `${path}?limit=100${filter}`)

/** Documents of every kind and status, in one currency. */
async function population(currency: string): Promise<void> {
  const late = { currency, dueDate: '2026-11-03' }
  const { life } = own
  const accepted = async (more: object = {}, form: 'A' | 'B' = 'A'): Promise<string> => {
    const { id } = await own.submitted({ currency, ...more }, form)
    await own.until(id, 'accepted')
    return id
  }
  const rejected = async (id: string) => {
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await post(id, 'submit'), 202)
    await own.until(id, 'rejected')
    authority.refuses = () => undefined
  }
  const issuedNote = async (id: string, kind: 'credit-notes' | 'debit-notes', body: object) =>
    ok(await post(ok(await post(id, kind, { reason: 'Corrected', ...body }), 201).id, 'finalise')).id

  // Drafts, one of them past its due date.
  await life.draft({ currency })
  await life.draft(late)
  // Issued: overdue, not overdue, without a due date, partly paid, paid, declared as paid.
  await life.issued(late)
  await life.issued({ currency })
  await life.issued({ currency, invoiceDate: '2026-08-02', dueDate: null })
  // With instalments: two late ones of one age, one late and one not, and one that is paid before it is late.
  const inParts = (...dueDates: string[]) => ({
    currency,
    invoiceDate: '2026-08-02',
    dueDate: undefined,
    instalments: dueDates.map((dueDate) => ({ dueDate, percent: 100 / dueDates.length })),
  })
  await life.issued(inParts('2026-08-03', '2026-11-02', '2026-11-08', '2027-01-08'))
  ok(await life.pay((await life.issued(inParts('2026-11-02', '2026-12-08'))).id, 100), 201)
  ok(await life.pay((await life.issued(inParts('2026-11-02', '2026-12-08'), 'B')).id, 8000), 201)
  ok(await life.pay((await life.issued(late)).id, 100), 201)
  await life.issued({ ...late, paymentStatus: 'paid' }, 'B')
  await life.issued({ ...late, invoiceDate: '2026-07-01', dueDate: '2026-07-02', invoiceType: 'prepayment' }, 'B')
  // A sale to a consumer, to be reported within a day.
  await life.issued({ currency, invoiceKind: 'B2C', buyerId: null, dueDate: null, invoiceDate: '2026-11-15' })
  // Rejected, overdue and partly paid.
  const refused = await life.issued(late)
  ok(await life.pay(refused.id, 100), 201)
  await rejected(refused.id)
  // Rejected after a credit note was issued on it, which is rejected with it.
  const credited = await life.issued(late)
  await issuedNote(credited.id, 'credit-notes', { amount: 600 })
  await rejected(credited.id)
  // Accepted, with credit and debit notes that are finalised, accepted, rejected or drafts.
  const noted = await accepted({ dueDate: '2026-11-03', invoiceType: 'prepayment' }, 'B')
  await issuedNote(noted, 'credit-notes', { amount: 500 })
  await rejected(await issuedNote(noted, 'credit-notes', { amount: 700 }))
  await issuedNote(noted, 'debit-notes', { lineItems: [{ ...line, unitPrice: 30 }] })
  await rejected(await issuedNote(noted, 'debit-notes', { lineItems: [{ ...line, unitPrice: 40 }] }))
  ok(await post(noted, 'credit-notes', { reason: 'Perhaps', amount: 900 }), 201)
  // Paid and then credited, so that a refund is owed.
  const over = await accepted()
  ok(await life.pay(over, '14514.11'), 201)
  ok(await post(await issuedNote(over, 'credit-notes', { amount: 5000 }), 'submit'), 202)
  // Cancelled: issued in one month, credited in another.
  const cancelled = await accepted({ invoiceDate: '2026-10-20', dueDate: '2026-10-25' })
  ok(await post(cancelled, 'cancel', { reason: 'Ordered twice' }), 202)
  await own.until(cancelled, 'cancelled')
}

beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'], authorityThrough: authority.through })
  own = await reporter(app)
  await population('NGN')
  await population('USD')
  await app.quiet()
})
afterAll(() => app.close())

const byCurrency = <Row extends { readonly currency: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => (one.currency < other.currency ? -1 : 1))

/** The plain definition: the sum over every document of the list. */
function addedUp(documents: readonly ListedInvoice[]): Sums[] {
  const currencies = [...new Set(documents.map(({ currency }) => currency))]
  return byCurrency(
    currencies.map((currency) => {
      const counted = documents.filter(
        (one) => one.currency === currency && one.status !== 'draft' && one.status !== 'rejected',
      )
      const sum = (amount: (one: ListedInvoice) => number) => counted.reduce((total, one) => total + amount(one), 0)
      const sign = ({ invoiceType }: ListedInvoice) => (invoiceType === 'credit_note' ? -1 : 1)
      return {
        currency,
        documents: counted.length,
        invoicedMinor: sum((one) => sign(one) * one.payableMinor),
        taxMinor: sum((one) => sign(one) * one.taxMinor),
        paidMinor: sum((one) => one.paidMinor),
      }
    }),
  )
}

function monthsTogether(months: readonly (Sums & { readonly month: string })[]): Sums[] {
  const currencies = [...new Set(months.map(({ currency }) => currency))]
  const sum = (currency: string, name: Exclude<keyof Sums, 'currency'>) =>
    months.filter((one) => one.currency === currency).reduce((total, one) => total + one[name], 0)
  return byCurrency(
    currencies.map((currency) => ({
      currency,
      documents: sum(currency, 'documents'),
      invoicedMinor: sum(currency, 'invoicedMinor'),
      taxMinor: sum(currency, 'taxMinor'),
      paidMinor: sum(currency, 'paidMinor'),
    })),
  )
}

const ageOf = (dueDate: string | null): string => {
  const days = dueDate === null ? 0 : (Date.parse('2026-11-15') - Date.parse(dueDate)) / 86_400_000
  return days < 1 ? 'not_due' : days <= 30 ? '1_30' : days <= 60 ? '31_60' : days <= 90 ? '61_90' : 'over_90'
}

/** What is left to pay of one age, by the instalments that the documents show. */
const sumOfAge = (documents: readonly ListedInvoice[], age: string): number =>
  documents
    .flatMap(
      ({ instalments, dueDate, dueMinor }): readonly { dueDate: string | null; dueMinor: number }[] =>
        instalments ?? [{ dueDate, dueMinor }],
    )
    .reduce((total, part) => (ageOf(part.dueDate) === age ? total + part.dueMinor : total), 0)

// Before and after the lists have caught up. Before, readers add new documents.
describe.each([false, true])('with an up-to-date listing: %s', (areFollowed) => {
  beforeAll(async () => {
    if (areFollowed) await followAllLists(app.runtime.db, 1_000)
  })

  test.each(['A', 'B'] as const)('overview, statistics and lists agree on turnover and tax (form %s)', async (form) => {
    const [overview, statistics] = [await get(form, '/i/v1/overview'), await get(form, `${path}/statistics`)]
    const all = await list(form)
    const expected = addedUp(all)
    expect(expected).toHaveLength(2)
    expect(monthsTogether(overview.months)).toEqual(expected)
    expect(statistics.totals).toEqual(expected)
    for (const { status, invoiceType, currency, count } of statistics.groups)
      expect(
        all.filter((one) => one.status === status && one.invoiceType === invoiceType && one.currency === currency),
      ).toHaveLength(count)
  })

  test('the late documents of the overview are those of the list behind it', async () => {
    for (const currency of ['NGN', 'USD']) {
      const { receivables } = await get('A', '/i/v1/overview')
      const rows = receivables.filter((row: { currency: string }) => row.currency === currency)
      const late = rows.filter(({ age }: { age: string }) => age !== 'not_due')
      const sum = (some: readonly { count: number; dueMinor: number }[]) => [
        some.reduce((total, { count }) => total + count, 0),
        some.reduce((total, { dueMinor }) => total + dueMinor, 0),
      ]
      const sumOf = (documents: readonly ListedInvoice[], name: 'dueMinor' | 'overdueMinor') =>
        documents.reduce((total, one) => total + one[name], 0)
      const shown = await list('A', `&overdue=true&currency=${currency}`)
      // A document with instalments of several ages is in each of them, and its amounts are in one each.
      expect(sum(late)).toEqual([shown.length + 1, sumOf(shown, 'overdueMinor')])
      expect(shown.every(({ overdue }) => overdue)).toBe(true)
      expect(shown.length).toBeGreaterThan(2)
      // The list has every overdue document, and the overview every amount owed.
      const all = await list('A', `&currency=${currency}`)
      expect(all.filter(({ overdue }) => overdue)).toHaveLength(shown.length)
      const isOwed = ({ status, dueMinor }: ListedInvoice) =>
        !['draft', 'rejected', 'cancelled'].includes(status) && dueMinor > 0
      expect(sum(rows)[1]).toBe(sumOf(all.filter(isOwed), 'dueMinor'))
      // Each age leads to its own list, in both forms.
      for (const { age, count, dueMinor } of rows)
        for (const form of ['A', 'B'] as const) {
          const documents = await list(form, `&age=${age}&currency=${currency}`)
          expect([documents.length, sumOfAge(documents, age)]).toEqual([count, dueMinor])
        }
    }
  })

  test('the documents of each month are those of the list behind it', async () => {
    const { months } = await get('A', '/i/v1/overview')
    expect(months.length).toBeGreaterThan(4)
    for (const { month, ...sums } of months) {
      const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0))
        .toISOString()
        .slice(0, 10)
      const days = `&invoiceDateFrom=${month}&invoiceDateTo=${last}&currency=${sums.currency}`
      const shown = await list('A', `${days}&counted=true`)
      expect(addedUp(shown)).toEqual([sums])
      const [others, all] = [await list('B', `${days}&counted=false`), await list('B', days)]
      expect(shown.length + others.length).toBe(all.length)
    }
  })

  test('the documents with a near deadline are those of the list behind them', async () => {
    const { reports } = await get('A', '/i/v1/overview')
    const shown = await list('A', `&reportDueTo=${encodeURIComponent(reports.until)}`)
    expect(shown.length).toBeGreaterThan(0)
    expect(reports.late + reports.soon).toBe(shown.length)
  })
})

test('a cancelled invoice and its cancelling note add up to zero, each in its month', async () => {
  const { months } = await get('A', '/i/v1/overview')
  const october = months.filter(({ month }: { month: string }) => month === '2026-10-01')
  expect(october).toHaveLength(2)
  const [cancelled] = await list('A', '&status=cancelled&currency=NGN')
  const [note] = await list('A', `&originalInvoiceId=${cancelled?.id}`)
  expect(october.find(({ currency }: { currency: string }) => currency === 'NGN')).toMatchObject({
    documents: 1,
    invoicedMinor: cancelled?.payableMinor,
    taxMinor: cancelled?.taxMinor,
  })
  expect([note?.status, note?.payableMinor, note?.taxMinor]).toEqual([
    'accepted',
    cancelled?.payableMinor,
    cancelled?.taxMinor,
  ])
  await expectInvoicesAddUp(app, own.token)
})
