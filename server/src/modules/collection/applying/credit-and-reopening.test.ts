import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { brokenMoney, collectionPath, ownBankAccount } from '../../../../../test/harness/collection.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectInvoicesAddUp } from '../../../../../test/harness/invoice-identity.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { useCredit } from './use-credit.ts'

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
  authority.refuses = () => undefined
  authority.latencyOf = undefined
})
afterEach(async () => {
  app.bank.control.behave({})
  expect(await brokenMoney(app)).toEqual([])
  await expectInvoicesAddUp(app)
})

type Form = 'A' | 'B'
const post = (id: string, action: string, body?: object, form: Form = 'A') =>
  app.client(form).post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
const refund = (id: string, amount: number, form: Form = 'A') =>
  app.client(form).post(`${collectionPath}/payments/${id}/refund`, { token: own.token, body: { amount } })

/** A buyer, and the account that it pays everything into. */
async function payer() {
  const buyerId = await own.life.buyer()
  const body = {
    mode: 'persistent',
    jurisdiction: 'NG',
    sellerId: own.sellerId,
    reference: `credit-${buyerId}`,
    buyerId,
    customer: { name: 'Chidi' },
  }
  const { accountNumber } = ok(await app.a.post(`${collectionPath}/accounts`, { token: own.token, body }), 201)
  return {
    buyerId,
    /** pays into the account; gives the received payment once it is matched */
    pay: async (amount: number) => {
      const transfer = { accountNumber, amount }
      const sent = ok(await app.a.post('/sandbox/v1/transfers', { token: own.token, body: transfer }), 201)
      return await eventually(async () => {
        const all = ok(await app.a.get(`${collectionPath}/payments?limit=100`, { token: own.token }))
        const found = all.find((one: { providerReference: string }) => one.providerReference === sent.providerReference)
        expect(found?.reconciliationStatus).toMatch(/applied|overpaid|unmatched/)
        return found
      })
    },
  }
}
/** A payment into an account without a buyer, which matches nothing. */
async function strayTransfer(amount: number): Promise<string> {
  const body = {
    mode: 'persistent',
    jurisdiction: 'NG',
    sellerId: own.sellerId,
    reference: 'nobody',
    customer: { name: 'Somebody' },
  }
  const { accountNumber } = ok(await app.a.post(`${collectionPath}/accounts`, { token: own.token, body }), 201)
  const transfer = { accountNumber, amount }
  const sent = ok(await app.a.post('/sandbox/v1/transfers', { token: own.token, body: transfer }), 201)
  return await eventually(async () => {
    const all = ok(await app.a.get(`${collectionPath}/payments?limit=100`, { token: own.token }))
    const found = all.find((one: { providerReference: string }) => one.providerReference === sent.providerReference)
    expect(found?.reconciliationStatus).toBe('unmatched')
    return found.id
  })
}
const creditOf = async (buyerId: string): Promise<number> =>
  ok(await app.a.get(`${collectionPath}/credits?limit=100`, { token: own.token })).find(
    (one: { buyerId: string }) => one.buyerId === buyerId,
  )?.balanceMinor ?? 0
const isPaid = (id: string, minor: number) =>
  eventually(async () => expect((await own.life.get(id)).paidMinor).toBe(minor))

/** The bank is asked again about refunds that wait, and refuses them. */
async function refusePendingRefunds(): Promise<void> {
  app.bank.control.behave({ refusesRefunds: true })
  const now = app.clock.now()
  app.clock.set(new Date(now.getTime() + 10 * 60_000))
  await app.runJob('sweep-collection')
  app.clock.set(now)
}

