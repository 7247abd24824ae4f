import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatMoney } from './page/money.ts'
import { style } from './page/style.ts'
import { startMerchant, type TestMerchant } from './test-merchant.ts'

let merchant: TestMerchant
let clock: Date
beforeEach(async () => {
  clock = new Date()
  merchant = await startMerchant({ now: () => clock })
})
afterEach(() => merchant[Symbol.asyncDispose]())

const startPaystack = async (own: object = {}): Promise<string> => {
  const { data } = await merchant.paystack('POST', '/transaction/initialize', {
    email: 'ada@example.test',
    amount: 1_250_000,
    reference: 'sub-1',
    callback_url: 'https://risiti.test/back?from=checkout',
    metadata: { description: 'Risiti Pro, March' },
    ...own,
  })
  return data.authorization_url as string
}
const startStripe = async () => {
  const session = await merchant.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data: { currency: 'usd', unit_amount: 2_500, product_data: { name: 'Pro' } }, quantity: 1 }],
    success_url: 'https://risiti.test/back?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://risiti.test/cancelled',
    client_reference_id: 'pay_1',
    payment_intent_data: { setup_future_usage: 'off_session' },
  })
  return { id: session.id, url: session.url as string }
}
const press = (url: string, form: Record<string, string>, accept = 'text/html') =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), headers: { accept }, redirect: 'manual' })
const read = async (url: string) => (await fetch(url)).text()
const statusOf = async (reference: string) =>
  (await merchant.paystack('GET', `/transaction/verify/${reference}`)).data.status

describe('the page', () => {
  test('says what is to be paid, and that no money moves', async () => {
    const page = await read(await startPaystack())
    for (const words of ['<html lang="en">', 'Risiti Pro, March', '₦12,500.00', 'ada@example.test', 'no money moves'])
      expect(page).toContain(words)
    for (const outcome of ['paid', 'failed', 'abandoned']) expect(page).toContain(`name="outcome" value="${outcome}"`)
    for (const card of ['works', 'declines_later']) expect(page).toContain(`name="card" value="${card}"`)
    expect(await read((await startStripe()).url)).toContain('$25.00')
  })

  test('has no script, and a policy that lets none in', async () => {
    const answer = await fetch(await startPaystack())
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script-src|unsafe/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).not.toMatch(/<script|\son\w+=/i)
  })

  test('escapes whatever the merchant says', async () => {
    const evil = `"><script>alert('1')</script>&amp;`
    const page = await read(await startPaystack({ metadata: { description: evil }, email: '<b>@x' }))
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;')
    expect(page).toContain('&lt;b&gt;@x')
    expect(page).not.toMatch(/<script|<b>/)
  })

  test('is not there for an unknown token', async () => {
    for (const path of ['/checkout/unknown', '/checkout/', '/', '/checkout/a/b']) {
      const answer = await fetch(merchant.simulator.url + path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await answer.text()).toContain('There is no such payment')
    }
  })
})

