import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { brokenMoney, collectionPath, ownBankAccount } from '../../../../../test/harness/collection.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectInvoicesAddUp } from '../../../../../test/harness/invoice-identity.ts'
import { ok, invoicesPath as path, payableMinor } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: authority.through,
    bank: true,
  })
  own = await reporter(app)
  const body = { sellerId: own.sellerId, ...ownBankAccount }
  ok(await app.a.post(`${collectionPath}/settlement-accounts`, { token: own.token, body }), 201)
})
afterAll(() => app.close())
beforeEach(() => {
  authority.behaviourOf = () => 'well'
  authority.refuses = () => undefined
})

type Form = 'A' | 'B'
const post = (id: string, action: string, body?: object, form: Form = 'A') =>
  app.client(form).post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
const report = async (id: string, form: Form = 'A') =>
  ok(await app.client(form).get(`${path}/${id}/status`, { token: own.token })).report
const refuseAll = (told = 'invoicerequest.invoice.accountingcustomerparty.tin must be a valid tin') => {
  authority.refuses = () => told
}
/** An invoice that the authority rejected after these steps. */
async function rejected(
  before: (id: string) => Promise<unknown> = async () => {},
  more: object = {},
  form: Form = 'A',
) {
  const issued = await own.life.issued(more, form)
  await before(issued.id)
  refuseAll()
  ok(await post(issued.id, 'submit', undefined, form), 202)
  await own.until(issued.id, 'rejected')
  authority.refuses = () => undefined
  return issued
}
const share = async (id: string): Promise<string> => ok(await post(id, 'share'), 201).url
const pageAt = (link: string) => fetch(new URL(new URL(link).pathname, app.url))

describe.each(['A', 'B'] as const)('an invoice that was rejected, in form %s', (form) => {
  test('is corrected under its number and date, even if it was sent, shared or paid, and accepted', async () => {
    let link = ''
    const { id, invoiceNumber, invoiceDate } = await rejected(
      async (issued) => {
        ok(await post(issued, 'send'))
        link = await share(issued)
        ok(await own.life.pay(issued, 1000), 201)
      },
      {},
      form,
    )
    expect(await report(id, form)).toMatchObject({ canReopen: true, canRetry: false, canCancel: false })
    expect(ok(await post(id, 'reopen', undefined, form))).toMatchObject({
      status: 'draft',
      invoiceNumber,
      paidMinor: 100_000,
    })
    await expectInvoicesAddUp(app)
    // A draft has no public page.
    expect((await pageAt(link)).status).toBe(404)
    const patch = (body: object) => app.client(form).patch(`${path}/${id}`, { token: own.token, body })
    expect(faultPaths(await patch({ invoiceDate: '2026-11-03' }))).toEqual(['invoiceDate'])
    expect(faultPaths(await patch({ currency: 'USD' }))).toEqual(['currency'])
    const otherBuyer = await own.life.buyer({ email: `mended-${form}@chidi.test` })
    ok(await app.a.post(`/i/v1/buyers/${otherBuyer}/verify-tax-number`, { token: own.token }), 202)
    await app.quiet()
    ok(await patch({ notes: 'Mended' }))
    ok(await post(id, 'finalise', undefined, form))
    ok(await post(id, 'submit', undefined, form), 202)
    await own.until(id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({
      invoiceNumber,
      invoiceDate,
      paidMinor: 100_000,
      dueMinor: payableMinor - 100_000,
      notes: 'Mended',
      reporting: { delivery: 'sent_email' },
    })
    expect((await pageAt(link)).status).toBe(200)
    expect((await own.life.told(id)).filter((type) => type === 'invoice.sent')).toHaveLength(2)
    await expectInvoicesAddUp(app, own.token)
  })

  test('can get another buyer and takes the kind of that buyer; the earlier recipient gets neither the new version nor its page', async () => {
    let link = ''
    const { id } = await rejected(
      async (issued) => {
        ok(await post(issued, 'send'))
        link = await share(issued)
      },
      {},
      form,
    )
    ok(await post(id, 'reopen', undefined, form))
    const buyerId = await own.life.buyer({ partyType: 'government', email: `office-${form}@lagos.test` })
    const changed = ok(await app.client(form).patch(`${path}/${id}`, { token: own.token, body: { buyerId } }))
    expect(changed).toMatchObject({ buyerId, sentAt: null, sharedAt: null })
    const [{ kind }] = (await app.runtime.db.rows<{ kind: string }>(
      sql`select kind from invoices where id = ${id}`,
    )) as [{ kind: string }]
    // One form names the kind itself; in the other the kind follows from the buyer.
    expect(kind).toBe(form === 'A' ? 'B2B' : 'B2G')
    ok(await post(id, 'finalise', undefined, form))
    expect((await pageAt(link)).status).toBe(404)
    expect((await own.life.told(id)).filter((type) => type === 'invoice.sent')).toHaveLength(1)
  })
})

test('every recipient of the earlier version is mailed the new one, marked as new, and a reached mail limit is reported', async () => {
  const email = 'first@chidi.test'
  const buyerId = await own.life.buyer({ email })
  ok(await app.a.post(`/i/v1/buyers/${buyerId}/verify-tax-number`, { token: own.token }), 202)
  await app.quiet()
  const { id, invoiceNumber } = await rejected(
    async (issued) => {
      ok(await post(issued, 'send'))
      ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token: own.token, body: { email: 'second@chidi.test' } }))
      ok(await post(issued, 'send'))
    },
    { buyerId },
  )
  ok(await post(id, 'reopen'))
  expect(ok(await post(id, 'finalise')).warnings).toEqual([])
  for (const to of [email, 'second@chidi.test']) {
    const mails = await app.mailTo(to, 2)
    expect(mails.map(({ subject }) => subject).filter((subject) => subject.includes('New version'))).toEqual([
      expect.stringContaining(invoiceNumber),
    ])
  }
  const told = (await eventsAbout(app, id)).filter(({ type }) => type === 'invoice.sent').slice(-2)
  expect(told.map(({ data }) => data)).toEqual([
    expect.objectContaining({ to: 'second@chidi.test', revised: true }),
    expect.objectContaining({ to: email, revised: true }),
  ])
  // The invoice is issued even if the daily limit of mails is reached.
  for (let times = 0; times < 3; times++) ok(await post(id, 'send'))
  refuseAll()
  ok(await post(id, 'submit'), 202)
  await own.until(id, 'rejected')
  ok(await post(id, 'reopen'))
  const again = ok(await post(id, 'finalise'))
  expect(again).toMatchObject({ status: 'finalised', reporting: { delivery: 'sent_email' } })
  expect(again.warnings).toEqual([
    { path: 'sentAt', rule: 'limit', message: expect.stringContaining('was not sent to second@chidi.test') },
  ])
})

