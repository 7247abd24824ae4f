import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CheckoutSimulator, startCheckoutSimulator } from '../../../simulators/src/checkout/index.ts'
import { outbound } from '../../../test/harness/outbound.ts'
import { checkoutPort } from '../modules/billing/index.ts'
import { stripeProvider } from './stripe.ts'

const secretKey = 'sk_test_0123456789abcdef'
const webhookSecret = 'whsec_fedcba9876543210'
const patience = new AbortController().signal
let simulator: CheckoutSimulator
let stripe: checkoutPort.CheckoutProvider
let order: checkoutPort.CheckoutOrder
let reference: string

beforeAll(async () => {
  simulator = await startCheckoutSimulator({
    paystackKey: 'sk_test_paystack',
    stripeKey: secretKey,
    stripeWebhookSecret: webhookSecret,
  })
  stripe = stripeProvider({ outbound, secretKey, webhookSecret, baseUrl: () => simulator.url })
})
afterAll(() => simulator.close())
beforeEach(() => {
  reference = randomUUID()
  order = {
    reference,
    amountMinor: 12_550n,
    currency: 'USD',
    email: 'ada@example.test',
    description: 'Invoice of $125.50 for Adéọlá',
    returnUrl: 'https://risiti.test/back',
    expiresAt: new Date(Date.now() + 3_600_000),
    keepCard: true,
  }
})
afterEach(() => simulator.control.misbehave(undefined))

const look = (handle: string) => stripe.look(handle, patience)
const refund = (handle: string, amountMinor: bigint, key: string) =>
  stripe.refund(handle, { amountMinor, key }, patience)

async function begun(): Promise<string> {
  const { handle } = await stripe.startCheckout(order, patience)
  return handle
}
async function paid(): Promise<string> {
  const handle = await begun()
  await simulator.control.act(reference, 'paid')
  return handle
}
/** The subject of the latest notification of this type. */
function subjectOf(type: string): string {
  const record = simulator.control.notifications.findLast((one) => one.type === type)
  return stripe.readNotification(Buffer.from(record?.body ?? ''), record?.headers ?? {})?.subject ?? 'none'
}
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).not.toMatch(/sk_test|0123456789abcdef|whsec|cus_|pm_/)
  return failure
}
const refused = async (call: Promise<unknown>) =>
  expect(await failureOf(call)).toBeInstanceOf(checkoutPort.ProviderRefusal)
const unknowing = async (call: Promise<unknown>) =>
  expect(await failureOf(call)).not.toBeInstanceOf(checkoutPort.ProviderRefusal)

test('a new checkout is open, and its page can be shown', async () => {
  const { url, handle } = await stripe.startCheckout(order, patience)
  expect(handle).toMatch(/^cs_test_/)
  expect(url.startsWith(simulator.url)).toBe(true)
  expect(await look(handle)).toEqual({
    reference,
    handle,
    state: 'open',
    amountMinor: 12_550n,
    currency: 'USD',
    live: false,
    refundedMinor: 0n,
    dispute: 'none',
    authorisation: undefined,
  })
})

test('a checkout that is started twice is the same, and its reference admits no other', async () => {
  const handle = await begun()
  expect(await begun()).toBe(handle)
  await refused(stripe.startCheckout({ ...order, amountMinor: 5n }, patience))
})

test('a failed payment is paid with another card', async () => {
  const handle = await begun()
  await simulator.control.act(reference, 'failed')
  expect(await look(handle)).toMatchObject({ state: 'failed', authorisation: undefined })
  await simulator.control.act(reference, 'paid')
  expect(await look(handle)).toEqual({
    reference,
    handle,
    state: 'paid',
    amountMinor: 12_550n,
    currency: 'USD',
    live: false,
    refundedMinor: 0n,
    dispute: 'none',
    authorisation: expect.stringMatching(/cus_.*pm_/),
  })
})

test('a lookup by payment intent finds the same payment', async () => {
  const handle = await paid()
  const intent = subjectOf('payment_intent.succeeded')
  expect(intent).toMatch(/^pi_/)
  expect(await look(intent)).toEqual(await look(handle))
})

test('a card is stored only on request', async () => {
  order = { ...order, keepCard: false }
  expect(await look(await paid())).toMatchObject({ state: 'paid', authorisation: undefined })
})

test('an expired checkout cannot be paid, and a paid one cannot be expired', async () => {
  const ended = await begun()
  expect(await stripe.endCheckout(ended, patience)).toMatchObject({ state: 'ended' })
  expect(await stripe.endCheckout(ended, patience)).toMatchObject({ state: 'ended' })
  await expect(simulator.control.act(reference, 'paid')).rejects.toThrow()
  reference = randomUUID()
  order = { ...order, reference }
  expect(await stripe.endCheckout(await paid(), patience)).toMatchObject({ state: 'paid' })
})

test('a checkout with a failed card is expired by its payment intent', async () => {
  const handle = await begun()
  await simulator.control.act(reference, 'failed')
  const intent = subjectOf('payment_intent.payment_failed')
  expect(await stripe.endCheckout(intent, patience)).toMatchObject({ handle, state: 'ended' })
})

test('a payment is refunded in parts, then completely, by either id', async () => {
  const handle = await paid()
  await refund(handle, 2_550n, randomUUID())
  expect(await look(handle)).toMatchObject({ state: 'paid', refundedMinor: 2_550n })
  await refund(subjectOf('charge.refunded'), 2_550n, randomUUID())
  expect(await look(handle)).toMatchObject({ state: 'paid', refundedMinor: 5_100n })
  await simulator.control.refund(reference)
  expect(await look(handle)).toMatchObject({ state: 'paid', amountMinor: 12_550n, refundedMinor: 12_550n })
})

