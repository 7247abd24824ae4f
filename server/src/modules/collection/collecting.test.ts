import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nuban } from '../../../../simulators/src/bank/nuban.ts'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { brokenMoney, type Collector, collectionPath, collector } from '../../../../test/harness/collection.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { ok, payableMinor } from '../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import type { StubServer } from '../../../../test/harness/stub-server.ts'
import { startReceiver } from '../../../../test/harness/webhook-receiver.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import type { InvoiceId } from '../invoices/index.ts'
import { findAccountToPay } from './accounts/virtual-accounts.store.ts'
import { collectionMetrics } from './notifications/collection-metrics.ts'

let app: TestApp
let own: Collector
beforeAll(async () => {
  app = await startTestApp({ bank: true })
  own = await collector(app)
})
afterAll(() => app.close())
afterEach(async () => {
  app.bank.control.behave({})
  expect(await brokenMoney(app)).toEqual([])
})

const due = payableMinor / 100
const clients: Record<'A' | 'B', () => Client> = { A: () => app.a, B: () => app.b }

/** Runs a job as if this many minutes had passed, then turns the clock back, because sessions expire. */
async function later(minutes: number, job: string) {
  const now = app.clock.now()
  app.clock.set(new Date(now.getTime() + minutes * 60_000))
  await app.runJob(job)
  app.clock.set(now)
}
/** An invoice with its own virtual account. */
async function billed(more: object = {}) {
  const buyerId = await own.life.buyer()
  const invoice = await own.life.issued({ buyerId })
  const account = await own.open({ mode: 'dynamic', invoiceId: invoice.id, amount: due, ...more })
  return { invoice, account, buyerId }
}
/** A buyer of its own with an account for all its payments, independent of other tests. */
async function payer() {
  const buyerId = await own.life.buyer()
  const account = await own.open({ buyerId })
  return { buyerId, account, invoice: (more: object = {}) => own.life.issued({ buyerId, ...more }) }
}

describe('payments of several sellers, and rejected invoices', () => {
  /** A second seller of the organisation with its own bank account. */
  async function secondSeller(): Promise<string> {
    const sellerId = await own.life.seller()
    const body = { sellerId, bankCode: '058', accountNumber: nuban('058', 23_456_789) }
    ok(await app.a.post(`${collectionPath}/settlement-accounts`, { token: own.token, body }), 201)
    return sellerId
  }

  test('a transfer pays only invoices of the seller whose account received it', async () => {
    const other = await secondSeller()
    const { buyerId, account, invoice } = await payer()
    // Only form B names sellers besides the organisation itself.
    const ofOther = () => own.life.issued({ buyerId, sellerId: other }, 'B')
    const theirs = await ofOther()
    const ours = await invoice()
    await own.payment(await own.transfer(account.accountNumber, due))
    expect(await own.life.get(theirs.id)).toMatchObject({ paidMinor: 0 })
    expect(await own.life.get(ours.id)).toMatchObject({ paymentStatus: 'paid' })
    // The buyer owes this seller nothing else, so the money becomes credit for this seller's next invoice.
    const credit = await own.payment(await own.transfer(account.accountNumber, 100))
    expect(credit).toMatchObject({ appliedMinor: 0, creditedMinor: 10_000, buyerId })
    const nextOfOther = await ofOther()
    const next = await invoice()
    await eventually(async () => expect(await own.life.get(next.id)).toMatchObject({ paidMinor: 10_000 }))
    expect(await own.life.get(nextOfOther.id)).toMatchObject({ paidMinor: 0 })
    // The other seller's buyer must not see this account either.
    const tenant = { organisationId: own.organisationId as OrganisationId, mode: 'sandbox' as const }
    const accountFor = ({ id }: { id: string }) =>
      findAccountToPay(app.runtime.db, tenant, id as InvoiceId, app.clock.now())
    expect(await accountFor(next)).toMatchObject({ id: account.id })
    expect(await accountFor(nextOfOther)).toBeUndefined()
  })

  test.each(['A', 'B'] as const)(
    'form %s: a payment resolved to a buyer pays only invoices of the seller who got the money',
    async (form) => {
      const other = await secondSeller()
      const buyerId = await own.life.buyer()
      const theirs = await own.life.issued({ buyerId, sellerId: other, invoiceDate: '2026-10-01' }, 'B')
      const ours = await own.life.issued({ buyerId })
      const { accountNumber } = await own.open()
      const stray = await own.payment(await own.transfer(accountNumber, due + 100))
      expect(stray).toMatchObject({ reconciliationStatus: 'unmatched' })
      const resolve = (body: object) => own.act(`/exceptions/${stray.id}/resolve`, body, form)
      const refused = await resolve({ invoiceId: theirs.id })
      expectRefusal(refused, 'collection.invoice_closed')
      expect(refused.body.error.message).toMatch(/another seller/)
      const resolved = ok(await resolve({ buyerId }))
      expect(resolved).toMatchObject({ appliedMinor: payableMinor, creditedMinor: 10_000, buyerId })
      expect(await own.life.get(ours.id)).toMatchObject({ paymentStatus: 'paid' })
      expect(await own.life.get(theirs.id)).toMatchObject({ paidMinor: 0 })
    },
  )

  test.each(['A', 'B'] as const)('form %s refuses an account of one seller for an invoice of another', async (form) => {
    const sellerId = await secondSeller()
    const invoice = await own.life.issued({ buyerId: await own.life.buyer() })
    const reply = await own.tryToOpen({ mode: 'dynamic', invoiceId: invoice.id, amount: due, sellerId }, form)
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual(['sellerId'])
  })

  test('a transfer is not applied to a rejected invoice', async () => {
    const { account, invoice } = await payer()
    const [rejected, owed] = [await invoice(), await invoice()]
    await app.owner.run(sql`update invoices set status = 'rejected' where id = ${rejected.id}`)
    await own.payment(await own.transfer(account.accountNumber, due))
    expect(await own.life.get(owed.id)).toMatchObject({ paymentStatus: 'paid' })
    expect(await own.life.get(rejected.id)).toMatchObject({ paidMinor: 0 })
  })
})