test('if it was paid and then reduced, a refund is owed', async () => {
  const { id } = await rejected(async (issued) => ok(await own.life.pay(issued, '14514.11'), 201))
  ok(await post(id, 'reopen'))
  const lineItems = [
    {
      description: 'Cement',
      hsnCode: '2523.29',
      unitCode: 'XBG',
      quantity: 1,
      unitPrice: 100,
      taxCategory: 'standard',
    },
  ]
  ok(await app.a.patch(`${path}/${id}`, { token: own.token, body: { lineItems } }))
  expectRefusal(await app.a.delete(`${path}/${id}`, { token: own.token }), 'invoice.delete.not_draft')
  await expectInvoicesAddUp(app, own.token)
  ok(await post(id, 'finalise'))
  ok(await post(id, 'submit'), 202)
  await own.until(id, 'accepted')
  expect(await own.life.get(id)).toMatchObject({
    payableMinor: 10_750,
    refundOwedMinor: payableMinor - 10_750,
    dueMinor: 0,
  })
  await expectInvoicesAddUp(app, own.token)
})

test('a note that was sent before its invoice was rejected can be reopened and deleted, and then the invoice can be reopened', async () => {
  let note = { id: '' }
  const { id } = await rejected(async (issued) => {
    note = ok(await post(ok(await own.life.credit(issued, { amount: 100 }), 201).id, 'finalise'))
    ok(await post(note.id, 'send'))
    await share(note.id)
  })
  expect((await report(id)).canReopen).toBe(false)
  expectRefusal(await post(id, 'reopen'), 'invoice.reopen.not_possible')
  expect((await report(note.id)).canReopen).toBe(true)
  ok(await post(note.id, 'reopen'))
  expectRefusal(await post(note.id, 'finalise'), 'invoice.note.not_possible')
  ok(await app.a.delete(`${path}/${note.id}`, { token: own.token }))
  expect((await report(id)).canReopen).toBe(true)
  ok(await post(id, 'reopen'))
  await expectInvoicesAddUp(app)
})