test('one key refunds once', async () => {
  const handle = await paid()
  const key = randomUUID()
  await refund(handle, 2_550n, key)
  await refund(handle, 2_550n, key)
  expect(await look(handle)).toMatchObject({ refundedMinor: 2_550n })
})

test('an unknown payment cannot be refunded', async () => {
  const handle = await begun()
  await refused(refund(handle, 5n, randomUUID()))
  await simulator.control.act(reference, 'paid')
  await refused(refund(handle, 12_551n, randomUUID()))
  await refused(refund('cs_test_unknown', 5n, randomUUID()))
  await refused(refund('pi_unknown', 5n, randomUUID()))
  expect(await look(handle)).toMatchObject({ refundedMinor: 0n })
})

test.each([
  [true, 'won'],
  [false, 'lost'],
])('a dispute is opened and decided (won: %s)', async (won, dispute) => {
  const handle = await paid()
  await simulator.control.openDispute(reference)
  expect(await look(handle)).toMatchObject({ state: 'paid', dispute: 'open' })
  await simulator.control.closeDispute(reference, won)
  expect(await look(handle)).toMatchObject({ state: 'paid', dispute })
})

test('a stored card is charged once for each reference', async () => {
  const { authorisation = '' } = (await look(await paid())) ?? {}
  const charge = { ...order, reference: randomUUID(), amountMinor: 700n, authorisation }
  const { handle } = await stripe.chargeCard(charge, patience)
  expect(handle).toMatch(/^pi_/)
  expect(await look(handle)).toMatchObject({ reference: charge.reference, state: 'paid', amountMinor: 700n })
  expect(await stripe.endCheckout(handle, patience)).toMatchObject({ state: 'paid' })
  const told = simulator.control.notifications.length
  expect(await stripe.chargeCard(charge, patience)).toEqual({ handle })
  expect(simulator.control.notifications).toHaveLength(told)
  await refund(handle, 200n, randomUUID())
  expect(await look(handle)).toMatchObject({ refundedMinor: 200n })
})

test('a lookup shows that the card was declined, also after a repeated charge', async () => {
  const { authorisation = '' } = (await look(await paid())) ?? {}
  simulator.control.declineCard(reference)
  const charge = { ...order, reference: randomUUID(), authorisation }
  const { handle } = await stripe.chargeCard(charge, patience)
  expect(await look(handle)).toMatchObject({ reference: charge.reference, state: 'failed', authorisation: undefined })
  expect(await stripe.chargeCard(charge, patience)).toEqual({ handle })
})

test('an unknown card is refused', async () => {
  const authorisation = JSON.stringify({ customer: 'cus_unknown', paymentMethod: 'pm_unknown' })
  await refused(stripe.chargeCard({ ...order, authorisation }, patience))
})

test.each(['cs_test_unknown', 'pi_unknown', 'ch_1', 'cs_../payment_intents', ''])('%j is not found', async (handle) => {
  expect(await look(handle)).toBeUndefined()
  expect(await stripe.endCheckout(handle, patience)).toBeUndefined()
})

test('an expiry that is too near is refused', async () => {
  await refused(stripe.startCheckout({ ...order, expiresAt: new Date(Date.now() + 60_000) }, patience))
})

test('with a wrong key the result is unknown', async () => {
  const handle = await paid()
  const stranger = stripeProvider({ outbound, secretKey: 'sk_test_wrong', webhookSecret, baseUrl: simulator.url })
  await unknowing(stranger.look(handle, patience))
  await unknowing(stranger.startCheckout({ ...order, reference: randomUUID() }, patience))
  await unknowing(stranger.refund(handle, { amountMinor: 5n, key: 'k' }, patience))
})

test.each(['down', 'nonsense', 'error_after'] as const)('%s: the result is unknown', async (fault) => {
  const handle = await begun()
  simulator.control.misbehave(fault)
  await unknowing(stripe.startCheckout({ ...order, reference: randomUUID() }, patience))
  await unknowing(look(handle))
  await unknowing(stripe.endCheckout(handle, patience))
  simulator.control.misbehave(undefined)
  expect(await look(handle)).toMatchObject({ state: fault === 'error_after' ? 'ended' : 'open' })
})

test('an aborted call ends with the caller’s reason, and a lookup finds the checkout', async () => {
  simulator.control.misbehave('late_reply')
  const stopping = new AbortController()
  const started = stripe.startCheckout(order, stopping.signal)
  await expect.poll(() => simulator.control.requests.at(-1)).toMatchObject({ status: 0 })
  stopping.abort(new Error('no more time'))
  await expect(started).rejects.toThrow('no more time')
  simulator.control.misbehave(undefined)
  expect(await look(await begun())).toMatchObject({ state: 'open' })
})

test('every notification names its payment', async () => {
  const before = simulator.control.notifications.length
  const handle = await begun()
  await simulator.control.act(reference, 'failed')
  await simulator.control.act(reference, 'paid')
  await simulator.control.refund(reference, 50n)
  await simulator.control.openDispute(reference)
  await simulator.control.closeDispute(reference, true)
  const seen = await look(handle)
  const told = simulator.control.notifications.slice(before)
  const read = told.map(({ body, headers }) => stripe.readNotification(Buffer.from(body), headers))
  expect(read.map((one) => one?.type)).toEqual(told.map(({ type }) => type))
  expect(told.length).toBeGreaterThanOrEqual(6)
  for (const one of read) expect(await look(one?.subject ?? '')).toEqual(seen)
  expect(new Set(read.map((one) => one?.id)).size).toBe(told.length)
})
