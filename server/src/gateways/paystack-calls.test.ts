import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outbound } from '../../../test/harness/outbound.ts'
import { StubServer } from '../../../test/harness/stub-server.ts'
import { checkoutPort } from '../modules/billing/index.ts'
import type { CardOrder } from '../modules/billing/payments/checkout-provider.ts'
import { paystackProvider } from './paystack.ts'

const secretKey = 'sk_test_0123456789abcdef'
const stub = new StubServer()
let paystack: checkoutPort.CheckoutProvider
const patience = new AbortController().signal

beforeAll(() => stub.start())
afterAll(() => stub[Symbol.asyncDispose]())
beforeEach(() => {
  stub.requests.length = 0
  stub.answer = () => ({ status: 500, body: '' })
  paystack = paystackProvider({ outbound, secretKey, baseUrl: stub.url })
})

const order: checkoutPort.CheckoutOrder = {
  reference: 'inv-1',
  amountMinor: 125_050n,
  currency: 'NGN',
  email: 'ada@example.test',
  description: 'Invoice 1',
  returnUrl: 'https://risiti.test/back',
  expiresAt: new Date('2026-03-01T10:00:00Z'),
  keepCard: true,
}
const cardOrder: CardOrder = {
  ...order,
  authorisation: JSON.stringify({ code: 'AUTH_abc', email: 'first@example.test' }),
}

const transaction = {
  id: 4_300_000_001,
  domain: 'test',
  status: 'success',
  reference: 'inv-1',
  amount: 125_050,
  currency: 'NGN',
  authorization: { authorization_code: 'AUTH_abc', reusable: true },
  customer: { email: 'ada@example.test' },
}
const yes = (data: unknown) => ({ body: { status: true, message: 'ok', data } })
const no = (status: number, message: string, code?: string) => ({ status, body: { status: false, message, code } })

/** A payment with these refunds and disputes. */
function prepare(own: object, refunds: object[] = [], disputes: object[] = []): void {
  stub.answer = ({ path, method }) => {
    if (path.startsWith('/transaction/verify/')) return yes({ ...transaction, ...own })
    if (path.startsWith('/dispute?')) return yes(disputes)
    return method === 'GET' ? yes(refunds) : yes({ status: 'pending' })
  }
}
const look = () => paystack.look('inv-1', patience)

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).not.toMatch(/sk_test|AUTH_|0123456789abcdef/)
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
  expect(failure.name).toBe('ProviderRefusal')
  return failure
}

test('a request has the key in the header and amounts as text', async () => {
  stub.answer = () => yes({ authorization_url: 'https://checkout.test/x', reference: 'inv-1' })
  await paystack.startCheckout(order, patience)
  const [{ method, path, headers, body }] = stub.requests as [(typeof stub.requests)[number]]
  expect([method, path, headers.authorization]).toEqual(['POST', '/transaction/initialize', `Bearer ${secretKey}`])
  expect(JSON.parse(body)).toEqual({
    reference: 'inv-1',
    amount: '125050',
    currency: 'NGN',
    email: 'ada@example.test',
    callback_url: 'https://risiti.test/back',
    metadata: { description: 'Invoice 1' },
  })
})

test.each([
  ['success', 'paid'],
  ['failed', 'failed'],
  ['abandoned', 'open'],
  ['ongoing', 'open'],
  ['pending', 'open'],
  ['processing', 'open'],
  ['queued', 'open'],
])('%s is %s', async (status, state) => {
  prepare({ status })
  expect(await look()).toMatchObject({ state, refundedMinor: 0n, dispute: 'none', live: false })
  // Only a paid payment can have refunds or disputes, so only then are these requested.
  expect(stub.requests).toHaveLength(state === 'paid' ? 3 : 1)
})

test('a reversed payment counts as paid and refunded, regardless of its refunds', async () => {
  prepare({ status: 'reversed' })
  expect(await look()).toMatchObject({ state: 'paid', amountMinor: 125_050n, refundedMinor: 125_050n })
})

test('only completed refunds count', async () => {
  const refund = { transaction: transaction.id, amount: 1000 }
  const statuses = ['processed', 'pending', 'processing', 'failed', 'needs-attention', 'processed']
  prepare(
    {},
    statuses.map((status) => ({ ...refund, status })),
  )
  expect(await look()).toMatchObject({ refundedMinor: 2000n })
})

