import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { outbound } from '../../../test/harness/outbound.ts'
import { paystackProvider } from './paystack.ts'

const secretKey = 'sk_test_0123456789abcdef'
const paystack = paystackProvider({ outbound, secretKey })

const sign = (body: Buffer | string, key = secretKey) => createHmac('sha512', key).update(body).digest('hex')
const receive = (body: string, signature: unknown = sign(body)) =>
  paystack.readNotification(Buffer.from(body), { 'x-paystack-signature': signature })
const charge = JSON.stringify({ event: 'charge.success', data: { reference: 'inv-1', amount: 5000 } })

test.each([
  ['charge.success', { reference: 'inv-1' }, 'inv-1'],
  ['charge.failed', { reference: 'inv-1' }, 'inv-1'],
  ['charge.dispute.create', { reference: 'dispute-1', transaction: { reference: 'inv-1' } }, 'inv-1'],
  ['charge.dispute.resolve', { reference: 'dispute-1' }, undefined],
  ['refund.processed', { transaction_reference: 'inv-1' }, 'inv-1'],
  ['refund.failed', { transaction: { reference: 'inv-1' } }, 'inv-1'],
  ['refund.pending', { transaction: 1641 }, undefined],
  ['transfer.success', { reference: 'inv-1' }, undefined],
  ['charge.success', { reference: 7 }, undefined],
  ['charge.success', { reference: '' }, undefined],
  ['charge.success', null, undefined],
])('%s %j is about %s', (event, data, subject) => {
  const body = JSON.stringify({ event, data })
  const id = createHash('sha256').update(body).digest('hex')
  expect(receive(body)).toEqual({ id, type: event, subject })
})

test('the signature covers the bytes of the body', () => {
  const bytes = Buffer.from(`{ "event": "charge.success",\n "data": {"reference": "inv-1", "note": "₦ \\u20a6"} }`)
  const signature = sign(bytes)
  expect(paystack.readNotification(bytes, { 'x-paystack-signature': signature })?.subject).toBe('inv-1')
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))
  expect(paystack.readNotification(rewritten, { 'x-paystack-signature': signature })).toBeUndefined()
})

test('equal bytes have the same id, and other bytes another id', () => {
  expect(receive(charge)?.id).toBe(receive(charge)?.id)
  expect(receive(charge)?.id).not.toBe(receive(`${charge} `)?.id)
})

test.each<[string, unknown]>([
  ['null', null],
  ['empty', ''],
  ['sent twice', [sign(charge), sign(charge)]],
  ['of another key', sign(charge, 'sk_test_other')],
  ['of other bytes', sign(`${charge} `)],
  ['too short', sign(charge).slice(0, -2)],
  ['too long', `${sign(charge)}00`],
  ['not hexadecimal', sign(charge).replace(/^./, 'g')],
  ['of SHA-256', createHmac('sha256', secretKey).update(charge).digest('hex')],
  ['altered by one digit', sign(charge).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
])('a notification with a signature that is %s is refused', (_, signature) => {
  // With the right signature the same bytes are accepted.
  expect(receive(charge)).toBeDefined()
  expect(receive(charge, signature)).toBeUndefined()
})

test('a notification without a signature is refused', () => {
  expect(paystack.readNotification(Buffer.from(charge), {})).toBeUndefined()
})

test.each(['', 'null', '[]', '{"event":"charge.success"', '{"event":7,"data":{}}', '{"data":{}}', '{"event":"x"}'])(
  'the signed body %j is not a notification',
  (body) => expect(receive(body)).toBeUndefined(),
)
