import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keys, startMerchant, stripeOf, type TestMerchant } from './test-merchant.ts'

let merchant: TestMerchant
let stripe: Stripe
let clock: Date
beforeEach(async () => {
  clock = new Date()
  merchant = await startMerchant({ now: () => clock })
  stripe = merchant.stripe
})
afterEach(() => merchant[Symbol.asyncDispose]())

const inMinutes = (minutes: number) => Math.floor(clock.getTime() / 1000) + minutes * 60
const order = (own: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    { price_data: { currency: 'usd', unit_amount: 1_250, product_data: { name: 'Risiti Pro' } }, quantity: 2 },
  ],
  success_url: 'https://risiti.test/back?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://risiti.test/cancelled',
  client_reference_id: 'pay_1',
  customer_email: 'ada@example.test',
  customer_creation: 'always',
  expires_at: inMinutes(60),
  payment_intent_data: { setup_future_usage: 'off_session', metadata: { reference: 'pay_1' } },
  metadata: { plan: 'pro' },
  ...own,
})
const start = (own: Partial<Stripe.Checkout.SessionCreateParams> = {}) => stripe.checkout.sessions.create(order(own))
const look = (id: string) =>
  stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent', 'payment_intent.latest_charge'] })
/** A session as `look` gives it, with what is expanded in it. */
const intentOf = (session: Stripe.Checkout.Session) => session.payment_intent as Stripe.PaymentIntent
const payFirst = async (own: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
  const { id } = await start(own)
  await merchant.simulator.control.act('pay_1', 'paid')
  return look(id)
}
const failure = (work: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  work.then(
    () => expect.fail('it should have been refused'),
    (error: unknown) => error as Stripe.errors.StripeError,
  )

describe('a session', () => {
  test('is open until somebody pays', async () => {
    const session = await start()
    expect(session).toMatchObject({
      id: expect.stringMatching(/^cs_test_/),
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 2_500,
      currency: 'usd',
      client_reference_id: 'pay_1',
      livemode: false,
      expires_at: inMinutes(60),
      payment_intent: null,
      metadata: { plan: 'pro' },
    })
    expect(session.url).toMatch(new RegExp(`^${merchant.simulator.url}/checkout/[a-z0-9]{20,}$`))
    expect(await look(session.id)).toMatchObject({ id: session.id, status: 'open', payment_intent: null })
  })

  test('is completed, with a customer and a card', async () => {
    const session = await payFirst()
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    expect(intentOf(session)).toMatchObject({
      status: 'succeeded',
      amount: 2_500,
      amount_received: 2_500,
      customer: expect.stringMatching(/^cus_/),
      payment_method: expect.stringMatching(/^pm_/),
      metadata: { reference: 'pay_1' },
      latest_charge: { amount: 2_500, amount_refunded: 0, refunded: false, disputed: false, status: 'succeeded' },
    })
    const unexpanded = await stripe.checkout.sessions.retrieve(session.id)
    expect(unexpanded.payment_intent).toBe(intentOf(session).id)
    const listed = await stripe.checkout.sessions.list({ payment_intent: intentOf(session).id })
    expect([listed.has_more, listed.data.map(({ id }) => id)]).toEqual([false, [session.id]])
    expect(await stripe.paymentIntents.retrieve(intentOf(session).id)).toMatchObject({ status: 'succeeded' })
    const charge = intentOf(session).latest_charge as Stripe.Charge
    expect(await stripe.charges.retrieve(charge.id)).toEqual(expect.objectContaining({ ...charge }))
    expect(merchant.types()).toEqual(['checkout.session.completed', 'payment_intent.succeeded'])
  })

  test('keeps no card unless it is asked to', async () => {
    const session = await payFirst({ payment_intent_data: {}, customer_creation: 'if_required' })
    const { customer, payment_method: card } = intentOf(session)
    expect([customer, card]).toEqual([null, expect.stringMatching(/^pm_/)])
  })

  test('stays open after a declined card, and can still be paid', async () => {
    const { id } = await start()
    await merchant.simulator.control.act('pay_1', 'failed')
    const failed = await look(id)
    expect(failed).toMatchObject({ status: 'open', payment_status: 'unpaid' })
    expect(intentOf(failed)).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { code: 'card_declined' },
    })
    await merchant.simulator.control.act('pay_1', 'paid')
    expect(intentOf(await look(id))).toMatchObject({ status: 'succeeded', last_payment_error: null })
    expect(merchant.types()[0]).toBe('payment_intent.payment_failed')
  })

  test('that is abandoned stays as it is, untold', async () => {
    const { id } = await start()
    await merchant.simulator.control.act('pay_1', 'abandoned')
    expect(await look(id)).toMatchObject({ status: 'open', payment_intent: null })
    expect(merchant.types()).toEqual([])
  })

  test('expires when told to, once', async () => {
    const { id } = await start()
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ id, status: 'expired', url: null })
    expect((await failure(stripe.checkout.sessions.expire(id))).statusCode).toBe(400)
    await expect(merchant.simulator.control.act('pay_1', 'paid')).rejects.toThrow(/expired/)
    expect(merchant.types()).toEqual(['checkout.session.expired'])
  })

  test('expires by the clock; a paid one does not', async () => {
    const paid = await payFirst()
    const { id } = await start({ client_reference_id: 'pay_2' })
    clock = new Date(inMinutes(60) * 1000)
    await expect(merchant.simulator.control.act('pay_2', 'paid')).rejects.toThrow(/expired/)
    expect((await look(id)).status).toBe('expired')
    expect((await look(paid.id)).status).toBe('complete')
    expect((await failure(stripe.checkout.sessions.expire(paid.id))).statusCode).toBe(400)
  })

  test.each([
    ['too short a life', { expires_at: () => inMinutes(29) }, 'expires_at'],
    ['too long a life', { expires_at: () => inMinutes(24 * 60 + 1) }, 'expires_at'],
    ['no line items', { line_items: () => undefined }, 'line_items'],
    ['no way back', { success_url: () => undefined }, 'success_url'],
    ['a way back that is a script', { success_url: () => 'javascript:alert(1)' }, 'success_url'],
    ['a subscription', { mode: () => 'subscription' }, 'mode'],
  ])('is refused: %s', async (_what, own, param) => {
    const wrong = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, value()]))
    const error = await failure(start(wrong as Partial<Stripe.Checkout.SessionCreateParams>))
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    expect([error.statusCode, error.param]).toEqual([400, param])
  })
})

