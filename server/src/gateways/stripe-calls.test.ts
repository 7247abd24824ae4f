import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outbound } from '../../../test/harness/outbound.ts'
import { RawServer } from '../../../test/harness/raw-server.ts'
import { StubServer } from '../../../test/harness/stub-server.ts'
import { checkoutPort } from '../modules/billing/index.ts'
import type { CardOrder } from '../modules/billing/payments/checkout-provider.ts'
import { stripeProvider } from './stripe.ts'

const secretKey = 'sk_test_0123456789abcdef'
const webhookSecret = 'whsec_fedcba9876543210'
const stub = new StubServer()
let stripe: checkoutPort.CheckoutProvider
const patience = new AbortController().signal

beforeAll(() => stub.start())
afterAll(() => stub[Symbol.asyncDispose]())
beforeEach(() => {
  stub.requests.length = 0
  stub.answer = () => ({ status: 500, body: '' })
  stripe = stripeProvider({ outbound, secretKey, webhookSecret, baseUrl: stub.url })
})

const order: checkoutPort.CheckoutOrder = {
  reference: 'inv-1',
  amountMinor: 12_550n,
  currency: 'USD',
  email: 'ada@example.test',
  description: 'Invoice 1',
  returnUrl: 'https://risiti.test/back',
  expiresAt: new Date('2026-03-01T10:00:00.900Z'),
  keepCard: false,
}
const cardOrder: CardOrder = { ...order, authorisation: JSON.stringify({ customer: 'cus_1', paymentMethod: 'pm_1' }) }

const charge = { id: 'ch_1', amount_refunded: 0, disputed: false }
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 12_550,
  currency: 'usd',
  livemode: false,
  status: 'succeeded',
  last_payment_error: null,
  latest_charge: charge,
  metadata: { reference: 'inv-1' },
  customer: 'cus_1',
  payment_method: 'pm_1',
}
const session = {
  id: 'cs_test_1',
  object: 'checkout.session',
  status: 'complete',
  payment_status: 'paid',
  amount_total: 12_550,
  currency: 'usd',
  livemode: false,
  client_reference_id: 'inv-1',
  metadata: { reference: 'inv-1' },
  customer: 'cus_1',
  payment_intent: intent,
}
const no = (status: number, message: string, own: object = {}) => ({ status, body: { error: { message, ...own } } })

/** Prepares a session, or only the payment intent if `seen` is undefined. */
function prepare(seen: object | undefined, own: object = {}, disputes: object[] = []): void {
  stub.answer = ({ path }) => {
    if (path.startsWith('/v1/disputes?')) return { body: { object: 'list', data: disputes, has_more: false } }
    if (path.startsWith('/v1/checkout/sessions?')) return { body: { data: seen ? [seen] : [], has_more: false } }
    return { body: path.startsWith('/v1/payment_intents') ? { ...intent, ...own } : seen }
  }
}
const look = (handle = 'cs_test_1') => stripe.look(handle, patience)

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).not.toMatch(/sk_test|0123456789abcdef|whsec|cus_|pm_/)
  expect((failure as Error).cause).toBeUndefined()
  return failure as Error
}
async function expectUnknowing(call: Promise<unknown>): Promise<Error> {
  const failure = await failureOf(call)
  expect(failure).not.toBeInstanceOf(checkoutPort.ProviderRefusal)
  return failure
}
async function expectRefused(call: Promise<unknown>): Promise<Error> {
  const failure = await failureOf(call)
  expect(failure).toBeInstanceOf(checkoutPort.ProviderRefusal)
  return failure
}

test.each([false, true])('the request that starts a checkout (card stored: %s)', async (keepCard) => {
  stub.answer = () => ({ body: { ...session, status: 'open', url: 'https://checkout.test/x' } })
  const started = await stripe.startCheckout({ ...order, keepCard }, patience)
  expect(started).toEqual({ url: 'https://checkout.test/x', handle: 'cs_test_1' })
  const [{ method, path, headers, body }] = stub.requests as [(typeof stub.requests)[number]]
  expect([method, path, headers.authorization]).toEqual(['POST', '/v1/checkout/sessions', `Bearer ${secretKey}`])
  expect(headers['idempotency-key']).toBe('inv-1')
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '12550',
    'line_items[0][price_data][product_data][name]': 'Invoice 1',
    client_reference_id: 'inv-1',
    customer_email: 'ada@example.test',
    success_url: 'https://risiti.test/back',
    cancel_url: 'https://risiti.test/back',
    expires_at: '1772359200',
    'metadata[reference]': 'inv-1',
    'payment_intent_data[metadata][reference]': 'inv-1',
    ...(keepCard ? { customer_creation: 'always', 'payment_intent_data[setup_future_usage]': 'off_session' } : {}),
  })
})