describe('an account for one invoice', () => {
  test('the exact amount pays the invoice, and emits events', async () => {
    const { invoice, account, buyerId } = await billed()
    const sending = { accountNumber: account.accountNumber, amount: due, narration: 'Cement' }
    const sent = ok(await app.b.post('/sandbox/v1/transfers', { token: own.token, body: sending }), 201)
    const paid = await own.payment(sent.providerReference)
    expect(paid).toMatchObject({
      accountId: account.id,
      buyerId,
      amountMinor: payableMinor,
      appliedMinor: payableMinor,
      creditedMinor: 0,
      refundedMinor: 0,
      unmatchedMinor: 0,
      reconciliationStatus: 'applied',
      narration: 'Cement',
    })
    expect(await own.life.get(invoice.id)).toMatchObject({ paymentStatus: 'paid', simpleStatus: 'paid', dueMinor: 0 })
    const events = await eventsAbout(app, paid.id)
    expect(events.map(({ type }) => type).sort()).toEqual([
      'collection.payment_applied',
      'collection.payment_received',
      'collection.payment_reconciled',
    ])
    expect(events.find(({ type }) => type === 'collection.payment_applied')?.data).toMatchObject({
      appliedAmount: '14514.11',
      unappliedAmount: '0.00',
      invoiceIds: [invoice.id],
      reconciliationStatus: 'applied',
    })
    const list = ok(await app.b.get(`/i/v1/invoices/${invoice.id}`, { token: own.token }))
    expect(list.paymentStatus).toBe('paid')
  })

  test('an overpayment is credit, and is applied to the next invoice', async () => {
    const { buyerId, invoice } = await payer()
    const first = await invoice()
    const account = await own.open({ mode: 'dynamic', invoiceId: first.id, amount: due })
    const paid = await own.payment(await own.transfer(account.accountNumber, due + 100))
    expect(paid).toMatchObject({ creditedMinor: 10_000, reconciliationStatus: 'overpaid', buyerId })
    expect(await own.list('/credits')).toContainEqual({ buyerId, currency: 'NGN', balanceMinor: 10_000 })
    expect((await own.list('/exceptions')).map(({ id }) => id)).toContain(paid.id)
    for (const list of ['/payments', '/exceptions', '/credits']) {
      const inB = ok(await app.b.get(`${collectionPath}${list}`, { token: own.token }))
      expect(JSON.stringify(inB), list).toContain(buyerId)
    }
    const next = await invoice()
    await eventually(async () => expect((await own.life.get(next.id)).paidMinor).toBe(10_000))
    expect(await own.life.get(next.id)).toMatchObject({ paymentStatus: 'partially_paid', simpleStatus: 'part_paid' })
    expect(await own.payment(paid.providerReference)).toMatchObject({
      appliedMinor: payableMinor + 10_000,
      creditedMinor: 0,
      reconciliationStatus: 'applied',
    })
    expect((await own.list('/credits')).filter((one) => one.buyerId === buyerId)).toEqual([])
  })

  test('a smaller amount is a partial payment, and the rest can follow', async () => {
    const { invoice, account } = await billed()
    await own.payment(await own.transfer(account.accountNumber, 1_000))
    expect(await own.life.get(invoice.id)).toMatchObject({ paymentStatus: 'partially_paid', paidMinor: 100_000 })
    await own.payment(await own.transfer(account.accountNumber, due - 1_000))
    expect(await own.life.get(invoice.id)).toMatchObject({ paymentStatus: 'paid' })
  })

  test('a transfer for a paid or cancelled invoice becomes an exception', async () => {
    const { invoice, account } = await billed()
    await own.life.pay(invoice.id, due)
    const late = await own.payment(await own.transfer(account.accountNumber, due))
    expect(late).toMatchObject({ unmatchedMinor: payableMinor, reconciliationStatus: 'unmatched' })
    const { invoice: gone, account: other } = await billed()
    await own.life.become(gone.id, 'cancelled')
    expect(await own.payment(await own.transfer(other.accountNumber, 5))).toMatchObject({ unmatchedMinor: 500 })
  })

  test('the shared page shows the account number, and later that the invoice is paid', async () => {
    const { invoice, account } = await billed()
    const { url } = ok(await own.life.act(invoice.id, 'share'), 201)
    const page = async () => await (await fetch(`${app.url}${new URL(url).pathname}`)).text()
    expect(await page()).toContain(account.accountNumber)
    ok(await own.act(`/accounts/${account.id}/deactivate`))
    expect(await page()).not.toContain(account.accountNumber)
    const another = await own.open({ buyerId: (await own.life.get(invoice.id)).buyerId })
    expect(await page()).toContain(another.accountNumber)
    await own.payment(await own.transfer(another.accountNumber, due))
    expect(await page()).not.toContain(another.accountNumber)
  })

  test('a payment by transfer cannot be reversed by hand', async () => {
    const { invoice, account } = await billed()
    await own.payment(await own.transfer(account.accountNumber, due))
    const { token } = own
    const [recorded] = ok(await app.a.get(`/i/v1/invoices/${invoice.id}/payments`, { token }))
    expect(recorded).toMatchObject({ method: 'bank_transfer', amountMinor: payableMinor })
    const reversed = await app.a.delete(`/i/v1/invoices/${invoice.id}/payments/${recorded.id}`, { token })
    expectRefusal(reversed, 'invoice.payment_collected')
  })
})