test('a wrong key is refused, what nobody knows is missing', async () => {
  const stranger = stripeOf(merchant.simulator.url, 'sk_test_other')
  expect(await failure(stranger.checkout.sessions.create(order()))).toBeInstanceOf(
    Stripe.errors.StripeAuthenticationError,
  )
  const unknown = await failure(stripe.checkout.sessions.retrieve('cs_test_other'))
  expect([unknown.statusCode, unknown.code]).toEqual([404, 'resource_missing'])
  expect((await failure(stripe.paymentIntents.retrieve('pi_other'))).code).toBe('resource_missing')
})

test('a live key makes live sessions', async () => {
  await using live = await startMerchant({ stripeKey: 'sk_live_x', now: () => clock })
  const session = await stripeOf(live.simulator.url, 'sk_live_x').checkout.sessions.create(order())
  expect([session.livemode, session.id.slice(0, 8)]).toEqual([true, 'cs_live_'])
})

test('lists come in pages, newest first', async () => {
  for (const reference of ['a', 'b', 'c']) await start({ client_reference_id: reference })
  const page = await stripe.checkout.sessions.list({ limit: 2 })
  expect([page.has_more, page.data.map((session) => session.client_reference_id)]).toEqual([true, ['c', 'b']])
  const all = await stripe.checkout.sessions.list({ limit: 1 }).autoPagingToArray({ limit: 10 })
  expect(all.map((session) => session.client_reference_id)).toEqual(['c', 'b', 'a'])
})