describe.each(['A', 'B'] as const)('a refund of applied credit, form %s', (form) => {
  test('leaves the rest as applied credit, so that the invoice can be reopened', async () => {
    const { buyerId, pay } = await payer()
    const received = await pay(50)
    const { id } = await own.life.issued({ buyerId })
    await isPaid(id, 5_000)
    expect(ok(await refund(received.id, 20, form)).refund.status).toBe('sent')
    await isPaid(id, 3_000)
    expect(ok(await post(id, 'reopen', undefined, form))).toMatchObject({ status: 'draft' })
    expect(await own.life.get(id)).toMatchObject({ paidMinor: 0 })
    expect(await creditOf(buyerId)).toBe(3_000)
  })

  test('that the bank refuses restores the applied credit, so that the invoice can be reopened', async () => {
    const { buyerId, pay } = await payer()
    const received = await pay(50)
    const { id } = await own.life.issued({ buyerId })
    await isPaid(id, 5_000)
    app.bank.control.behave({ refusesRefunds: true })
    expectRefusal(await refund(received.id, 20, form), 'collection.provider_refused')
    await isPaid(id, 5_000)
    expect(ok(await post(id, 'reopen', undefined, form))).toMatchObject({ status: 'draft' })
    expect(await creditOf(buyerId)).toBe(5_000)
  })

  test('that fails after the invoice was reopened returns the money to the credit', async () => {
    const { buyerId, pay } = await payer()
    const received = await pay(50)
    const { id } = await own.life.issued({ buyerId })
    await isPaid(id, 5_000)
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(received.id, 20, form)).refund.status).toBe('pending')
    ok(await post(id, 'reopen', undefined, form))
    expect(await creditOf(buyerId)).toBe(3_000)
    await refusePendingRefunds()
    expect(await creditOf(buyerId)).toBe(5_000)
  })
})

test.each(['A', 'B'] as const)(
  'form %s: a refund that fails after the draft was deleted returns the money to the credit',
  async (form) => {
    const { buyerId, pay } = await payer()
    const received = await pay(50)
    const { id } = await own.life.issued({ buyerId })
    await isPaid(id, 5_000)
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(received.id, 20, form)).refund.status).toBe('pending')
    ok(await post(id, 'reopen', undefined, form))
    ok(await app.a.delete(`${path}/${id}`, { token: own.token }))
    await refusePendingRefunds()
    await eventually(async () => {
      const all = ok(await app.a.get(`${collectionPath}/payments?limit=100`, { token: own.token }))
      const found = all.find((one: { id: string }) => one.id === received.id)
      expect(found).toMatchObject({ refundedMinor: 0, creditedMinor: 5_000 })
    })
    expect(await creditOf(buyerId)).toBe(5_000)
  },
)

describe.each(['A', 'B'] as const)('credit that a person assigns to another buyer, form %s', (form) => {
  const assign = async (id: string, buyerId: string) =>
    ok(
      await app
        .client(form)
        .post(`${collectionPath}/exceptions/${id}/resolve`, { token: own.token, body: { buyerId } }),
    )
  const payment = async (id: string) => {
    const all = ok(await app.a.get(`${collectionPath}/payments?limit=100`, { token: own.token }))
    return all.find((one: { id: string }) => one.id === id)
  }
  const failRefund = async (id: string) => {
    await refusePendingRefunds()
    await eventually(async () => expect(await payment(id)).toMatchObject({ refundedMinor: 0 }))
  }

  test('is in the ledger and in an event, and what the former buyer spent stays with no buyer', async () => {
    const [former, next] = [await payer(), await payer()]
    const received = await former.pay(100)
    const { id } = await own.life.issued({ buyerId: former.buyerId, ...smaller(60) })
    await isPaid(id, 6_000)
    await assign(received.id, next.buyerId)
    expect(await creditOf(former.buyerId)).toBe(0)
    expect(await creditOf(next.buyerId)).toBe(4_000)
    const moves = await app.runtime.db.rows(sql`
      select type, buyer_id, amount_minor from received_payment_moves where payment_id = ${received.id} order by seq desc limit 2`)
    expect(moves).toEqual([
      { type: 'credit', buyerId: next.buyerId, amountMinor: 4_000n },
      { type: 'release_credit', buyerId: former.buyerId, amountMinor: 4_000n },
    ])
    const told = (await eventsAbout(app, received.id)).filter(({ type }) => type === 'collection.payment_applied')
    expect(told.at(-1)?.data).toMatchObject({ buyerId: next.buyerId, appliedAmount: '0.00', unappliedAmount: '40.00' })
    // The former buyer's invoice gives its money back, which is not the next buyer's.
    ok(await post(id, 'reopen', undefined, form))
    expect(await payment(received.id)).toMatchObject({ unmatchedMinor: 6_000, creditedMinor: 4_000 })
    expect(await creditOf(next.buyerId)).toBe(4_000)
    expect(await creditOf(former.buyerId)).toBe(0)
  })

  test('does not grow by a failed refund of the former buyer’s credit', async () => {
    const [former, next] = [await payer(), await payer()]
    const received = await former.pay(100)
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(received.id, 20, form)).refund.status).toBe('pending')
    await assign(received.id, next.buyerId)
    expect(await creditOf(next.buyerId)).toBe(8_000)
    await failRefund(received.id)
    expect(await payment(received.id)).toMatchObject({ unmatchedMinor: 2_000, creditedMinor: 8_000 })
    expect(await creditOf(next.buyerId)).toBe(8_000)
  })

  test('does not grow by a failed refund of what the former buyer’s invoice had', async () => {
    const [former, next] = [await payer(), await payer()]
    const received = await former.pay(50)
    const { id } = await own.life.issued({ buyerId: former.buyerId })
    await isPaid(id, 5_000)
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(received.id, 20, form)).refund.status).toBe('pending')
    ok(await post(id, 'reopen', undefined, form))
    await assign(received.id, next.buyerId)
    await failRefund(received.id)
    expect(await payment(received.id)).toMatchObject({ unmatchedMinor: 2_000, creditedMinor: 3_000 })
    expect(await creditOf(next.buyerId)).toBe(3_000)
  })
})