describe('an account for a buyer', () => {
  test('the oldest open invoice is paid first', async () => {
    const { account, invoice } = await payer()
    const newer = await invoice({ invoiceDate: '2026-11-03' })
    const older = await invoice({ invoiceDate: '2026-10-01' })
    await own.payment(await own.transfer(account.accountNumber, due + 1))
    expect(await own.life.get(older.id)).toMatchObject({ paymentStatus: 'paid' })
    expect(await own.life.get(newer.id)).toMatchObject({ paymentStatus: 'partially_paid', paidMinor: 100 })
  })

  test('a transfer without a matching invoice is credit, which pays the next invoice', async () => {
    const { buyerId, account, invoice } = await payer()
    await invoice({ currency: 'USD' })
    const early = await own.payment(await own.transfer(account.accountNumber, 500))
    expect(early).toMatchObject({ reconciliationStatus: 'overpaid', creditedMinor: 50_000, unmatchedMinor: 0, buyerId })
    const credits = (await own.list('/credits')).filter((one) => one.buyerId === buyerId)
    expect(credits).toMatchObject([{ currency: 'NGN', balanceMinor: 50_000 }])
    const next = await invoice()
    await eventually(async () => expect((await own.life.get(next.id)).paidMinor).toBe(50_000))
  })

  test('a transfer for a paid invoice is unmatched until a person assigns it', async () => {
    const { invoice: paid, account, buyerId } = await billed()
    await own.life.pay(paid.id, due)
    const stray = await own.payment(await own.transfer(account.accountNumber, 500))
    expect(stray).toMatchObject({ reconciliationStatus: 'unmatched', unmatchedMinor: 50_000 })
    const open = await own.life.issued({ buyerId })
    const spread = ok(await own.act(`/exceptions/${stray.id}/resolve`, { buyerId }))
    expect(spread).toMatchObject({ reconciliationStatus: 'applied', appliedMinor: 50_000, buyerId })
    expect((await own.life.get(open.id)).paidMinor).toBe(50_000)
  })

  test.each(['A', 'B'] as const)(
    'form %s: an exception is resolved to an invoice once, and the rest is credit',
    async (form) => {
      const { invoice: paid, account, buyerId } = await billed()
      const invoice = (more: object = {}) => own.life.issued({ buyerId, ...more })
      await own.life.pay(paid.id, due)
      const stray = await own.payment(await own.transfer(account.accountNumber, due + 5))
      const meant = await invoice()
      const done = ok(await own.act(`/exceptions/${stray.id}/resolve`, { invoiceId: meant.id }, form))
      expect(done).toMatchObject({ reconciliationStatus: 'overpaid', creditedMinor: 500, appliedMinor: payableMinor })
      expectRefusal(
        await own.act(`/exceptions/${stray.id}/resolve`, { invoiceId: meant.id }, form),
        'collection.invoice_closed',
      )
      const another = await invoice()
      await eventually(async () => expect((await own.life.get(another.id)).paidMinor).toBe(500))
      expectRefusal(
        await own.act(`/exceptions/${stray.id}/resolve`, { invoiceId: another.id }, form),
        'collection.nothing_left',
      )
      const usd = await invoice({ currency: 'USD' })
      const more = await own.payment(await own.transfer(account.accountNumber, due))
      expect(more.creditedMinor + more.unmatchedMinor).toBeGreaterThan(0)
      expectRefusal(
        await own.act(`/exceptions/${more.id}/resolve`, { invoiceId: usd.id }, form),
        'collection.invoice_closed',
      )
    },
  )
})