test.each([
  [[], 'none'],
  [[['awaiting-merchant-feedback', null]], 'open'],
  [[['awaiting-bank-feedback', null]], 'open'],
  [[['pending', null]], 'open'],
  [[['resolved', 'declined']], 'won'],
  [[['resolved', 'merchant-accepted']], 'lost'],
  [[['resolved', 'something-new']], 'open'],
  [[['archived', null]], 'none'],
  [
    [
      ['resolved', 'declined'],
      ['resolved', 'merchant-accepted'],
    ],
    'lost',
  ],
  [
    [
      ['resolved', 'merchant-accepted'],
      ['pending', null],
    ],
    'open',
  ],
])('disputes %j are %s', async (disputes, dispute) => {
  prepare(
    {},
    [],
    disputes.map(([status, resolution]) => ({ transaction: { id: transaction.id }, status, resolution })),
  )
  expect(await look()).toMatchObject({ dispute })
})

test('a live payment is marked as live, and a card that cannot be charged again is not stored', async () => {
  prepare({ domain: 'live', authorization: { authorization_code: 'AUTH_abc', reusable: false } })
  expect(await look()).toMatchObject({ live: true, authorisation: undefined })
  expect(paystack.live).toBe(false)
  expect(paystackProvider({ outbound, secretKey: 'sk_live_x' }).live).toBe(true)
})

describe('an invalid answer', () => {
  test.each<[string, object]>([
    ['an amount in naira and kobo', { amount: 1250.5 }],
    ['an amount as text', { amount: '125050' }],
    ['an amount below nothing', { amount: -1 }],
    ['an amount beyond safe integers', { amount: 2 ** 53 }],
    ['no amount', { amount: undefined }],
    ['another reference', { reference: 'inv-2' }],
    ['an unknown status', { status: 'constructor' }],
    ['a currency that is none', { currency: 5 }],
    ['no domain', { domain: 'staging' }],
    ['no id', { id: null }],
  ])('%s', async (_, own) => {
    prepare(own)
    await expectUnknowing(look())
  })

  test.each<[string, object[], object[]]>([
    ['refunds of strangers', [{ transaction: 7, amount: 5, status: 'processed' }], []],
    ['refunds without amounts', [{ transaction: transaction.id, status: 'processed' }], []],
    ['disputes of strangers', [], [{ transaction: { id: 7 }, status: 'pending', resolution: null }]],
    [
      'more refunds than a page holds',
      Array(100).fill({ transaction: transaction.id, amount: 1, status: 'processed' }),
      [],
    ],
  ])('%s', async (_, refunds, disputes) => {
    prepare({}, refunds, disputes)
    await expectUnknowing(look())
  })

  test.each([
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<html>maintenance</html>' }],
    ['nothing', { body: '' }],
    ['null', { body: 'null' }],
    ['half of it', { body: '{"status":true,"da' }],
    ['no with a 200', { body: { status: false, message: 'no' } }],
    ['more than anybody needs', { body: { ...yes(transaction).body, padding: 'x'.repeat(300 * 1024) } }],
    ['a 4xx of somebody else', { status: 404, body: '<html>not here</html>' }],
  ])('%s', async (_, answer) => {
    stub.answer = () => answer
    await expectUnknowing(look())
    await expectUnknowing(paystack.startCheckout(order, patience))
    await expectUnknowing(paystack.chargeCard(cardOrder, patience))
  })

  test.each(['javascript:alert(1)', '/relative', 'ftp://example.test', ''])('the payment page %j', async (url) => {
    stub.answer = () => yes({ authorization_url: url, reference: 'inv-1' })
    await expectUnknowing(paystack.startCheckout(order, patience))
  })

  test('an answer about another payment', async () => {
    stub.answer = () => yes({ authorization_url: 'https://checkout.test/x', reference: 'inv-2' })
    await expectUnknowing(paystack.startCheckout(order, patience))
    await expectUnknowing(paystack.chargeCard(cardOrder, patience))
  })
})

test('a redirect is not followed, and the key is not sent there', async () => {
  await using other = await new StubServer().start()
  other.answer = () => yes(transaction)
  stub.answer = () => ({ status: 302, headers: { location: `${other.url}/elsewhere` }, body: '' })
  await expectUnknowing(look())
  expect(other.requests).toEqual([])
})

test.each([401, 403, 408, 429, 500, 502, 503])('status %i leaves the result unknown', async (status) => {
  stub.answer = () => no(status, `Invalid key ${secretKey}`)
  await expectUnknowing(look())
  await expectUnknowing(paystack.chargeCard(cardOrder, patience))
})