describe('a search for payment intents', () => {
  const search = (query: string, limit?: number) =>
    stripe.paymentIntents.search({ query, ...(limit === undefined ? {} : { limit }) })

  test('finds them by what was written on them, from the first attempt on', async () => {
    const own = (reference: string) => ({
      client_reference_id: reference,
      payment_intent_data: { metadata: { reference } },
    })
    for (const reference of ['pay_1', 'pay_2', 'pay_3']) await start(own(reference))
    await merchant.simulator.control.act('pay_1', 'paid')
    await merchant.simulator.control.act('pay_2', 'failed')
    expect(await search("metadata['reference']:'pay_1'")).toMatchObject({
      object: 'search_result',
      data: [{ object: 'payment_intent', status: 'succeeded', metadata: { reference: 'pay_1' } }],
      has_more: false,
      url: '/v1/payment_intents/search',
    })
    expect((await search('metadata["reference"]:"pay_2"')).data).toMatchObject([{ status: 'requires_payment_method' }])
    for (const nothing of ["metadata['reference']:'pay_3'", "metadata['reference']:'pay'", "metadata['plan']:'pay_1'"])
      expect((await search(nothing)).data, nothing).toEqual([])
  })

  test('comes in pages, newest first', async () => {
    for (const reference of ['a', 'b', 'c']) {
      await start({ client_reference_id: reference, payment_intent_data: { metadata: { shop: 'one', reference } } })
      await merchant.simulator.control.act(reference, 'paid')
    }
    const page = await search("metadata['shop']:'one'", 2)
    expect([page.has_more, page.data.map(({ metadata }) => metadata.reference)]).toEqual([true, ['c', 'b']])
    const all = await search("metadata['shop']:'one'", 2).autoPagingToArray({ limit: 10 })
    expect(all.map(({ metadata }) => metadata.reference)).toEqual(['c', 'b', 'a'])
  })

  test.each(['', 'amount>100', "metadata['a']:'b' AND metadata['c']:'d'", "metadata['reference']:'x' OR 1:'1'"])(
    'is refused where it asks for more than that: %j',
    async (query) => {
      const { statusCode, param } = await failure(search(query))
      expect([statusCode, param]).toEqual([400, 'query'])
    },
  )
})

describe('an idempotency key', () => {
  const create = (idempotencyKey: string, own = {}) => stripe.checkout.sessions.create(order(own), { idempotencyKey })

  test('gives the same answer again', async () => {
    const [first, second, other] = [await create('k-1'), await create('k-1'), await create('k-2')]
    expect(second.id).toBe(first.id)
    expect(other.id).not.toBe(first.id)
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(2)
  })

  test('cannot be used for something else', async () => {
    await create('k-1')
    expect(await failure(create('k-1', { client_reference_id: 'pay_2' }))).toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
  })

  test('is not used up by what was refused', async () => {
    expect((await failure(create('k-1', { expires_at: 1 }))).param).toBe('expires_at')
    expect((await create('k-1')).status).toBe('open')
  })
})

describe('a saved card', () => {
  const charge = (session: Stripe.Checkout.Session, own: object = {}, idempotencyKey = 'charge-1') => {
    const { customer, payment_method: method } = intentOf(session)
    const saved = { customer: customer as string, payment_method: method as string, off_session: true, confirm: true }
    const asked = { amount: 2_500, currency: 'usd', metadata: { reference: 'pay_2' }, ...saved, ...own }
    return stripe.paymentIntents.create(asked, { idempotencyKey })
  }

  test('is charged again, once for a key', async () => {
    const session = await payFirst()
    const intent = await charge(session)
    expect(intent).toMatchObject({ status: 'succeeded', amount: 2_500, metadata: { reference: 'pay_2' } })
    expect((await charge(session)).id).toBe(intent.id)
    expect((await stripe.checkout.sessions.list({ payment_intent: intent.id })).data).toEqual([])
    expect(merchant.types().slice(2)).toEqual(['payment_intent.succeeded'])
    await merchant.simulator.control.refund('pay_2', 100n)
    const seen = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(seen.latest_charge).toMatchObject({ amount_refunded: 100 })
  })

  test('is declined when the tester says so, each time the same way', async () => {
    const session = await payFirst()
    merchant.simulator.control.declineCard('pay_1')
    const [error, again] = [await failure(charge(session)), await failure(charge(session))]
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect([error.statusCode, error.code]).toEqual([402, 'card_declined'])
    const { id, status, last_payment_error: why } = error.payment_intent as Stripe.PaymentIntent
    expect([status, why?.code]).toEqual(['requires_payment_method', 'card_declined'])
    expect((again.payment_intent as Stripe.PaymentIntent).id).toBe(id)
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method')
    expect(merchant.types().slice(2)).toEqual(['payment_intent.payment_failed'])
  })

  test('is refused where it was not kept, or belongs to somebody else', async () => {
    const once = await payFirst({ payment_intent_data: {} })
    expect((await failure(charge(once))).param).toBe('payment_method')
    const kept = await payFirst()
    expect((await failure(charge(kept, { customer: 'cus_other' }))).param).toBe('customer')
    expect((await failure(charge(kept, { payment_method: 'pm_other' }))).code).toBe('resource_missing')
  })
})