describe('notifications', () => {
  test('lost ones are found in the statement', async () => {
    const { account } = await payer()
    const reference = await own.transfer(account.accountNumber, 12, { narration: 'rent #lost' })
    await app.bank.control.settled()
    expect((await own.payments('?limit=100')).filter((one) => one.providerReference === reference)).toEqual([])
    await app.runJob('sweep-collection')
    expect(await own.payment(reference)).toMatchObject({ amountMinor: 1_200 })
    await app.runJob('sweep-collection')
    expect((await own.payments('?limit=100')).filter((one) => one.providerReference === reference)).toHaveLength(1)
  })

  test('repeated and concurrent ones are one payment', async () => {
    const { account } = await payer()
    const reference = await own.transfer(account.accountNumber, 13, { narration: '#twice' })
    const { body, headers } = app.bank.control.noticeOf(reference)
    const tell = () => fetch(`${app.url}/notifications/collection/sandbox/sandbox`, { method: 'POST', body, headers })
    const answers = await Promise.all(Array.from({ length: 8 }, tell))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await own.payment(reference)
    expect((await own.payments('?limit=100')).filter((one) => one.providerReference === reference)).toHaveLength(1)
  })

  test('forged ones are refused, and no money moves', async () => {
    const { account } = await payer()
    const reference = await own.transfer(account.accountNumber, 14, { narration: '#lost' })
    const { body, headers } = app.bank.control.noticeOf(reference)
    const tell = (more: object, path = 'sandbox/sandbox', text = body) =>
      fetch(`${app.url}/notifications/collection/${path}`, {
        method: 'POST',
        body: text,
        headers: { ...headers, ...more },
      })
    const forged = await tell({ 'bank-signature': `t=1,v1=${'a'.repeat(64)}` })
    expect(forged.status).toBe(401)
    expect(((await forged.json()) as { error: { code: string } }).error.code).toBe('AUTH001')
    const left = ({ headers: told }: Response) => Number(told.get('ratelimit-remaining'))
    const again = await tell({}, undefined, `${body} `)
    expect(again.status).toBe(401)
    // Requests with a wrong signature count against the limit too.
    expect(left(forged) - left(again)).toBe(1)
    expect((await tell({ 'bank-signature': 'nonsense' })).status).toBe(401)
    expect((await tell({}, 'sandbox/live')).status).toBe(404)
    expect((await tell({}, 'monnify/sandbox')).status).toBe(404)
    expect((await own.payments('?limit=100')).filter((one) => one.providerReference === reference)).toEqual([])
  })

  test('a reversal by the sender’s bank removes the payment, and the invoice is due again', async () => {
    const { invoice, account } = await billed()
    const reference = await own.transfer(account.accountNumber, due + 1)
    const paid = await own.payment(reference)
    app.bank.control.reverse(reference)
    await eventually(async () => expect((await own.payment(reference)).reversedAt).not.toBeNull())
    expect(await own.payment(reference)).toMatchObject({
      refundedMinor: paid.amountMinor,
      appliedMinor: 0,
      creditedMinor: 0,
    })
    expect(await own.life.get(invoice.id)).toMatchObject({ paymentStatus: 'unpaid', paidMinor: 0 })
  })
})