test('the requests that charge a card and refund', async () => {
  stub.answer = ({ path }) => ({
    body: path === '/v1/refunds' ? { object: 'refund', amount: 5, status: 'pending' } : intent,
  })
  await stripe.chargeCard(cardOrder, patience)
  await stripe.refund('pi_1', { amountMinor: 5n, key: 'key-1' }, patience)
  const sent = stub.requests.map(({ path, headers, body }) => [path, headers['idempotency-key'], body])
  expect(sent.map(([path, key]) => [path, key])).toEqual([
    ['/v1/payment_intents', 'inv-1'],
    ['/v1/refunds', 'key-1'],
  ])
  expect(Object.fromEntries(new URLSearchParams(sent[0]?.[2] as string))).toMatchObject({
    amount: '12550',
    currency: 'usd',
    customer: 'cus_1',
    payment_method: 'pm_1',
    off_session: 'true',
    confirm: 'true',
    'metadata[reference]': 'inv-1',
  })
  expect(sent[1]?.[2]).toBe('payment_intent=pi_1&amount=5')
})

test.each(['failed', 'canceled'])('a refund that is %s at once has failed', async (status) => {
  stub.answer = () => ({ body: { object: 'refund', amount: 5, status } })
  await expectRefused(stripe.refund('pi_1', { amountMinor: 5n, key: 'key-1' }, patience))
})

const unpaid = { payment_status: 'unpaid', payment_intent: null }
const failing = { ...intent, status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } }
test.each<[string, object]>([
  ['paid', {}],
  ['open', { ...unpaid, status: 'open' }],
  ['open', { ...unpaid, status: 'complete' }],
  ['failed', { ...unpaid, status: 'open', payment_intent: failing }],
  ['failed', { ...unpaid, status: 'complete', payment_intent: failing }],
  ['ended', { ...unpaid, status: 'expired' }],
  ['ended', { ...unpaid, status: 'expired', payment_intent: failing }],
])('%s: a session with %j', async (state, own) => {
  prepare({ ...session, ...own })
  expect(await look()).toMatchObject({ state, reference: 'inv-1', currency: 'USD' })
})

test.each<[string, object]>([
  ['paid', {}],
  ['ended', { status: 'canceled' }],
  ['failed', failing],
  ['open', { status: 'requires_payment_method' }],
  ['open', { status: 'requires_action', last_payment_error: { code: 'earlier' } }],
  ['open', { status: 'processing' }],
])('%s: a payment intent with %j', async (state, own) => {
  prepare(undefined, own)
  expect(await look('pi_1')).toMatchObject({ state, amountMinor: 12_550n, reference: 'inv-1' })
})

test('payments of other systems on the same Stripe account are ignored', async () => {
  prepare({ ...session, client_reference_id: null, metadata: {}, amount_total: null, currency: null })
  expect(await look()).toBeUndefined()
  prepare(undefined, { metadata: {} })
  expect(await look('pi_1')).toBeUndefined()
})

test('a lookup by our reference prefers the paid payment', async () => {
  prepare(undefined)
  const answer = stub.answer
  const found = [{ ...failing, id: 'pi_0' }, intent]
  stub.answer = (request) => (request.path.includes('/search?') ? { body: { data: found } } : answer(request))
  expect(await look('inv-1')).toMatchObject({ reference: 'inv-1', handle: 'pi_1', state: 'paid' })
  const asked = new URL(stub.requests[0]?.path ?? '', stub.url)
  expect([asked.pathname, asked.searchParams.get('query')]).toEqual([
    '/v1/payment_intents/search',
    "metadata['reference']:'inv-1'",
  ])
  await expectUnknowing(look('inv-2'))
  found.length = 0
  expect(await look('inv-1')).toBeUndefined()
})

test.each(["x' OR status:'succeeded", 'a b', ''])('%j is not a reference', async (reference) => {
  expect(await look(reference)).toBeUndefined()
  expect(stub.requests).toEqual([])
})