describe('reopening while money moves', () => {
  const waiting = (query: string) =>
    eventually(async () => {
      const found = await listLockWaits(app.owner, new RegExp(query))
      expect(found, `somebody waits in a statement with ${query}`).not.toEqual([])
    })

  test('returns credit that was applied while the request waited', async () => {
    const { buyerId, pay } = await payer()
    await pay(50)
    const { id } = await own.life.draft({ buyerId })
    // Without background work, nobody else uses the credit meanwhile.
    await app.stopWork()
    const waiters = async (count: number) => {
      expect(await listLockWaits(app.owner)).toHaveLength(count)
    }
    const [used, reopened] = await app.runtime.db.transaction(async (tx) => {
      ok(await post(id, 'finalise'))
      await tx.run(sql`select from invoices where organisation_id = ${own.organisationId} and id = ${id} for update`)
      const input = { organisationId: own.organisationId as OrganisationId, mode: 'sandbox' as const, invoiceId: id }
      const using = app.runner.run(useCredit, { caller: systemCaller, origin, input })
      await eventually(() => waiters(1))
      const reopening = post(id, 'reopen')
      await eventually(() => waiters(2))
      return [[using], [reopening]] as const
    })
    await Promise.all(used)
    const [reply] = await Promise.all(reopened)
    await app.startWork()
    // The first attempt finds credit of a payment that it did not lock; the operation runs again by itself.
    expect(ok(reply)).toMatchObject({ status: 'draft' })
    expect(await own.life.get(id)).toMatchObject({ status: 'draft', paidMinor: 0 })
    expect(await creditOf(buyerId)).toBe(5_000)
  })

  test('locks the invoice of a debit note before the note', async () => {
    const { buyerId, pay } = await payer()
    const { id } = await own.life.issued({ buyerId })
    const paid = await own.life.get(id)
    ok(await own.life.pay(id, paid.dueMinor / 100), 201)
    await pay(50)
    const body = {
      reason: 'Freight',
      lineItems: [
        {
          description: 'Freight',
          hsnCode: '2523.29',
          unitCode: 'EA',
          quantity: 1,
          unitPrice: 100,
          taxCategory: 'zero',
        },
      ],
    }
    const note = ok(await post(ok(await post(id, 'debit-notes', body), 201).id, 'finalise'))
    await isPaid(note.id, 5_000)
    let reopening: ReturnType<typeof post> | undefined
    await app.owner.transaction(async (tx) => {
      await tx.run(
        sql`select from invoices where organisation_id = ${own.organisationId} and id = ${id} for no key update`,
      )
      reopening = post(note.id, 'reopen')
      await waiting('invoices')
      // A transaction that holds the invoice can lock the note too.
      const free = await tx.rows(sql`
        select id from invoices where organisation_id = ${own.organisationId} and id = ${note.id} for no key update skip locked`)
      expect(free).toEqual([{ id: note.id }])
    })
    expect(ok((await reopening) as never)).toMatchObject({ status: 'draft' })
    expect(await creditOf(buyerId)).toBe(5_000)
  })
})

const smaller = (unitPrice: number) => ({
  lineItems: [
    { description: 'Cement', hsnCode: '2523.29', unitCode: 'XBG', quantity: 1, unitPrice, taxCategory: 'zero' },
  ],
})