describe.each(['A', 'B'] as const)('a refund, form %s', (form) => {
  const refund = (id: string, body?: object) => own.act(`/payments/${id}/refund`, body, form)

  test('takes unapplied money first, and never more than was received', async () => {
    const { invoice, account } = await billed()
    const paid = await own.payment(await own.transfer(account.accountNumber, due + 50))
    const part = ok(await refund(paid.id, { amount: 20, reason: 'Sent too much' }))
    expect(part).toMatchObject({ creditedMinor: 3_000, appliedMinor: payableMinor, refundedMinor: 2_000 })
    expect(part.refund).toMatchObject({ status: 'sent', amountMinor: 2_000, reason: 'Sent too much' })
    expect((await own.life.get(invoice.id)).paidMinor).toBe(payableMinor)
    const more = ok(await refund(paid.id, { amount: '40.00' }))
    expect(more).toMatchObject({ creditedMinor: 0, appliedMinor: payableMinor - 1_000, refundedMinor: 6_000 })
    expect(await own.life.get(invoice.id)).toMatchObject({
      paymentStatus: 'partially_paid',
      paidMinor: payableMinor - 1_000,
    })
    const tooMuch = await refund(paid.id, { amount: due })
    expectRefusal(tooMuch, 'collection.refund.too_much')
    expect(tooMuch.body.error.details[0].message).toMatch(/^must be at most NGN [\d,]+\.\d\d$/)
    const rest = ok(await refund(paid.id))
    expect(rest).toMatchObject({ refundedMinor: payableMinor + 5_000, appliedMinor: 0 })
    expect((await own.life.get(invoice.id)).paymentStatus).toBe('unpaid')
    expectRefusal(await refund(paid.id), 'collection.refund.too_much')
    const sent = app.bank.control.refunds().filter(({ transfer }) => transfer === paid.providerReference)
    expect(sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(payableMinor + 5_000)
  })

  test('is undone if the bank refuses it', async () => {
    const { invoice, account } = await billed()
    const paid = await own.payment(await own.transfer(account.accountNumber, due + 50))
    app.bank.control.behave({ refusesRefunds: true })
    expectRefusal(await refund(paid.id, { amount: 100 }), 'collection.provider_refused')
    expect(await own.payment(paid.providerReference)).toMatchObject({
      appliedMinor: payableMinor,
      creditedMinor: 5_000,
      refundedMinor: 0,
      reconciliationStatus: 'overpaid',
    })
    expect((await own.life.get(invoice.id)).paymentStatus).toBe('paid')
  })

  test('completes by itself after a lost reply, and is sent once', async () => {
    const { account } = await billed()
    const paid = await own.payment(await own.transfer(account.accountNumber, due))
    app.bank.control.behave({ lostReplies: 1 })
    const asked = ok(await refund(paid.id, { amount: 10 }))
    expect(asked.refund.status).toBe('pending')
    app.bank.control.behave({})
    await later(10, 'sweep-collection')
    const told = await eventsAbout(app, paid.id)
    expect(told.filter(({ type }) => type === 'collection.payment_refunded')).toHaveLength(1)
    expect(app.bank.control.refunds().filter(({ transfer }) => transfer === paid.providerReference)).toHaveLength(1)
  })

  test('is retried later if the bank is unreachable', async () => {
    const { account } = await billed()
    const paid = await own.payment(await own.transfer(account.accountNumber, due))
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(paid.id, { amount: 10 })).refund.status).toBe('pending')
    app.bank.control.behave({})
    await later(10, 'sweep-collection')
    expect(app.bank.control.refunds().filter(({ transfer }) => transfer === paid.providerReference)).toHaveLength(1)
  })

  test('is sent once for one Idempotency-Key', async () => {
    const { account } = await billed()
    const paid = await own.payment(await own.transfer(account.accountNumber, due))
    const send = () =>
      clients[form]().post(`${collectionPath}/payments/${paid.id}/refund`, {
        token: own.token,
        body: { amount: 1 },
        headers: { 'idempotency-key': `refund-${form}-0001` },
      })
    const [first, again] = [await send(), await send()]
    expect(again.text).toBe(first.text)
    expect(app.bank.control.refunds().filter(({ transfer }) => transfer === paid.providerReference)).toHaveLength(1)
  })
})

