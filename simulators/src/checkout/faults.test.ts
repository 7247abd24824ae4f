import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startCheckoutSimulator } from './index.ts'
import { keys, startMerchant, stripeOf, type TestMerchant } from './test-merchant.ts'

let merchant: TestMerchant
beforeEach(async () => {
  merchant = await startMerchant()
})
afterEach(() => merchant[Symbol.asyncDispose]())

const start = (reference: string, signal?: AbortSignal) =>
  fetch(`${merchant.simulator.url}/paystack/transaction/initialize`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_paystack_simulated', 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', amount: 5_000, currency: 'NGN', reference }),
    ...(signal && { signal }),
  })
const isKnown = async (reference: string) => {
  merchant.simulator.control.misbehave(undefined)
  return (await merchant.paystack('GET', `/transaction/verify/${reference}`)).status
}
const sessionOrder = {
  mode: 'payment' as const,
  line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Risiti' } }, quantity: 1 }],
  success_url: 'https://risiti.test/back',
  client_reference_id: 'pay_1',
}
const startStripe = (timeout = 5_000) =>
  stripeOf(merchant.simulator.url, undefined, timeout).checkout.sessions.create(sessionOrder, {
    idempotencyKey: 'key-1',
  })
/** Waits on what happens, not on the clock. */
const heard = async (count: number) => {
  await merchant.simulator.control.settled()
  expect(merchant.received).toHaveLength(count)
}

describe('the API', () => {
  test('late_reply does the work and never answers', async () => {
    merchant.simulator.control.misbehave('late_reply')
    const patience = new AbortController()
    const hanging = expect(start('sub-1', patience.signal)).rejects.toThrow(/abort/)
    await expect
      .poll(() => merchant.simulator.control.requests)
      .toEqual([{ method: 'POST', path: '/paystack/transaction/initialize', status: 0 }])
    patience.abort()
    await hanging
    expect(await isKnown('sub-1')).toBe(true)
  })

  test('a hanging answer does not keep the simulator from closing', async () => {
    merchant.simulator.control.misbehave('late_reply')
    const hanging = expect(start('sub-1')).rejects.toThrow()
    await expect.poll(() => merchant.simulator.control.requests.length).toBe(1)
    await merchant.simulator.close()
    await hanging
  })

  test('error_after does the work and answers 500', async () => {
    merchant.simulator.control.misbehave('error_after')
    expect((await start('sub-1')).status).toBe(500)
    expect(await isKnown('sub-1')).toBe(true)
  })

  test('down resets the connection and does nothing', async () => {
    merchant.simulator.control.misbehave('down')
    await expect(start('sub-1')).rejects.toMatchObject({ cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR/) } })
    expect(await isKnown('sub-1')).toBe(false)
  })

  test('nonsense is a web page with status 200, and nothing is done', async () => {
    merchant.simulator.control.misbehave('nonsense')
    const answer = await start('sub-1')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await answer.text()).toMatch(/^<!doctype html>/)
    expect(await isKnown('sub-1')).toBe(false)
  })

  test('slow answers in the end', async () => {
    merchant.simulator.control.misbehave('slow')
    await expect(start('sub-1', AbortSignal.timeout(500))).rejects.toThrow(/timeout/)
    expect((await start('sub-2')).status).toBe(200)
    expect(await isKnown('sub-2')).toBe(true)
  })

  test.each(['late_reply', 'error_after'] as const)(
    'after %s the same idempotency key tells what was done',
    async (fault) => {
      merchant.simulator.control.misbehave(fault)
      await expect(startStripe(300)).rejects.toThrow()
      merchant.simulator.control.misbehave(undefined)
      const session = await startStripe()
      const all = await merchant.stripe.checkout.sessions.list()
      expect(all.data.map(({ id }) => id)).toEqual([session.id])
    },
  )

  test.each(['down', 'nonsense'] as const)('%s fails in the library too', async (fault) => {
    merchant.simulator.control.misbehave(fault)
    await expect(startStripe()).rejects.toThrow()
    merchant.simulator.control.misbehave(undefined)
    expect((await merchant.stripe.checkout.sessions.list()).data).toEqual([])
  })

  test('faults leave the pages alone', async () => {
    const { data } = (await (await start('sub-1')).json()) as { data: { authorization_url: string } }
    for (const fault of ['down', 'nonsense', 'error_after', 'late_reply'] as const) {
      merchant.simulator.control.misbehave(fault)
      expect(await (await fetch(data.authorization_url)).text()).toContain('₦50.00')
    }
  })
})

describe('notifications', () => {
  const pay = async () => {
    await start('sub-1')
    await merchant.simulator.control.act('sub-1', 'paid')
  }

  test('silent: none is sent, but it can be sent afterwards, unchanged', async () => {
    merchant.simulator.control.misbehave('silent')
    await pay()
    await heard(0)
    const [record] = merchant.simulator.control.notifications
    expect(record).not.toHaveProperty('status')
    merchant.answers.push(202)
    expect(await merchant.simulator.control.resend(0)).toBe(202)
    await merchant.simulator.control.resend(0)
    await heard(2)
    for (const { body, headers } of merchant.received) {
      expect(body).toBe(record?.body)
      expect(headers).toMatchObject(record?.headers ?? {})
    }
    await expect(merchant.simulator.control.resend(1)).rejects.toThrow(/no notification 1/)
  })

  test('twice: each arrives three times, the same', async () => {
    merchant.simulator.control.misbehave('twice')
    await pay()
    await heard(3)
    expect(new Set(merchant.received.map(({ body }) => body)).size).toBe(1)
    expect(merchant.simulator.control.notifications).toHaveLength(1)
  })

  test('are repeated until the merchant says yes', async () => {
    merchant.answers.push(500, 302)
    await pay()
    await heard(3)
    expect(merchant.simulator.control.notifications).toMatchObject([{ type: 'charge.success', status: 200 }])
  })

  test('are given up in the end', async () => {
    merchant.answers.push(...Array.from({ length: 20 }, () => 503))
    await pay()
    await heard(5)
    expect(merchant.simulator.control.notifications).toMatchObject([{ status: 503 }])
  })

  test('are not sent before an address is set', async () => {
    const alone = await startCheckoutSimulator(keys)
    const stripe = stripeOf(alone.url)
    await stripe.checkout.sessions.create(sessionOrder)
    await alone.control.act('pay_1', 'paid')
    await alone.control.settled()
    expect(alone.control.notifications.map(({ status }) => status)).toEqual([undefined, undefined])
    await expect(alone.control.resend(0)).rejects.toThrow(/notifyAt/)
    await alone.close()
  })

  test('that nobody takes do not keep the simulator from closing', async () => {
    merchant.answers.push(...Array.from({ length: 20 }, () => 503))
    await pay()
    await merchant.simulator.close()
    const sent = merchant.received.length
    await merchant.simulator.control.settled()
    expect(merchant.received.length).toBe(sent)
    expect(sent).toBeLessThan(5)
  })
})

test('what clients asked for is on record, refusals too', async () => {
  await start('sub-1')
  await start('sub-1')
  await merchant.paystack('GET', '/transaction/verify/sub-1?x=1')
  expect(merchant.simulator.control.requests).toEqual([
    { method: 'POST', path: '/paystack/transaction/initialize', status: 200 },
    { method: 'POST', path: '/paystack/transaction/initialize', status: 400 },
    { method: 'GET', path: '/paystack/transaction/verify/sub-1', status: 200 },
  ])
})