describe('refunds', () => {
  test('in parts, never more than was paid', async () => {
    const session = await payFirst()
    const payment_intent = intentOf(session).id
    const part = await stripe.refunds.create({ payment_intent, amount: 500 }, { idempotencyKey: 'r-1' })
    const repeated = await stripe.refunds.create({ payment_intent, amount: 500 }, { idempotencyKey: 'r-1' })
    expect(part).toMatchObject({ amount: 500, status: 'succeeded', payment_intent })
    expect(repeated.id).toBe(part.id)
    expect((await failure(stripe.refunds.create({ payment_intent, amount: 2_001 }))).statusCode).toBe(400)
    expect(intentOf(await look(session.id)).latest_charge).toMatchObject({ amount_refunded: 500, refunded: false })
    expect((await stripe.refunds.create({ payment_intent })).amount).toBe(2_000)
    expect(intentOf(await look(session.id)).latest_charge).toMatchObject({ amount_refunded: 2_500, refunded: true })
    expect((await failure(stripe.refunds.create({ payment_intent }))).code).toBe('charge_already_refunded')
    expect((await stripe.refunds.list({ payment_intent })).data.map(({ amount }) => amount)).toEqual([2_000, 500])
    expect(merchant.types().slice(2)).toEqual(['charge.refunded', 'charge.refunded'])
  })

  test('of what nobody paid are refused', async () => {
    const { id } = await start()
    await merchant.simulator.control.act('pay_1', 'failed')
    const payment_intent = intentOf(await look(id)).id
    expect((await failure(stripe.refunds.create({ payment_intent }))).statusCode).toBe(400)
  })
})

describe('a dispute', () => {
  test.each([
    [true, 'won'],
    [false, 'lost'],
  ])('is opened, and closed: won %s', async (won, status) => {
    const session = await payFirst()
    const payment_intent = intentOf(session).id
    expect((await stripe.disputes.list({ payment_intent })).data).toEqual([])
    await merchant.simulator.control.openDispute('pay_1')
    const [open] = (await stripe.disputes.list({ payment_intent })).data
    expect(open).toMatchObject({ status: 'needs_response', payment_intent, amount: 2_500 })
    expect(intentOf(await look(session.id)).latest_charge).toMatchObject({ id: open?.charge, disputed: true })
    expect((await failure(stripe.refunds.create({ payment_intent }))).code).toBe('charge_disputed')
    await merchant.simulator.control.closeDispute('pay_1', won)
    expect((await stripe.disputes.list({ payment_intent })).data).toMatchObject([{ id: open?.id, status }])
    expect(merchant.types().slice(2)).toEqual(['charge.dispute.created', 'charge.dispute.closed'])
  })
})

describe('notifications', () => {
  const sign = (body: string, headers: Readonly<Record<string, unknown>>, secret = keys.stripeWebhookSecret) =>
    stripe.webhooks.constructEvent(body, headers['stripe-signature'] as string, secret)

  test('arrive, and the library believes them', async () => {
    // the signature has the real time even when the simulator's clock is elsewhere
    clock = new Date('2030-01-01T00:00:00Z')
    await payFirst()
    await merchant.simulator.control.settled()
    const events = merchant.received.map(({ body, headers }) => sign(body, headers))
    expect(events.map(({ type }) => type).sort()).toEqual(['checkout.session.completed', 'payment_intent.succeeded'])
    const completed = events.find(({ type }) => type === 'checkout.session.completed')
    expect(completed).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      object: 'event',
      livemode: false,
      data: { object: { client_reference_id: 'pay_1', payment_status: 'paid' } },
    })
    expect(new Set(events.map(({ id }) => id)).size).toBe(2)
  })

  test('are not believed with another secret', async () => {
    await payFirst()
    const { body, headers } = merchant.simulator.control.notifications[0]!
    expect(() => sign(body, headers, 'whsec_other')).toThrow(/signature/)
    expect(sign(body, headers).type).toBe('checkout.session.completed')
  })
})
