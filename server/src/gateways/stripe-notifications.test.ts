import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { outbound } from '../../../test/harness/outbound.ts'
import { stripeProvider } from './stripe.ts'

const webhookSecret = 'whsec_fedcba9876543210'
const stripe = stripeProvider({ outbound, secretKey: 'sk_test_0123456789abcdef', webhookSecret })

const seconds = () => Math.floor(Date.now() / 1000)
const digest = (body: string, at: number, secret = webhookSecret) =>
  createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
const sign = (body: string, at = seconds(), secret = webhookSecret) => `t=${at},v1=${digest(body, at, secret)}`
const receive = (body: string, signature: unknown = sign(body)) =>
  stripe.readNotification(Buffer.from(body), { 'stripe-signature': signature })

const event = (type: string, object: object, own: object = {}) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, livemode: false, data: { object }, ...own })
const completed = event('checkout.session.completed', { id: 'cs_test_1', payment_intent: 'pi_1' })

test.each([
  ['checkout.session.completed', { id: 'cs_test_1', payment_intent: 'pi_1' }, 'cs_test_1'],
  ['checkout.session.expired', { id: 'cs_test_1', payment_intent: null }, 'cs_test_1'],
  ['payment_intent.succeeded', { id: 'pi_1' }, 'pi_1'],
  ['payment_intent.payment_failed', { id: 'pi_1' }, 'pi_1'],
  ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
  ['charge.dispute.created', { id: 'dp_1', payment_intent: 'pi_1' }, 'pi_1'],
  ['charge.dispute.closed', { id: 'dp_1', payment_intent: { id: 'pi_1' } }, 'pi_1'],
  ['refund.failed', { id: 're_1', payment_intent: 'pi_1' }, 'pi_1'],
  ['charge.succeeded', { id: 'ch_1', payment_intent: null }, undefined],
  ['customer.created', { id: 'cus_1' }, undefined],
  ['payment_method.attached', { id: 'pm_1' }, undefined],
])('%s %j is about %s', (type, object, subject) => {
  expect(receive(event(type, object))).toEqual({ id: 'evt_1', type, subject })
})

test('a notification may be at most 300 seconds old', () => {
  // One second of tolerance for the clock.
  expect(receive(completed, sign(completed, seconds() - 298))).toBeDefined()
  expect(receive(completed, sign(completed, seconds() - 301))).toBeUndefined()
  expect(receive(completed, sign(completed, seconds() - 86_400))).toBeUndefined()
})

test('a changed timestamp does not renew an old signature', () => {
  const old = seconds() - 1_000
  expect(receive(completed, `t=${seconds()},v1=${digest(completed, old)}`)).toBeUndefined()
})

test('during a rotation of the secret, one valid signature is enough', () => {
  const at = seconds()
  const both = `t=${at},v1=${digest(completed, at, 'whsec_old')},v1=${digest(completed, at)}`
  expect(receive(completed, both)).toBeDefined()
})

test.each<[string, (body: string) => unknown]>([
  ['null', () => null],
  ['empty', () => ''],
  ['sent twice', (body) => [sign(body), sign(body)]],
  ['of another secret', (body) => sign(body, seconds(), 'whsec_other')],
  ['of other bytes', (body) => sign(`${body} `)],
  ['of another scheme', (body) => sign(body).replace('v1=', 'v0=')],
  ['without a time', (body) => `v1=${digest(body, seconds())}`],
  ['without a digest', () => `t=${seconds()}`],
  ['cut short', (body) => sign(body).slice(0, -1)],
  ['something else', () => 'Bearer x'],
])('a notification with a signature that is %s is refused', (_, signature) => {
  // With the right signature the same bytes are accepted.
  expect(receive(completed)).toBeDefined()
  expect(receive(completed, signature(completed))).toBeUndefined()
})

test('a notification without a signature is refused', () => {
  expect(stripe.readNotification(Buffer.from(completed), {})).toBeUndefined()
})

test('without a configured secret every notification is refused', () => {
  const open = stripeProvider({ outbound, secretKey: 'sk_test_x', webhookSecret: '' })
  // The digest is right for an empty key, which must be refused.
  const signature = sign(completed, seconds(), '')
  expect(open.readNotification(Buffer.from(completed), { 'stripe-signature': signature })).toBeUndefined()
})

test.each(['', 'null', '[]', '{"id":"evt_1"', '{"id":"evt_1","type":"charge.refunded"}', event('x', {}, { id: 7 })])(
  'the signed body %j is not a notification',
  (body) => expect(receive(body)).toBeUndefined(),
)