test.each([
  [[], 'none'],
  [['needs_response'], 'open'],
  [['under_review'], 'open'],
  [['warning_needs_response'], 'open'],
  [['warning_under_review'], 'open'],
  [['something_new'], 'open'],
  [['won'], 'won'],
  [['warning_closed'], 'won'],
  [['lost'], 'lost'],
  [['won', 'lost'], 'lost'],
  [['lost', 'under_review'], 'open'],
])('disputes %j are %s', async (statuses, dispute) => {
  const disputed = { ...intent, latest_charge: { ...charge, disputed: true } }
  prepare(
    { ...session, payment_intent: disputed },
    {},
    statuses.map((status) => ({ status, payment_intent: 'pi_1' })),
  )
  expect(await look()).toMatchObject({ dispute })
})

test('disputes of an undisputed payment are not requested', async () => {
  prepare(session)
  expect(await look()).toMatchObject({ dispute: 'none' })
  expect(stub.requests).toHaveLength(1)
})

describe('an invalid answer', () => {
  test.each<[string, object]>([
    ['an amount in dollars and cents', { amount_total: 125.5 }],
    ['an amount as text', { amount_total: '12550' }],
    ['an amount below nothing', { amount_total: -1 }],
    ['an amount beyond safe integers', { amount_total: 2 ** 53 }],
    ['no amount', { amount_total: null }],
    ['another session', { id: 'cs_test_2' }],
    ['two references', { metadata: { reference: 'inv-2' } }],
    ['an unknown status', { status: 'constructor' }],
    ['an unknown payment status', { payment_status: 'maybe' }],
    ['a currency that is none', { currency: 5 }],
    ['no mode', { livemode: 'no' }],
    ['paid without a payment', { payment_intent: null }],
    ['paid without a charge', { payment_intent: { ...intent, latest_charge: null } }],
    ['a payment by its id alone', { payment_intent: 'pi_1' }],
    ['a charge by its id alone', { payment_intent: { ...intent, latest_charge: 'ch_1' } }],
    ['refunds in dollars', { payment_intent: { ...intent, latest_charge: { ...charge, amount_refunded: 0.5 } } }],
  ])('%s', async (_, own) => {
    prepare({ ...session, ...own })
    await expectUnknowing(look())
  })

  test('an answer about another payment intent', async () => {
    prepare({ ...session, payment_intent: { ...intent, id: 'pi_2' } })
    await expectUnknowing(look('pi_1'))
    prepare(undefined, { id: 'pi_2' })
    await expectUnknowing(look('pi_1'))
  })

  test('disputes of other payments', async () => {
    const disputed = { ...intent, latest_charge: { ...charge, disputed: true } }
    prepare({ ...session, payment_intent: disputed }, {}, [{ status: 'won', payment_intent: 'pi_2' }])
    await expectUnknowing(look())
  })

  test.each([
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<html>maintenance</html>' }],
    ['nothing', { body: '' }],
    ['null', { body: 'null' }],
    ['half of it', { body: '{"id":"cs_test_1","obj' }],
    ['another object', { body: { id: 'cs_test_1', object: 'customer' } }],
    ['more than anybody needs', { body: { ...session, padding: 'x'.repeat(300 * 1024) } }],
    ['a success with a 500', { status: 500, body: { ...session, url: 'https://checkout.test/x' } }],
    ['a success with a 404', { status: 404, body: { ...session, url: 'https://checkout.test/x' } }],
    ['a 4xx of somebody else', { status: 404, body: '<html>not here</html>' }],
    ['an error that is none', { status: 400, body: { error: 'invalid_request' } }],
  ])('%s', async (_, answer) => {
    stub.answer = () => answer
    await expectUnknowing(look())
    await expectUnknowing(stripe.startCheckout(order, patience))
    await expectUnknowing(stripe.chargeCard(cardOrder, patience))
  })

  test.each(['javascript:alert(1)', '/relative', null])('the payment page %j', async (url) => {
    stub.answer = () => ({ body: { ...session, url } })
    await expectUnknowing(stripe.startCheckout(order, patience))
  })

  test('an answer about another payment', async () => {
    stub.answer = () => ({ body: { ...session, client_reference_id: 'inv-2', url: 'https://checkout.test/x' } })
    await expectUnknowing(stripe.startCheckout(order, patience))
    stub.answer = () => ({ body: { ...intent, metadata: { reference: 'inv-2' } } })
    await expectUnknowing(stripe.chargeCard(cardOrder, patience))
  })
})

test('a redirect is not followed, and the key is not sent there', async () => {
  await using other = await new StubServer().start()
  other.answer = () => ({ body: session })
  stub.answer = () => ({ status: 307, headers: { location: `${other.url}/v1/elsewhere` }, body: '' })
  await expectUnknowing(look())
  await expectUnknowing(stripe.startCheckout(order, patience))
  expect(other.requests).toEqual([])
})