describe('the flags agree with what the operations allow', () => {
  const lineItems = [
    { description: 'Freight', hsnCode: '2523.29', unitCode: 'EA', quantity: 1, unitPrice: 10, taxCategory: 'zero' },
  ]
  const accepted = async () => {
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    return id
  }
  const lives: [what: string, make: () => Promise<string>][] = [
    ['a draft', async () => (await own.life.draft()).id],
    ['finalised', async () => (await own.life.issued()).id],
    ['finalised and sent', async () => ok(await post((await own.life.issued()).id, 'send')).id],
    [
      'finalised and shared',
      async () => {
        const { id } = await own.life.issued()
        await share(id)
        return id
      },
    ],
    ['finalised and paid in part', async () => ok(await own.life.pay((await own.life.issued()).id, 1), 201).invoice.id],
    [
      'finalised with the draft of a note',
      async () => ok(await own.life.credit((await own.life.issued()).id), 201).originalInvoiceId,
    ],
    ['rejected', async () => (await rejected()).id],
    ['rejected, and sent before', async () => (await rejected((id) => post(id, 'send'))).id],
    [
      'rejected for what an operator has to mend',
      async () => {
        const { id } = await own.life.issued()
        refuseAll('invoicerequest.business_id is not known')
        ok(await post(id, 'submit'), 202)
        await own.until(id, 'rejected')
        return id
      },
    ],
    ['accepted', accepted],
    [
      'accepted with the draft of a note',
      async () => ok(await own.life.credit(await accepted(), { amount: 1 }), 201).originalInvoiceId,
    ],
    [
      'accepted, and all of it credited',
      async () => {
        const id = await accepted()
        const note = ok(await post(ok(await own.life.credit(id), 201).id, 'finalise'))
        ok(await post(note.id, 'submit'), 202)
        await own.until(note.id, 'accepted')
        return id
      },
    ],
    [
      'an accepted debit note',
      async () => {
        const made = ok(await post(await accepted(), 'debit-notes', { reason: 'Freight', lineItems }), 201)
        ok(await post(made.id, 'finalise'))
        ok(await post(made.id, 'submit'), 202)
        await own.until(made.id, 'accepted')
        return made.id
      },
    ],
    [
      'cancelled',
      async () => {
        const id = await accepted()
        ok(await post(id, 'cancel', { reason: 'Ordered twice' }), 202)
        await own.until(id, 'cancelled')
        return id
      },
    ],
  ]
  test.each(lives)('%s', async (_what, make) => {
    const id = await make()
    authority.refuses = () => undefined
    // Read each flag first; then try the operation. At most one operation changes something.
    for (const form of ['A', 'B'] as const) {
      const { canReopen, canRetry, canCancel } = await report(id, form)
      if (!canRetry) expect((await post(id, 'retry', undefined, form)).status).toBe(form === 'A' ? 409 : 400)
      if (!canCancel)
        expect((await post(id, 'cancel', { reason: 'Ordered twice' }, form)).status).toBe(form === 'A' ? 409 : 400)
      if (!canReopen) expect((await post(id, 'reopen', undefined, form)).status).toBe(form === 'A' ? 409 : 400)
      if (form === 'A') continue
      if (canReopen) ok(await post(id, 'reopen', undefined, form))
      else if (canCancel) ok(await post(id, 'cancel', { reason: 'Ordered twice' }, form))
    }
  })
})

describe('the credit of a buyer', () => {
  /** A buyer with this credit, in major units. */
  async function credited(amount: number) {
    const buyerId = await own.life.buyer()
    const body = {
      mode: 'persistent',
      jurisdiction: 'NG',
      sellerId: own.sellerId,
      reference: `credit-${buyerId}`,
      buyerId,
    }
    const account = ok(
      await app.a.post(`${collectionPath}/accounts`, {
        token: own.token,
        body: { ...body, customer: { name: 'Chidi' } },
      }),
      201,
    )
    const transfer = { accountNumber: account.accountNumber, amount }
    ok(await app.a.post('/sandbox/v1/transfers', { token: own.token, body: transfer }), 201)
    await eventually(async () => expect(await creditOf(buyerId)).toBe(amount * 100))
    return buyerId
  }
  const creditOf = async (buyerId: string): Promise<number> =>
    ok(await app.a.get(`${collectionPath}/credits`, { token: own.token })).find(
      (one: { buyerId: string }) => one.buyerId === buyerId,
    )?.balanceMinor ?? 0

  test('returns to the buyer when the invoice is reopened, and to the invoice when it is finalised again', async () => {
    const buyerId = await credited(50)
    const { id } = await own.life.issued({ buyerId })
    await eventually(async () => expect((await own.life.get(id)).paidMinor).toBe(5_000))
    expect((await report(id)).canReopen).toBe(true)
    expect(ok(await post(id, 'reopen'))).toMatchObject({ status: 'draft', paidMinor: 0 })
    expect(await creditOf(buyerId)).toBe(5_000)
    await expectInvoicesAddUp(app)
    expect(await brokenMoney(app)).toEqual([])
    ok(await post(id, 'finalise'))
    await eventually(async () => expect((await own.life.get(id)).paidMinor).toBe(5_000))
    expect(await creditOf(buyerId)).toBe(0)
    // A recorded payment blocks reopening, and no credit is returned.
    const { payment } = ok(await own.life.pay(id, 1), 201)
    expect((await report(id)).canReopen).toBe(false)
    expect(faultPaths(await post(id, 'reopen'))).toEqual(['paidMinor'])
    expect((await own.life.get(id)).paidMinor).toBe(5_100)
    ok(await app.a.delete(`${path}/${id}/payments/${payment.id}`, { token: own.token }))
    ok(await post(id, 'reopen'))
    ok(await app.a.delete(`${path}/${id}`, { token: own.token }))
    expect(await creditOf(buyerId)).toBe(5_000)
    expect(await brokenMoney(app)).toEqual([])
  })
})