test.each([
  ['nobody has seen it', async () => {}],
  ['the buyer was sent it', async (id: string) => ok(await post(id, 'send'))],
] as const)('a rejected invoice that is reduced to its payments emits a paid event, if %s', async (_, before) => {
  const { id } = await own.life.issued()
  await before(id)
  ok(await own.life.pay(id, 100), 201)
  authority.refuses = () => 'invoicerequest.invoice.accountingcustomerparty.tin must be a valid tin'
  ok(await post(id, 'submit'), 202)
  await own.until(id, 'rejected')
  ok(await post(id, 'reopen'))
  ok(await app.a.patch(`${path}/${id}`, { token: own.token, body: smaller(100) }))
  expect(await own.life.told(id)).not.toContain('invoice.paid')
  ok(await post(id, 'finalise'))
  expect(await own.life.get(id)).toMatchObject({ paymentStatus: 'paid', dueMinor: 0 })
  expect((await own.life.told(id)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
})

test.each(['transfer', 'resolve'] as const)(
  'credit that is left over pays an invoice that was issued at the same moment (%s)',
  async (how) => {
    const { buyerId, pay } = await payer()
    const [first, issuedMeanwhile] = [
      await own.life.issued({ buyerId, ...smaller(60) }),
      await own.life.issued({ buyerId, ...smaller(30) }),
    ]
    // A rejected invoice is not owed, so the payment does not see it. It then becomes open without an event.
    const become = (status: string) =>
      app.owner.run(sql`update invoices set status = ${status} where id = ${issuedMeanwhile.id}`)
    await become('rejected')
    let paying: Promise<unknown> | undefined
    const stray = how === 'resolve' ? await strayTransfer(100) : undefined
    await app.owner.transaction(async (tx) => {
      // The money waits here after it has chosen its invoices. A table lock does not hold up consumers of events.
      await tx.run(sql`lock table invoice_payments in share mode`)
      paying = stray
        ? app.a.post(`${collectionPath}/exceptions/${stray}/resolve`, { token: own.token, body: { buyerId } })
        : pay(100)
      await eventually(async () => {
        expect(await listLockWaits(app.owner, /invoice_payments/), 'the money waits').not.toEqual([])
      })
      await become('finalised')
    })
    await paying
    await isPaid(first.id, 6_000)
    await isPaid(issuedMeanwhile.id, 3_000)
    expect(await creditOf(buyerId)).toBe(1_000)
  },
)

describe('credit that arrived while nothing was due', () => {
  test('is applied after the authority refuses the cancellation', async () => {
    const { buyerId, pay } = await payer()
    ok(await app.a.post(`/i/v1/buyers/${buyerId}/verify-tax-number`, { token: own.token }), 202)
    await app.quiet()
    const { id } = await own.submitted({ buyerId })
    await own.until(id, 'accepted')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    authority.latencyOf = () => answered
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await post(id, 'cancel', { reason: 'Ordered twice' }), 202)
    await own.until(id, 'cancellation_pending')
    expect(await pay(50)).toMatchObject({ creditedMinor: 5_000 })
    answer()
    await own.until(id, 'accepted')
    await isPaid(id, 5_000)
    expect(await creditOf(buyerId)).toBe(0)
  })

  test('is applied after a credit note is reopened', async () => {
    const { buyerId, pay } = await payer()
    const { id } = await own.life.issued({ buyerId })
    const note = ok(await post(ok(await own.life.credit(id), 201).id, 'finalise'))
    expect(await pay(50)).toMatchObject({ creditedMinor: 5_000 })
    ok(await post(note.id, 'reopen'))
    await isPaid(id, 5_000)
    expect(await creditOf(buyerId)).toBe(0)
  })

  test('is not applied to a rejected invoice', async () => {
    const { buyerId, pay } = await payer()
    const { id } = await own.life.issued({ buyerId })
    const note = ok(await post(ok(await own.life.credit(id, { amount: 100 }), 201).id, 'finalise'))
    await app.owner.run(sql`update invoices set status = 'rejected' where id = ${id}`)
    expect(await pay(50)).toMatchObject({ creditedMinor: 5_000 })
    ok(await post(note.id, 'reopen'))
    await app.quiet()
    expect(await own.life.get(id)).toMatchObject({ paidMinor: 0 })
    expect(await creditOf(buyerId)).toBe(5_000)
  })
})
