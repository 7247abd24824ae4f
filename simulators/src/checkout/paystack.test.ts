import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keys, startMerchant, type TestMerchant } from './test-merchant.ts'

let merchant: TestMerchant
beforeEach(async () => {
  merchant = await startMerchant()
})
afterEach(() => merchant[Symbol.asyncDispose]())

const order = (own: object = {}) => ({
  email: 'ada@example.test',
  amount: 1_250_000,
  currency: 'NGN',
  reference: 'sub-1',
  callback_url: 'https://risiti.test/back?from=checkout',
  metadata: { description: 'Risiti Pro, March' },
  ...own,
})
const start = (own: object = {}) => merchant.paystack('POST', '/transaction/initialize', order(own))
const verify = (reference = 'sub-1') => merchant.paystack('GET', `/transaction/verify/${reference}`)
const payFirst = async (own: object = {}) => {
  await start(own)
  await merchant.simulator.control.act('sub-1', 'paid')
  return (await verify()).data
}
const authorizationOf = (data: Record<string, unknown>) => data.authorization as Record<string, unknown>

describe('a checkout', () => {
  test('is abandoned until somebody pays', async () => {
    const { httpStatus, status, data } = await start()
    expect([httpStatus, status]).toEqual([200, true])
    expect(data).toEqual({
      authorization_url: `${merchant.simulator.url}/checkout/${data.access_code}`,
      access_code: expect.stringMatching(/^[a-z0-9]{20,}$/),
      reference: 'sub-1',
    })
    const { data: seen } = await verify()
    expect(seen).toMatchObject({ status: 'abandoned', amount: 1_250_000, requested_amount: 1_250_000, paid_at: null })
    expect(seen).toMatchObject({ domain: 'test', currency: 'NGN', reference: 'sub-1', authorization: {} })
    expect(seen.metadata).toEqual({ description: 'Risiti Pro, March' })
  })

  test('succeeds, with a card that can be charged again', async () => {
    const data = await payFirst()
    expect(data).toMatchObject({ status: 'success', channel: 'card', fees: 28_750, gateway_response: 'Successful' })
    expect(data.id).toBeGreaterThan(2 ** 32)
    expect(data.paid_at).toMatch(/^\d{4}-/)
    expect(data.customer).toMatchObject({ email: 'ada@example.test', customer_code: expect.stringMatching(/^CUS_/) })
    expect(authorizationOf(data)).toMatchObject({
      authorization_code: expect.stringMatching(/^AUTH_/),
      reusable: true,
      last4: '4081',
      brand: 'visa',
    })
    expect(merchant.types()).toEqual(['charge.success'])
  })

  test('that fails can still be paid', async () => {
    await start()
    await merchant.simulator.control.act('sub-1', 'failed')
    expect((await verify()).data).toMatchObject({ status: 'failed', gateway_response: 'Declined', authorization: {} })
    await merchant.simulator.control.act('sub-1', 'paid')
    expect((await verify()).data.status).toBe('success')
    expect(merchant.types()).toEqual(['charge.failed', 'charge.success'])
    await expect(merchant.simulator.control.act('sub-1', 'paid')).rejects.toThrow(/is paid/)
  })

  test('that is abandoned is not told of', async () => {
    await start()
    await merchant.simulator.control.act('sub-1', 'abandoned')
    expect((await verify()).data.status).toBe('abandoned')
    expect(merchant.types()).toEqual([])
  })

  test('takes digits as text, and metadata as the text of an object', async () => {
    expect((await start({ amount: '5000', metadata: '{"plan":"pro"}' })).httpStatus).toBe(200)
    expect((await verify()).data).toMatchObject({ amount: 5_000, metadata: { plan: 'pro' } })
  })

  test('is live with a live key', async () => {
    await using live = await startMerchant({ paystackKey: 'sk_live_x' })
    await live.paystack('POST', '/transaction/initialize', order())
    expect((await live.paystack('GET', '/transaction/verify/sub-1')).data.domain).toBe('live')
  })
})

describe('is refused', () => {
  test.each([
    ['a reference for the second time', { reference: 'taken' }, 400, 'duplicate_reference'],
    ['no email', { email: undefined }, 400, 'invalid_params'],
    ['what is no email', { email: 'ada' }, 400, 'invalid_email_address'],
    ['nothing to pay', { amount: 0 }, 400, 'invalid_params'],
    ['half a kobo', { amount: 10.5 }, 400, 'invalid_params'],
    ['another currency', { currency: 'USD' }, 403, 'unsupported_currency'],
    ['an underscore in the reference', { reference: 'a_b' }, 400, 'invalid_params'],
    ['a way back that is a script', { callback_url: 'javascript:alert(1)' }, 400, 'invalid_params'],
  ])('%s', async (_what, own, httpStatus, code) => {
    await start({ reference: 'taken' })
    const answer = await start(own)
    expect(answer).toMatchObject({ httpStatus, status: false, code })
    expect(answer.message).not.toBe('')
  })

  test('a wrong key', async () => {
    const answer = await merchant.paystack('POST', '/transaction/initialize', order(), 'sk_test_other')
    expect(answer).toMatchObject({ httpStatus: 401, status: false, message: 'Invalid key' })
    expect(await verify()).toMatchObject({
      httpStatus: 400,
      code: 'transaction_not_found',
      message: 'Transaction reference not found.',
    })
  })
})