describe('the buttons of Paystack', () => {
  test('pay, and lead back with the reference', async () => {
    const url = await startPaystack()
    const answer = await press(url, { outcome: 'paid', card: 'works' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://risiti.test/back?from=checkout&trxref=sub-1&reference=sub-1',
    ])
    expect(await statusOf('sub-1')).toBe('success')
    const page = await read(url)
    expect(page).toContain('This is paid')
    expect(page).not.toContain('<button')
    expect((await press(url, { outcome: 'failed' })).status).toBe(409)
    expect(await statusOf('sub-1')).toBe('success')
  })

  test('fail, and stay on the page for another try', async () => {
    const url = await startPaystack()
    const answer = await press(url, { outcome: 'failed' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(url).pathname])
    expect(await statusOf('sub-1')).toBe('failed')
    expect(await read(url)).toMatch(/role="alert">The card was declined[\s\S]*<button/)
  })

  test('abandon, and lead back', async () => {
    const back = await press(await startPaystack(), { outcome: 'abandoned' })
    expect(back.headers.get('location')).toMatch(/^https:\/\/risiti\.test\/back\?.*reference=sub-1$/)
    expect(await statusOf('sub-1')).toBe('abandoned')
    const cancel_action = 'https://risiti.test/cancelled'
    const url = await startPaystack({ reference: 'sub-2', metadata: { cancel_action } })
    expect((await press(url, { outcome: 'abandoned' })).headers.get('location')).toBe(cancel_action)
  })

  test('can choose a card that is declined later', async () => {
    await press(await startPaystack(), { outcome: 'paid', card: 'declines_later' })
    const { data } = await merchant.paystack('GET', '/transaction/verify/sub-1')
    const { authorization_code } = data.authorization as { authorization_code: string }
    const again = { authorization_code, email: 'ada@example.test', amount: 5_000, reference: 'sub-2' }
    const charged = await merchant.paystack('POST', '/transaction/charge_authorization', again)
    expect([data.status, charged.data.status]).toEqual(['success', 'failed'])
  })

  test('answer a program with JSON', async () => {
    const url = await startPaystack()
    const answer = await press(url, { outcome: 'paid' }, 'application/json')
    expect([answer.status, await answer.json()]).toEqual([200, { outcome: 'paid' }])
    expect((await press(url, { outcome: 'paid' }, 'application/json')).status).toBe(409)
  })

  test.each([{ outcome: 'stolen' }, {}, { outcome: 'paid', card: 'gold' }])('refuse %o', async (form) => {
    expect((await press(await startPaystack(), form as Record<string, string>)).status).toBe(400)
    expect(await statusOf('sub-1')).toBe('abandoned')
  })
})

describe('the buttons of Stripe', () => {
  test('pay, and lead back with the session', async () => {
    const { id, url } = await startStripe()
    const answer = await press(url, { outcome: 'paid' })
    expect(answer.headers.get('location')).toBe(`https://risiti.test/back?session=${id}`)
    expect((await merchant.stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid')
  })

  test('abandon, and lead to the address for it', async () => {
    const { id, url } = await startStripe()
    const answer = await press(url, { outcome: 'abandoned' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://risiti.test/cancelled'])
    expect((await merchant.stripe.checkout.sessions.retrieve(id)).status).toBe('open')
  })

  test('are gone when the session has expired', async () => {
    const { id, url } = await startStripe()
    clock = new Date(clock.getTime() + 25 * 60 * 60_000)
    const page = await read(url)
    expect(page).toContain('This checkout has expired')
    expect(page).not.toContain('<button')
    expect((await press(url, { outcome: 'paid' })).status).toBe(409)
    expect((await merchant.stripe.checkout.sessions.retrieve(id)).status).toBe('expired')
  })
})

test.each([
  [1_250_000, 'NGN', '₦12,500.00'],
  [2_500, 'usd', '$25.00'],
  [5, 'usd', '$0.05'],
  [500, 'jpy', '¥500'],
  [9_007_199_254_740_991, 'usd', '$90,071,992,547,409.91'],
])('%i in %s is written %s', (amount, currency, written) => {
  expect(formatMoney(amount, currency)).toBe(written)
})

test('it has the colours and sizes of the dashboard', () => {
  const named = (css: string) => [...css.matchAll(/--([\w-]+):\s*(.*?);/gs)].map(([, name, value]) => [name, value])
  const ofDashboard = new Map(named(readFileSync('dashboard/src/styles/tokens.css', 'utf8')) as [string, string][])
  const own = named(style) as [string, string][]
  expect(own.length).toBeGreaterThan(10)
  for (const [name, value] of own) expect([name, value]).toEqual([name, ofDashboard.get(name)])
  for (const [, name] of style.matchAll(/var\(--([\w-]+)\)/g)) expect(own.map(([each]) => each)).toContain(name)
})
