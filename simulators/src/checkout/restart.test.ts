import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startMerchant } from './test-merchant.ts'

let home: string
let storeFile: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'checkout-simulator-'))
  storeFile = join(home, 'deep', 'store.json')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const order = { email: 'ada@example.test', amount: 5_000, reference: 'sub-1' }
const sessionOrder = {
  mode: 'payment' as const,
  line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Risiti' } }, quantity: 1 }],
  success_url: 'https://risiti.test/back',
  client_reference_id: 'pay_1',
  payment_intent_data: { setup_future_usage: 'off_session' as const },
}

test('a restart forgets nothing', async () => {
  const before = await startMerchant({ storeFile })
  await before.paystack('POST', '/transaction/initialize', order)
  await before.simulator.control.act('sub-1', 'paid')
  await before.simulator.control.refund('sub-1', 1_000n)
  before.simulator.control.declineCard('sub-1')
  const session = await before.stripe.checkout.sessions.create(sessionOrder, { idempotencyKey: 'k-1' })
  const open = await before.stripe.checkout.sessions.create({ ...sessionOrder, client_reference_id: 'pay_2' })
  await before.simulator.control.act('pay_1', 'paid')
  await before.simulator.control.openDispute('pay_1')
  const seen = await before.paystack('GET', '/transaction/verify/sub-1')
  const paid = await before.stripe.checkout.sessions.retrieve(session.id)
  await before[Symbol.asyncDispose]()

  await using after = await startMerchant({ storeFile })
  expect(await after.paystack('GET', '/transaction/verify/sub-1')).toEqual(seen)
  expect((await after.paystack('GET', '/refund?reference=sub-1')).data).toMatchObject([{ amount: 1_000 }])
  expect(await after.paystack('POST', '/transaction/initialize', order)).toMatchObject({ code: 'duplicate_reference' })
  const { authorization_code } = seen.data.authorization as { authorization_code: string }
  const again = { ...order, reference: 'sub-2', authorization_code }
  const charged = await after.paystack('POST', '/transaction/charge_authorization', again)
  expect(charged.data.status).toBe('failed')
  expect(charged.data.id).toBeGreaterThan(seen.data.id as number)

  expect((await after.stripe.checkout.sessions.retrieve(session.id)).payment_intent).toBe(paid.payment_intent)
  expect((await after.stripe.checkout.sessions.create(sessionOrder, { idempotencyKey: 'k-1' })).id).toBe(session.id)
  expect((await after.stripe.disputes.list({ payment_intent: paid.payment_intent as string })).data).toHaveLength(1)
  // the page moved with the port; it is the same page
  const { url } = await after.stripe.checkout.sessions.retrieve(open.id)
  expect(url?.startsWith(after.simulator.url)).toBe(true)
  expect((await fetch(url as string)).status).toBe(200)
})

test('the file is whole, and alone, after every change', async () => {
  await using merchant = await startMerchant({ storeFile })
  for (const reference of ['sub-1', 'sub-2', 'sub-3']) {
    await merchant.paystack('POST', '/transaction/initialize', { ...order, reference })
    const { payments } = JSON.parse(await readFile(storeFile, 'utf8')) as { payments: { reference: string }[] }
    expect(payments.at(-1)?.reference).toBe(reference)
  }
  expect(await readdir(join(home, 'deep'))).toEqual(['store.json'])
})

test('a file that is no store is not overwritten', async () => {
  const broken = join(home, 'broken.json')
  await writeFile(broken, '{"payments": [')
  await expect(startMerchant({ storeFile: broken })).rejects.toThrow(SyntaxError)
  expect(await readFile(broken, 'utf8')).toBe('{"payments": [')
})

test('without a file, nothing is kept', async () => {
  const before = await startMerchant()
  await before.paystack('POST', '/transaction/initialize', order)
  await before[Symbol.asyncDispose]()
  await using after = await startMerchant()
  expect((await after.paystack('GET', '/transaction/verify/sub-1')).httpStatus).toBe(400)
})