describe('a saved card', () => {
  const charge = (code: unknown, own: object = {}) =>
    merchant.paystack('POST', '/transaction/charge_authorization', {
      authorization_code: code,
      ...order({ reference: 'sub-2', callback_url: undefined, ...own }),
    })

  test('is charged again, once for a reference', async () => {
    const { authorization_code: code } = authorizationOf(await payFirst())
    const answer = await charge(code)
    expect(answer).toMatchObject({ httpStatus: 200, data: { status: 'success', reference: 'sub-2' } })
    expect(authorizationOf(answer.data).authorization_code).toBe(code)
    expect(await charge(code)).toMatchObject({ httpStatus: 400, code: 'duplicate_reference' })
    expect((await verify('sub-2')).data.status).toBe('success')
    expect(merchant.types()).toEqual(['charge.success', 'charge.success'])
  })

  test('is declined when the tester says so', async () => {
    const { authorization_code: code } = authorizationOf(await payFirst())
    merchant.simulator.control.declineCard('sub-1')
    const answer = await charge(code)
    expect(answer).toMatchObject({ httpStatus: 200, status: true })
    expect(answer.data).toMatchObject({ status: 'failed', gateway_response: 'Declined' })
    expect((await verify('sub-2')).data.status).toBe('failed')
    expect(merchant.types()).toEqual(['charge.success', 'charge.failed'])
  })

  test('is not found by another code, nor for somebody else', async () => {
    const { authorization_code: code } = authorizationOf(await payFirst())
    expect(await charge('AUTH_other')).toMatchObject({ httpStatus: 400, status: false })
    expect(await charge(code, { email: 'eve@example.test' })).toMatchObject({ httpStatus: 400, status: false })
    expect((await verify('sub-2')).httpStatus).toBe(400)
  })
})

describe('refunds', () => {
  const refund = (body: object) => merchant.paystack('POST', '/refund', body)

  test('in parts, by id and by reference, never more than was paid', async () => {
    const { id } = await payFirst()
    const first = await refund({ transaction: id, amount: 250_000, merchant_note: 'key-1' })
    expect(first).toMatchObject({ httpStatus: 200, data: { status: 'pending', amount: 250_000, currency: 'NGN' } })
    expect((await verify()).data.status).toBe('success')
    expect(await refund({ transaction: 'sub-1', amount: 1_000_001 })).toMatchObject({ httpStatus: 400, status: false })
    expect((await refund({ transaction: 'sub-1' })).data.amount).toBe(1_000_000)
    expect((await verify()).data.status).toBe('reversed')
    expect(await refund({ transaction: id, amount: 1 })).toMatchObject({ httpStatus: 400, status: false })

    for (const query of [`transaction=${id}`, 'reference=sub-1']) {
      const { data } = await merchant.paystack('GET', `/refund?${query}`)
      expect(data).toMatchObject([
        { transaction: id, amount: 1_000_000, status: 'processed', domain: 'test' },
        { transaction: id, amount: 250_000, status: 'processed', merchant_note: 'key-1' },
      ])
    }
    expect((await merchant.paystack('GET', '/refund?transaction=1')).data).toEqual([])
    expect(merchant.types().slice(1)).toEqual([
      'refund.pending',
      'refund.processed',
      'refund.pending',
      'refund.processed',
    ])
    const told = JSON.parse(merchant.simulator.control.notifications[2]?.body ?? '{}')
    expect(told.data).toMatchObject({ transaction_reference: 'sub-1', amount: '250000', status: 'processed' })
  })

  test('of what nobody paid, or nobody knows, are refused', async () => {
    await start()
    expect(await refund({ transaction: 'sub-1' })).toMatchObject({ httpStatus: 400, status: false })
    expect(await refund({ transaction: 'other' })).toMatchObject({ httpStatus: 404, status: false })
    await expect(merchant.simulator.control.refund('sub-1')).rejects.toThrow(/not paid/)
  })

  test('are made in the dashboard too', async () => {
    const { id } = await payFirst()
    await merchant.simulator.control.refund('sub-1', 5_000n)
    await expect(merchant.simulator.control.refund('sub-1', 0n)).rejects.toThrow()
    expect((await merchant.paystack('GET', `/refund?transaction=${id}`)).data).toMatchObject([{ amount: 5_000 }])
  })
})

describe('a dispute', () => {
  const disputes = async (id: unknown) => (await merchant.paystack('GET', `/dispute?transaction=${id}`)).data

  test.each([
    [true, 'declined', 'success'],
    [false, 'merchant-accepted', 'reversed'],
  ])('is opened, and closed: won %s', async (won, resolution, status) => {
    const { id } = await payFirst()
    expect(await disputes(id)).toEqual([])
    await merchant.simulator.control.openDispute('sub-1')
    expect(await disputes(id)).toMatchObject([
      { status: 'awaiting-merchant-feedback', resolution: null, transaction: { id, reference: 'sub-1' } },
    ])
    expect(await merchant.paystack('POST', '/refund', { transaction: id })).toMatchObject({ httpStatus: 400 })
    await merchant.simulator.control.closeDispute('sub-1', won)
    expect(await disputes(id)).toMatchObject([{ status: 'resolved', resolution }])
    expect((await verify()).data.status).toBe(status)
    expect(merchant.types().slice(1)).toEqual(['charge.dispute.create', 'charge.dispute.resolve'])
    await expect(merchant.simulator.control.closeDispute('sub-1', won)).rejects.toThrow(/no open dispute/)
  })
})

test('notifications arrive signed with the secret key', async () => {
  await payFirst()
  await merchant.simulator.control.settled()
  expect(merchant.received).toHaveLength(1)
  const { path, body, headers } = merchant.received[0]!
  const signature = createHmac('sha512', keys.paystackKey).update(body).digest('hex')
  expect([path, headers['x-paystack-signature']]).toEqual(['/paystack', signature])
  expect(JSON.parse(body)).toMatchObject({ event: 'charge.success', data: { reference: 'sub-1', status: 'success' } })
})