test('a 400 about a wrong key is not a refusal', async () => {
  stub.answer = () => no(400, 'Invalid key')
  await expectUnknowing(look())
})

test.each([400, 404, 422])(
  'status %i is a refusal with the provider’s message, without our secrets',
  async (status) => {
    stub.answer = () => no(status, `The code AUTH_abc of ${secretKey} is not good`)
    const { message } = await expectRefused(paystack.chargeCard(cardOrder, patience))
    expect(message).toBe('The code [hidden] of [hidden] is not good')
    await expectRefused(paystack.startCheckout(order, patience))
  },
)

test.each([
  [400, 'Transaction reference not found.', 'transaction_not_found'],
  [404, 'Transaction reference not found', undefined],
  [404, 'Transaction not found', undefined],
])('an unknown payment (%i %s) is not found and cannot be refunded', async (status, message, code) => {
  stub.answer = () => no(status, message, code)
  expect(await look()).toBeUndefined()
  expect(await paystack.endCheckout('inv-1', patience)).toBeUndefined()
  await expectRefused(paystack.refund('inv-1', { amountMinor: 5n, key: 'k' }, patience))
})

test.each(['..', '.', '', 'a/b', 'a?b', 'ü', 'x'.repeat(300)])('%j is not a reference', async (reference) => {
  prepare({ reference })
  expect(await paystack.look(reference, patience)).toBeUndefined()
  expect(stub.requests).toEqual([])
})

test('a card is charged with its own email address, and only once', async () => {
  stub.answer = () => no(400, 'Duplicate Transaction Reference', 'duplicate_reference')
  expect(await paystack.chargeCard(cardOrder, patience)).toEqual({ handle: 'inv-1' })
  expect(JSON.parse(stub.requests[0]?.body ?? '')).toMatchObject({
    authorization_code: 'AUTH_abc',
    email: 'first@example.test',
    amount: '125050',
  })
  // The earlier checkout can be paid, so this must not count as a refusal.
  await expectUnknowing(paystack.startCheckout(order, patience))
})

test.each(['', 'AUTH_abc', '{}', '{"code":"","email":"a@b.test"}', '{"customer":"cus_1","paymentMethod":"pm_1"}'])(
  'an invalid card (%j) is refused without a request',
  async (authorisation) => {
    await expectRefused(paystack.chargeCard({ ...cardOrder, authorisation }, patience))
    expect(stub.requests).toEqual([])
  },
)

test.each([
  ['nothing', undefined, undefined, true],
  ['another refund', 'other', 'processed', true],
  ['the same that failed', 'key-1', 'failed', true],
  ['the same underway', 'key-1', 'pending', false],
  ['the same done', 'key-1', 'processed', false],
  ['the same waiting for somebody', 'key-1', 'needs-attention', false],
])('after %s a refund is requested once', async (_, merchant_note, status, asked) => {
  prepare({}, status === undefined ? [] : [{ transaction: transaction.id, amount: 500, status, merchant_note }])
  await paystack.refund('inv-1', { amountMinor: 500n, key: 'key-1' }, patience)
  const posted = stub.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  expect(posted).toEqual(asked ? [{ transaction: 'inv-1', amount: '500', merchant_note: 'key-1' }] : [])
})

test('an aborted call ends at once', async () => {
  const stopping = new AbortController()
  stub.answer = () => {
    stopping.abort(new Error('no more time'))
    return undefined
  }
  await expect(paystack.look('inv-1', stopping.signal)).rejects.toThrow('no more time')
  await expect(paystack.startCheckout(order, stopping.signal)).rejects.toThrow('no more time')
  expect(stub.requests).toHaveLength(1)
})

test('a key with invalid characters is not sent', async () => {
  const odd = paystackProvider({ outbound, secretKey: 'sk_test_\n0123456789abcdef', baseUrl: () => stub.url })
  await expectUnknowing(odd.look('inv-1', patience))
  expect(stub.requests).toEqual([])
})

test('no connection', async () => {
  const gone = await new StubServer().start()
  const baseUrl = gone.url
  await gone[Symbol.asyncDispose]()
  const { message } = await expectUnknowing(paystackProvider({ outbound, secretKey, baseUrl }).look('inv-1', patience))
  expect(message).toBe('paystack gave no answer: no connection (ECONNREFUSED)')
})