test('the daily reconciliation records every difference as an exception, and closes it when it is gone', async () => {
  const { account } = await payer()
  const missing = await own.transfer(account.accountNumber, 21, { narration: '#lost' })
  const known = await own.transfer(account.accountNumber, 22)
  await own.payment(known)
  const real = app.bank.control.transfers().find(({ reference }) => reference === known) as { amountMinor: number }
  real.amountMinor = 2_300
  await later(30, 'reconcile-collection')
  const differences = async (reference: string) => {
    const found = (await own.list('/exceptions?limit=100')).find((one) => one.providerReference === reference)
    return (found?.differences ?? []).map(({ foundAt: _, ...one }: { foundAt: string }) => one)
  }
  expect(await differences(missing)).toEqual([{ kind: 'missing_here', oursMinor: null, theirsMinor: 2_100 }])
  expect(await differences(known)).toEqual([{ kind: 'amount', oursMinor: 2_200, theirsMinor: 2_300 }])
  real.amountMinor = 2_200
  await later(30, 'reconcile-collection')
  expect(await differences(known)).toEqual([])
  expect(await differences(missing)).toEqual([])
})

test('a transfer to an unknown account is recorded, and shown to the operator', async () => {
  const { account } = await payer()
  const reference = await own.transfer(account.accountNumber, 31, { narration: 'whose? #lost' })
  const real = app.bank.control.transfers().find((one) => one.reference === reference) as { accountReference: string }
  const handle = real.accountReference
  real.accountReference = 'somebody-elses'
  for (let sweep = 0; sweep < 2; sweep++) await app.runJob('sweep-collection')
  const strays = () =>
    app.runtime.db.rows(
      sql`select reason, handle, amount_minor, narration from collection_strays where reference = ${reference}`,
    )
  const kept = { reason: 'unknown_account', handle: 'somebody-elses', amountMinor: 3_100n, narration: 'whose? #lost' }
  expect(await strays()).toEqual([kept])
  expect(await collectionMetrics(app.runtime.db)).toContain('risiti_collection_stray_transfers 1')
  expect((await own.payments('?limit=100')).filter((one) => one.providerReference === reference)).toEqual([])
  // The account was ours after all: the statement of account brings the payment in.
  real.accountReference = handle
  await app.runJob('sweep-collection')
  expect(await own.payment(reference)).toMatchObject({ amountMinor: 3_100 })
})

