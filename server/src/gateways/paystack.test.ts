import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CheckoutSimulator, startCheckoutSimulator } from '../../../simulators/src/checkout/index.ts'
import { outbound } from '../../../test/harness/outbound.ts'
import { checkoutPort } from '../modules/billing/index.ts'
import { paystackProvider } from './paystack.ts'

const secretKey = 'sk_test_0123456789abcdef'
const patience = new AbortController().signal
let simulator: CheckoutSimulator
let paystack: checkoutPort.CheckoutProvider
let order: checkoutPort.CheckoutOrder
let reference: string

beforeAll(async () => {
  simulator = await startCheckoutSimulator({
    paystackKey: secretKey,
    stripeKey: 'sk_test_stripe',
    stripeWebhookSecret: 'whsec_test',
  })
  paystack = paystackProvider({ outbound, secretKey, baseUrl: () => `${simulator.url}/paystack/` })
})
afterAll(() => simulator.close())
beforeEach(() => {
  reference = randomUUID()
  order = {
    reference,
    amountMinor: 125_050n,
    currency: 'NGN',
    email: 'ada@example.test',
    description: 'Invoice of ₦1,250.50 for Adéọlá',
    returnUrl: 'https://risiti.test/back',
    expiresAt: new Date(Date.now() + 3_600_000),
    keepCard: true,
  }
})
afterEach(() => simulator.control.misbehave(undefined))

const look = (handle = reference) => paystack.look(handle, patience)
const refund = (amountMinor: bigint, key: string) => paystack.refund(reference, { amountMinor, key }, patience)

async function paid(): Promise<string> {
  const { handle } = await paystack.startCheckout(order, patience)
  await simulator.control.act(reference, 'paid')
  return handle
}
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).not.toMatch(/sk_test|0123456789abcdef|AUTH_/)
  return failure
}
const refused = async (call: Promise<unknown>) =>
  expect(await failureOf(call)).toBeInstanceOf(checkoutPort.ProviderRefusal)
const unknowing = async (call: Promise<unknown>) =>
  expect(await failureOf(call)).not.toBeInstanceOf(checkoutPort.ProviderRefusal)

test('a new checkout is open, and its page can be shown', async () => {
  const { url, handle } = await paystack.startCheckout(order, patience)
  expect(handle).toBe(reference)
  expect(url.startsWith(simulator.url)).toBe(true)
  expect(await look()).toEqual({
    reference,
    handle: reference,
    state: 'open',
    amountMinor: 125_050n,
    currency: 'NGN',
    live: false,
    refundedMinor: 0n,
    dispute: 'none',
    authorisation: undefined,
  })
})

test('a failed payment is paid with another card', async () => {
  await paystack.startCheckout(order, patience)
  await simulator.control.act(reference, 'failed')
  expect(await look()).toMatchObject({ state: 'failed', authorisation: undefined })
  await simulator.control.act(reference, 'paid')
  expect(await look()).toEqual({
    reference,
    handle: reference,
    state: 'paid',
    amountMinor: 125_050n,
    currency: 'NGN',
    live: false,
    refundedMinor: 0n,
    dispute: 'none',
    authorisation: expect.stringContaining('ada@example.test'),
  })
})

test('an abandoned checkout is still open', async () => {
  await paystack.startCheckout(order, patience)
  await simulator.control.act(reference, 'abandoned')
  expect(await look()).toMatchObject({ state: 'open' })
})

test('Paystack cannot close a checkout, so closing returns its state', async () => {
  await paystack.startCheckout(order, patience)
  expect(await paystack.endCheckout(reference, patience)).toMatchObject({ state: 'open' })
  await simulator.control.act(reference, 'paid')
  expect(await paystack.endCheckout(reference, patience)).toMatchObject({ state: 'paid' })
})

test('a payment is refunded in parts, then completely', async () => {
  await paid()
  await refund(25_050n, 'first')
  expect(await look()).toMatchObject({ state: 'paid', refundedMinor: 25_050n })
  await refund(25_050n, 'second')
  expect(await look()).toMatchObject({ state: 'paid', refundedMinor: 50_100n })
  await simulator.control.refund(reference)
  expect(await look()).toMatchObject({ state: 'paid', amountMinor: 125_050n, refundedMinor: 125_050n })
})

test('one key refunds once, even if the first reply was lost', async () => {
  await paid()
  await refund(25_050n, 'once')
  await refund(25_050n, 'once')
  expect(await look()).toMatchObject({ refundedMinor: 25_050n })
  await refund(100_000n, 'rest')
  await refund(100_000n, 'rest')
  expect(await look()).toMatchObject({ refundedMinor: 125_050n })
})

