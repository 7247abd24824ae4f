import { expect, test } from 'vitest'
import { startTestApp } from '../harness/app.ts'
import { expectRefusal, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { rowsLeft } from './rows-left.ts'
import { comeBack, ok, signUp } from './telling.ts'

const path = '/i/v1/invoices'
const address = { line1: '3 Ring Road', city: 'Ibadan', state: 'Oyo', country: 'NG' }
const phone = '+2348030000001'

interface Line {
  readonly description: string
  readonly hsnCode?: string
  readonly isicCode?: string
  readonly quantity: number
  readonly unitCode: string
  readonly unitPrice: number
  readonly discountAmount?: number
  /** with the standard rate, or without tax */
  readonly taxed: boolean
}

interface Draft {
  readonly sellerId: string
  readonly buyerId: string
  readonly invoiceNumber: string
  readonly invoiceDate: string
  readonly dueDate?: string
  readonly lines: readonly Line[]
  readonly more?: object
}

interface Note {
  readonly original: { readonly id: string; readonly invoiceNumber: string }
  readonly draft: Draft
}

const linesA = (lines: readonly Line[]) =>
  lines.map(({ taxed, ...line }) => ({ ...line, taxCategory: taxed ? 'standard' : 'zero' }))
const linesB = (lines: readonly Line[]) => lines.map(({ taxed, ...line }) => ({ ...line, taxPercent: taxed ? 7.5 : 0 }))

/** The differences between the two forms. The story itself uses none of them directly. */
const tongues = {
  A: {
    buyer: (name: string, taxId: string, email: string) => ({
      name,
      taxId,
      email,
      phone,
      address,
      partyType: 'company',
    }),
    lines: linesA,
    draft: ({ lines, more, ...draft }: Draft) => ({
      ...draft,
      invoiceKind: 'B2B',
      currency: 'NGN',
      lineItems: linesA(lines),
      ...more,
    }),
    /** Form A creates the credit note from the invoice and numbers it by series. */
    creditNote: ({ original, draft }: Note): [string, object] => [
      `${path}/${original.id}/credit-notes`,
      { reason: 'Four chairs came back', lineItems: linesA(draft.lines) },
    ],
    isReady: ({ ready }: { ready: boolean }) => ready,
  },
  B: {
    buyer: (partyName: string, taxNumber: string, email: string) => ({
      partyName,
      taxNumber,
      email,
      phoneNumber: phone,
      postalAddress: address,
      partyType: 'company',
    }),
    lines: linesB,
    draft: ({ lines, more, ...draft }: Draft) => ({ ...draft, lineItems: linesB(lines), ...more }),
    /** Form B creates it as an ordinary draft that names the invoice and has its own number. */
    creditNote: ({ original, draft }: Note): [string, object] => [
      path,
      {
        ...tongues.B.draft(draft),
        invoiceType: 'credit_note',
        originalInvoiceNumber: original.invoiceNumber,
      },
    ],
    isReady: ({ valid }: { valid: boolean }) => valid,
  },
}

const chairs: Line = {
  description: 'Garden chairs',
  hsnCode: '940171',
  quantity: 48,
  unitCode: 'EA',
  unitPrice: 18_250.125,
  taxed: true,
}
const trip: Line = {
  description: 'Delivery to Ibadan',
  isicCode: '4923',
  quantity: 1.5,
  unitCode: 'HUR',
  unitPrice: 12_000,
  discountAmount: 333.33,
  taxed: true,
}
const books: Line = {
  description: 'School readers',
  hsnCode: '490110',
  quantity: 0.125,
  unitCode: 'KGM',
  unitPrice: 99_999.9999,
  taxed: false,
}

/** Calculated by hand: 7.5 % on the chairs and the trip, after their shares of allowance and charge. */
const comesTo = {
  furniture: { netMinor: 90_617_267, taxMinor: 6_647_071, payableMinor: 96_514_337 },
  desk: { netMinor: 88_850_600, taxMinor: 6_570_045, payableMinor: 95_420_645 },
  returned: { netMinor: 7_300_050, taxMinor: 547_504, payableMinor: 7_847_554 },
}

/** Three weeks of a workshop that issues invoices, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ now: '2026-09-07T08:00:00Z' })
  try {
    const client = app.client(form)
    const { buyer, lines, draft, creditNote, isReady } = tongues[form]
    const yetunde = await signUp(app, client, 'yetunde@ade.test', {
      firstName: 'Yetunde',
      lastName: 'Ade',
      organizationName: 'Ade Works',
    })
    const sellerId: string = await eventually(async () => {
      const { data } = await ok(client.get('/i/v1/sellers', { token: yetunde.token }))
      expect(data).toHaveLength(1)
      return data[0].id
    })
    const post = async (to: string, body?: object): Promise<Reply> => {
      app.clock.advance({ minutes: 1 })
      return await client.post(to, { token: yetunde.token, ...(body === undefined ? {} : { body }) })
    }
    const change = async (id: string, version: string, body: object): Promise<Reply> => {
      app.clock.advance({ minutes: 1 })
      return await client.patch(`${path}/${id}`, { token: yetunde.token, body, headers: { 'if-match': version } })
    }
    const write = async (invoice: Draft): Promise<string> => (await ok(post(path, draft(invoice)))).data.id

    // Monday: she creates her buyers and her most frequent items.
    const school = (await ok(post('/i/v1/buyers', buyer('Ìbàdàn Grammar School', '20411873-0001', 'bursar@igs.test'))))
      .data.id
    const chair = { name: 'Garden chair', itemType: 'goods', hsnCode: '940171', productCategory: 'Furniture' }
    const price = { unitCode: 'EA', unitPriceMinor: '1825012.5', currency: 'NGN', taxCategory: 'standard' }
    await ok(post('/i/v1/items', { ...chair, ...price }))

    // Tuesday: an offer becomes a draft. She checks it against the authority's rules, which is free.
    app.clock.set('2026-09-08T09:00:00Z')
    await comeBack(client, yetunde)
    const parties = { sellerId, buyerId: school }
    const first: Draft = {
      ...parties,
      invoiceNumber: 'AW1001',
      invoiceDate: '2026-09-08',
      dueDate: '2026-09-22',
      lines: [chairs],
      more: { paymentTerms: 'Fourteen days', notes: 'With the old price list' },
    }
    const report = await ok(post(`${path}/validate`, draft(first)))
    expect(isReady(report.data)).toBe(false)
    const written = await ok(post(path, draft(first)))
    const furniture: string = written.data.id
    expectRefusal(await post(path, draft({ ...first, invoiceDate: '2026-09-09' })), 'invoice.number_taken')

    // Wednesday: the school also wants delivery and books, and gets a discount. The remark was wrong.
    app.clock.set('2026-09-09T10:00:00Z')
    await comeBack(client, yetunde)
    const version = written.headers.get('etag') as string
    const mended = {
      lineItems: lines([chairs, trip, books]),
      allowanceAmount: 10_000.01,
      chargeAmount: 2_500,
      notes: null,
    }
    await ok(change(furniture, version, mended))
    expectRefusal(await change(furniture, version, { notes: 'Too late' }), 'version.stale')

    // A mistaken draft is deleted, and its number is not used again.
    const mistaken = await write({ ...parties, invoiceNumber: 'AW1002', invoiceDate: '2026-09-09', lines: [books] })
    app.clock.advance({ minutes: 1 })
    await ok(client.delete(`${path}/${mistaken}`, { token: yetunde.token }))
    const again: Draft = { ...parties, invoiceNumber: 'aw1002', invoiceDate: '2026-09-09', lines: [books] }
    expectRefusal(await post(path, draft(again)), 'invoice.number_taken')

    // Thursday: the furniture's invoice is finalised and emailed.
    app.clock.set('2026-09-10T08:00:00Z')
    await comeBack(client, yetunde)
    await ok(post(`${path}/${furniture}/finalise`))
    const sent = await ok(post(`${path}/${furniture}/send`))
    const [mail] = await app.mailTo('bursar@igs.test')
    expect(mail?.subject).toBe('[Test] Tax invoice AW1001 from Ade Works')
    expectRefusal(await change(furniture, sent.headers.get('etag') as string, { notes: 'x' }), 'invoice.edit.not_draft')

    // Two weeks later four chairs come back. The school gets a credit note by email. A credit above the rest is
    // refused.
    app.clock.set('2026-09-24T09:00:00Z')
    await comeBack(client, yetunde)
    const original = { id: furniture, invoiceNumber: 'AW1001' }
    const note = (invoiceNumber: string, quantity: number) =>
      creditNote({
        original,
        draft: { ...parties, invoiceNumber, invoiceDate: '2026-09-24', lines: [{ ...chairs, quantity }] },
      })
    expectRefusal(await post(...note('CN000001', 49)), 'invoice.note.too_much')
    const returned = await ok(post(...note('CN000001', 4)))
    expect(returned.data).toMatchObject({ invoiceNumber: 'CN000001', originalInvoiceId: furniture })
    await ok(post(`${path}/${returned.data.id}/finalise`))
    await ok(post(`${path}/${returned.data.id}/send`))
    expect((await app.mailTo('bursar@igs.test', 2))[0]?.subject).toBe('[Test] Credit note CN000001 from Ade Works')

    // The month's report: the school is late, and one draft remains.
    const desks = await write({
      ...parties,
      invoiceNumber: 'AW1003',
      invoiceDate: '2026-09-24',
      lines: [books, chairs],
      more: {
        instalments: [
          { dueDate: '2026-09-24', percent: 40 },
          { dueDate: '2026-10-24', percent: 60 },
        ],
      },
    })
    const { data: inParts } = await ok(client.get(`${path}/${desks}`, { token: yetunde.token }))
    expect(inParts).toMatchObject({
      dueDate: '2026-10-24',
      nextDueDate: '2026-09-24',
      instalments: [{ amountMinor: 38_168_258 }, { amountMinor: 57_252_387 }],
    })
    const { data: listed } = await ok(
      client.get(`${path}?search=ibadan&sortBy=invoiceNumber&sortOrder=ASC`, { token: yetunde.token }),
    )
    const { furniture: sold, desk, returned: back } = comesTo
    expect(listed).toMatchObject([
      { invoiceNumber: 'AW1001', ...sold, creditedMinor: 7_847_554, dueMinor: 88_666_783, overdue: true },
      { invoiceNumber: 'AW1003', ...desk, simpleStatus: 'draft', creditedMinor: 0, overdue: false },
      { invoiceNumber: 'CN000001', ...back, simpleStatus: 'delivered', overdue: false },
    ])
    const { data: statistics } = await ok(
      client.get(`${path}/statistics?startDate=2026-09-01&endDate=2026-09-30`, { token: yetunde.token }),
    )
    const { data: account } = await ok(client.get('/b/v1/billing-accounts/me', { token: yetunde.token }))
    // Charged: a buyer, three drafts and a credit note. Free: the report and the refused requests.
    expect(account.creditBalance).toBe(100_000 - 1 - 4)
    await app.quiet()

    const tables = [
      ['invoices', 'created_at'],
      ['invoice_numbers', 'reading'],
      ['invoice_listing', 'created_at'],
      ['credit_balances', 'mode'],
      ['credit_moves', 'created_at'],
      ['messages', 'created_at'],
      ['events', 'id'],
    ] as const
    // Only one form requires a reason and numbers credit notes by series, so `number_series` is left out. The time of
    // sending depends on the background work.
    const ignored = ['invoices.reason', 'messages.sent_at', 'messages.sealed_body']
    const rows = await rowsLeft(app.runtime.db, tables, ignored, /^(billing|seller)\./)
    return { rows, statistics, problems: report.data.problems }
  } finally {
    await app.close()
  }
}

test('a company invoices its buyers, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  expect(throughB).toEqual(throughA)
  const { rows, statistics } = throughA
  expect(rows.invoice_numbers).toMatchObject(['AW1001', 'AW1002', 'AW1003', 'CN000001'].map((reading) => ({ reading })))
  const group = { currency: 'NGN', count: 1, paidMinor: 0 }
  expect(statistics.groups).toHaveLength(3)
  expect(new Set(statistics.groups)).toEqual(
    new Set([
      { ...group, ...comesTo.furniture, status: 'finalised', invoiceType: 'standard' },
      { ...group, ...comesTo.desk, status: 'draft', invoiceType: 'standard' },
      { ...group, ...comesTo.returned, status: 'finalised', invoiceType: 'credit_note' },
    ]),
  )
  expect(rows.events?.map((event) => (event as { type: string }).type)).toEqual([
    ...['organization.created', 'member.joined', 'buyer.created', 'item.created'],
    ...['invoice.created', 'invoice.updated', 'invoice.created', 'invoice.deleted'],
    ...['invoice.finalised', 'invoice.sent', 'invoice.created'],
    // A credit note also changes the invoice that it corrects.
    ...['invoice.updated', 'invoice.finalised', 'invoice.sent', 'invoice.created'],
  ])
})