describe('an account with its own webhook address', () => {
  let receiver: StubServer
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver[Symbol.asyncDispose]())
  const endpoints = async () => ok(await app.a.get('/n/v1/webhook-endpoints?limit=100', { token: own.token }))

  test.each(['A', 'B'] as const)(
    'form %s: its events go to that address, and those of other accounts do not',
    async (form) => {
      const { token } = own
      const [callbackUrl, everywhere] = [`${receiver.url}/own-${form}`, `/all-${form}`]
      const body = { url: `${receiver.url}${everywhere}`, events: ['collection.*'] }
      const { id } = ok(await app.a.post('/n/v1/webhook-endpoints', { token, body }), 201)
      const account = ok(await own.tryToOpen({ callbackUrl }, form), 201)
      expect(account).toMatchObject({ callbackUrl, callbackEndpointId: expect.any(String) })
      const shared = ok(await own.tryToOpen({ callbackUrl }, form), 201)
      expect(shared.callbackEndpointId).toBe(account.callbackEndpointId)
      const [made] = (await endpoints()).filter((one: { id: string }) => one.id === account.callbackEndpointId)
      expect(made).toMatchObject({ url: callbackUrl, format: form, enabled: true })
      const plain = await own.open()
      const [here, there] = [await own.transfer(account.accountNumber, 41), await own.transfer(plain.accountNumber, 42)]
      const { id: paidHere } = await own.payment(here)
      const { id: paidThere } = await own.payment(there)
      const heardAt = (path: string) =>
        receiver.requests.filter((one) => one.path === path).map(({ body: text }) => text)
      const tells = (path: string, id: string) => heardAt(path).filter((text) => text.includes(id)).length
      await eventually(async () => {
        expect(tells(`/own-${form}`, paidHere)).toBeGreaterThanOrEqual(3)
        expect(tells(everywhere, paidThere)).toBeGreaterThanOrEqual(3)
      })
      expect(tells(everywhere, paidHere)).toBe(0)
      expect(tells(`/own-${form}`, paidThere)).toBe(0)
      // After the endpoint is disabled, the other endpoints get the events again.
      ok(
        await app.a.patch(`/n/v1/webhook-endpoints/${account.callbackEndpointId}`, { token, body: { enabled: false } }),
      )
      const { id: later } = await own.payment(await own.transfer(account.accountNumber, 43))
      await eventually(async () => expect(tells(everywhere, later)).toBeGreaterThanOrEqual(3))
      ok(
        await app.a.patch(`/n/v1/webhook-endpoints/${account.callbackEndpointId}`, {
          token,
          body: { enabled: true, replayMissed: true },
        }),
      )
      await eventually(async () => expect(tells(`/own-${form}`, later)).toBeGreaterThanOrEqual(3))
      expect(tells(`/own-${form}`, paidThere)).toBe(0)
      // The events of the other organisation must not be redelivered to these endpoints.
      const turned = (body: object) => app.a.patch(`/n/v1/webhook-endpoints/${id}`, { token, body })
      ok(await turned({ enabled: false }))
      const [hidden, missed] = [
        await own.payment(await own.transfer(account.accountNumber, 44)),
        await own.payment(await own.transfer(plain.accountNumber, 45)),
      ]
      ok(await turned({ enabled: true, replayMissed: true }))
      await eventually(async () => expect(tells(everywhere, missed.id)).toBeGreaterThanOrEqual(3))
      expect(tells(everywhere, hidden.id)).toBe(0)
      ok(await app.a.delete(`/n/v1/webhook-endpoints/${id}`, { token }))
    },
  )

  test('needs a caller who may read payments', async () => {
    const key = await app.key(own.organisationId, { capabilities: ['collection.manage'] })
    const open = (more: object) => {
      const customer = { name: 'Chidi Stores' }
      const asked = { mode: 'persistent', jurisdiction: 'NG', sellerId: own.sellerId, customer, ...more }
      return app.a.post(`${collectionPath}/accounts`, { token: key, body: asked })
    }
    const callbackUrl = `${receiver.url}/unseen`
    expectRefusal(await open({ reference: 'unseen', callbackUrl }), 'auth.capability_missing')
    expect((await open({ reference: 'unseen' })).status).toBe(201)
  })

  test('with a forbidden webhook address is refused, and not opened', async () => {
    for (const callbackUrl of ['ftp://shop.example/x', 'https://user:secret@shop.example/', 'no url'])
      for (const form of ['A', 'B'] as const) {
        const reply = await own.tryToOpen({ callbackUrl }, form)
        expectRefusal(reply, 'request.invalid')
        expect(faultPaths(reply)).toEqual(['callbackUrl'])
      }
  })
})