test('an unknown payment cannot be refunded', async () => {
  await paystack.startCheckout(order, patience)
  await refused(refund(5n, 'unpaid'))
  await simulator.control.act(reference, 'paid')
  await refused(refund(125_051n, 'too much'))
  await refused(paystack.refund(randomUUID(), { amountMinor: 5n, key: 'unknown' }, patience))
  expect(await look()).toMatchObject({ refundedMinor: 0n })
})

test.each([
  [true, 'won'],
  [false, 'lost'],
])('a dispute is opened and decided (won: %s)', async (won, dispute) => {
  await paid()
  expect(await look()).toMatchObject({ dispute: 'none' })
  await simulator.control.openDispute(reference)
  expect(await look()).toMatchObject({ state: 'paid', dispute: 'open' })
  await simulator.control.closeDispute(reference, won)
  expect(await look()).toMatchObject({ state: 'paid', dispute })
})

test('a stored card is charged once for each reference', async () => {
  await paid()
  const { authorisation = '' } = (await look()) ?? {}
  // The user has a new email address, but the card still belongs to the old one.
  const charge = { ...order, reference: randomUUID(), amountMinor: 7_000n, email: 'new@example.test', authorisation }
  const { handle } = await paystack.chargeCard(charge, patience)
  expect(handle).toBe(charge.reference)
  expect(await look(handle)).toMatchObject({ reference: charge.reference, state: 'paid', amountMinor: 7_000n })
  const asked = simulator.control.notifications.length
  expect(await paystack.chargeCard(charge, patience)).toEqual({ handle })
  expect(simulator.control.notifications).toHaveLength(asked)
})

test('a lookup shows that the card was declined', async () => {
  await paid()
  const { authorisation = '' } = (await look()) ?? {}
  simulator.control.declineCard(reference)
  const { handle } = await paystack.chargeCard({ ...order, reference: randomUUID(), authorisation }, patience)
  expect(await look(handle)).toMatchObject({ state: 'failed', authorisation: undefined })
})

test('an unknown card is refused', async () => {
  const authorisation = JSON.stringify({ code: 'AUTH_unknown', email: 'ada@example.test' })
  await refused(paystack.chargeCard({ ...order, authorisation }, patience))
  expect(await look()).toBeUndefined()
})

test('an unknown payment is not found', async () => {
  expect(await look()).toBeUndefined()
  expect(await paystack.endCheckout(reference, patience)).toBeUndefined()
})

test('an invalid email address is refused, and a repeated start has an unknown result', async () => {
  await refused(paystack.startCheckout({ ...order, email: 'nobody' }, patience))
  expect(await look()).toBeUndefined()
  await paystack.startCheckout(order, patience)
  await unknowing(paystack.startCheckout(order, patience))
})

test('with a wrong key the result is unknown', async () => {
  await paid()
  const stranger = paystackProvider({ outbound, secretKey: 'sk_test_wrong', baseUrl: `${simulator.url}/paystack` })
  await unknowing(stranger.look(reference, patience))
  await unknowing(stranger.startCheckout({ ...order, reference: randomUUID() }, patience))
  await unknowing(stranger.refund(reference, { amountMinor: 5n, key: 'k' }, patience))
})

test.each(['down', 'nonsense', 'error_after'] as const)('%s: the result is unknown', async (fault) => {
  simulator.control.misbehave(fault)
  await unknowing(paystack.startCheckout(order, patience))
  await unknowing(look())
  simulator.control.misbehave(undefined)
  expect((await look())?.state).toBe(fault === 'error_after' ? 'open' : undefined)
})

test('an aborted call ends with the caller’s reason', async () => {
  simulator.control.misbehave('late_reply')
  const stopping = new AbortController()
  const started = paystack.startCheckout(order, stopping.signal)
  await expect.poll(() => simulator.control.requests.at(-1)).toMatchObject({ status: 0 })
  stopping.abort(new Error('no more time'))
  await expect(started).rejects.toThrow('no more time')
  simulator.control.misbehave(undefined)
  expect(await look()).toMatchObject({ state: 'open' })
})

test('every notification names its payment', async () => {
  const before = simulator.control.notifications.length
  await paystack.startCheckout(order, patience)
  await simulator.control.act(reference, 'failed')
  await simulator.control.act(reference, 'paid')
  await simulator.control.refund(reference, 50n)
  await simulator.control.openDispute(reference)
  await simulator.control.closeDispute(reference, true)
  const told = simulator.control.notifications.slice(before)
  const read = told.map(({ body, headers }) => paystack.readNotification(Buffer.from(body), headers))
  expect(read.map((one) => [one?.type, one?.subject])).toEqual(told.map(({ type }) => [type, reference]))
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set([
      'charge.failed',
      'charge.success',
      'refund.pending',
      'refund.processed',
      'charge.dispute.create',
      'charge.dispute.resolve',
    ]),
  )
  expect(new Set(read.map((one) => one?.id)).size).toBe(told.length)
})