test('a redirect with a refusal in its body is not a refusal', async () => {
  stub.answer = () => no(307, 'No such payment', { type: 'invalid_request_error', code: 'resource_missing' })
  const { message } = await expectUnknowing(look())
  expect(message).toBe('Stripe answered 307')
})

test('a broken connection is not retried, although the library would retry', async () => {
  await using server = await new RawServer().start('127.0.0.1')
  server.answer = (socket) => socket.resetAndDestroy()
  const broken = stripeProvider({ outbound, secretKey, webhookSecret, baseUrl: server.url })
  const { message } = await expectUnknowing(broken.chargeCard(cardOrder, patience))
  expect(message).toBe('stripe gave no answer: the answer broke off, or was none (ECONNRESET)')
  expect(server.requests).toHaveLength(1)
})

test.each([401, 403, 408, 409, 429, 500, 502, 503])(
  'status %i leaves the result unknown, and the request is sent once',
  async (status) => {
    stub.answer = () => no(status, `Invalid API Key provided: ${secretKey}`)
    await expectUnknowing(look())
    await expectUnknowing(stripe.chargeCard(cardOrder, patience))
    expect(stub.requests).toHaveLength(2)
  },
)

test.each<[number, object]>([
  [400, { type: 'invalid_request_error' }],
  [404, { type: 'invalid_request_error', code: 'resource_missing' }],
  [402, { type: 'card_error', code: 'card_declined' }],
  [400, { type: 'idempotency_error' }],
])('%i %j is a refusal, without our secrets', async (status, own) => {
  stub.answer = () => no(status, `No such pm_1 of cus_1 with ${secretKey}`, own)
  const { message } = await expectRefused(stripe.chargeCard(cardOrder, patience))
  expect(message).toBe('No such [hidden] of [hidden] with [hidden]')
})

test('a failed request to expire a checkout is reported', async () => {
  prepare({ ...session, ...unpaid, status: 'open' })
  const answer = stub.answer
  stub.answer = (request) => (request.path.endsWith('/expire') ? no(500, 'not now') : answer(request))
  await expectUnknowing(stripe.endCheckout('cs_test_1', patience))
  stub.answer = (request) => (request.path.endsWith('/expire') ? no(400, 'it is not open') : answer(request))
  expect(await stripe.endCheckout('cs_test_1', patience)).toMatchObject({ state: 'open' })
})

test('a declined card still has a payment', async () => {
  stub.answer = () => no(402, 'Your card was declined.', { type: 'card_error', payment_intent: failing })
  expect(await stripe.chargeCard(cardOrder, patience)).toEqual({ handle: 'pi_1' })
})

test.each(['', 'pm_1', '{}', '{"customer":"","paymentMethod":"pm_1"}', '{"code":"AUTH_abc","email":"a@b.test"}'])(
  'an invalid card (%j) is refused without a request',
  async (authorisation) => {
    await expectRefused(stripe.chargeCard({ ...cardOrder, authorisation }, patience))
    expect(stub.requests).toEqual([])
  },
)

test('an amount beyond the largest safe number is refused without a request', async () => {
  const amountMinor = 2n ** 53n
  await expectRefused(stripe.startCheckout({ ...order, amountMinor }, patience))
  await expectRefused(stripe.chargeCard({ ...cardOrder, amountMinor }, patience))
  await expectRefused(stripe.refund('pi_1', { amountMinor, key: 'k' }, patience))
  expect(stub.requests).toEqual([])
})

test('an aborted call ends at once', async () => {
  const stopping = new AbortController()
  stub.answer = () => {
    stopping.abort(new Error('no more time'))
    return undefined
  }
  await expect(stripe.look('cs_test_1', stopping.signal)).rejects.toThrow('no more time')
  await expect(stripe.startCheckout(order, stopping.signal)).rejects.toThrow('no more time')
  expect(stub.requests).toHaveLength(1)
})

test('the prefix of a key decides whether it is live', () => {
  const liveOf = (key: string) => stripeProvider({ outbound, secretKey: key, webhookSecret }).live
  expect(['sk_live_1', 'rk_live_1', 'sk_test_1', 'rk_test_1'].map(liveOf)).toEqual([true, true, false, false])
})

test('a key with invalid characters is not sent', async () => {
  const odd = stripeProvider({ outbound, secretKey: 'sk_test_\n0123456789abcdef', webhookSecret, baseUrl: stub.url })
  await expectUnknowing(odd.look('cs_test_1', patience))
  expect(stub.requests).toEqual([])
})
