import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CollectionSimulator, startCollectionSimulator } from '../../../simulators/src/collection/index.ts'
import { outbound } from '../../../test/harness/outbound.ts'
import { collectionPort } from '../modules/collection/index.ts'
import { monnify } from './monnify.ts'
import { paystackAccounts } from './paystack-accounts.ts'

const keys = { apiKey: 'MK_TEST_SIMULATOR', secretKey: 'MONNIFYSECRET', contractCode: '4000000001' }
const paystackKey = 'sk_test_simulator'
const customerDomain = 'customers.example.test'
const patience = new AbortController().signal
/** Whole seconds, because Monnify reports no fractions. */
let time = Date.parse('2026-03-05T12:00:00Z')
const now = () => new Date(time)
let simulator: CollectionSimulator

beforeAll(async () => {
  simulator = await startCollectionSimulator({ monnify: keys, paystackKey, now })
  const known = { code: 'SUB_1', bankCode: '058', accountNumber: '0000000005', name: 'ADA FOODS', kept: 0 }
  for (const { ledger } of [simulator.monnify, simulator.paystack]) ledger.addSubAccount(known)
})
afterAll(() => simulator.close())
afterEach(() => simulator.misbehave(undefined))

const order = (more: Partial<collectionPort.AccountOrder> = {}): collectionPort.AccountOrder => ({
  handle: randomUUID(),
  kind: 'persistent',
  currency: 'NGN',
  name: 'Ada Foods',
  customer: {
    name: 'Chidi Okeke Stores',
    firstName: null,
    lastName: null,
    phoneNumber: '+2348012345678',
    email: 'chidi@example.test',
    identifiers: {},
  },
  amountMinor: null,
  limitMinor: null,
  expiresAt: null,
  split: { subAccount: 'SUB_1', feeBearer: 'seller' },
  ...more,
})

async function unknowing(call: Promise<unknown>): Promise<void> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(collectionPort.CollectionRefusal)
  expect(String(failure)).not.toMatch(/sk_test|MONNIFYSECRET|MK_TEST/)
}

describe.each(['monnify', 'paystack'] as const)('%s', (name) => {
  const party = () => simulator[name]
  const keeper = (more: object = {}): collectionPort.CollectionProvider =>
    name === 'monnify'
      ? monnify({ ...keys, mode: 'sandbox', outbound, now, baseUrl: () => `${simulator.url}/monnify`, ...more })
      : paystackAccounts({
          secretKey: paystackKey,
          customerDomain,
          outbound,
          now,
          baseUrl: () => `${simulator.url}/paystack`,
          ...more,
        })
  const pay = (number: string, amountMinor: number, more = {}) => {
    time += 1_000
    return party().ledger.receive({ number, amountMinor, ...more })
  }

  test('banks are listed with both codes, and an account number gives its holder', async () => {
    const provider = keeper()
    expect(provider).toMatchObject({ name, mode: 'sandbox', country: 'NG', currencies: ['NGN'] })
    const banks = await provider.banks(patience)
    const bank = banks.find(({ code }) => code === '058')
    expect(bank).toEqual({ name: 'Guaranty Trust Bank', code: '058', networkCode: '000013' })
    expect(banks.some(({ code }) => code === '044')).toBe(true)
    if (!bank) return
    const asked = { bank, accountNumber: '0123456785' }
    expect(await provider.findHolder(asked, patience)).toEqual({ accountName: 'MARVELOUS BENJI', bank })
    expect(await provider.findHolder({ ...asked, accountNumber: '0123456781' }, patience)).toBeUndefined()
  })

  test('one handle is one account, and a closed account stays closed', async () => {
    const provider = keeper()
    const wanted = order()
    expect(await provider.findAccount(wanted.handle, patience)).toBeUndefined()
    const account = await provider.openAccount(wanted, patience)
    expect(account).toMatchObject({ accountNumber: expect.stringMatching(/^\d{10}$/), status: 'active' })
    expect(account.bankCode).toMatch(/^\d+$/)
    expect(await provider.openAccount(wanted, patience)).toEqual(account)
    expect(await provider.findAccount(wanted.handle, patience)).toEqual(account)
    expect((await provider.openAccount(order(), patience)).accountNumber).not.toBe(account.accountNumber)
    await provider.closeAccount(wanted.handle, patience)
    await provider.closeAccount(wanted.handle, patience)
    expect((await provider.findAccount(wanted.handle, patience))?.status).toBe('closed')
  })

  test('an account whose reply was lost is found, and no second account is opened', async () => {
    const provider = keeper()
    const wanted = order()
    simulator.misbehave('lost_reply')
    await unknowing(provider.openAccount(wanted, patience))
    simulator.misbehave(undefined)
    const before = party().ledger.accounts.length
    const account = await provider.openAccount(wanted, patience)
    expect(await provider.findAccount(wanted.handle, patience)).toEqual(account)
    expect(party().ledger.accounts.filter(({ number }) => number === account.accountNumber)).toHaveLength(1)
    // At this point Paystack has only created the customer.
    expect(party().ledger.accounts.length - before).toBe(name === 'monnify' ? 0 : 1)
  })

  test('a limit on transfers is refused before any request', async () => {
    const before = simulator.requests.length
    await expect(keeper().openAccount(order({ limitMinor: 5_000n }), patience)).rejects.toBeInstanceOf(
      collectionPort.CollectionRefusal,
    )
    expect(simulator.requests).toHaveLength(before)
  })

  test('a transfer has the same data in the statement and in its notification', async () => {
    const provider = keeper()
    const wanted = order()
    const { accountNumber } = await provider.openAccount(wanted, patience)
    const came = pay(accountNumber, 125_050, { senderName: 'ADA\nOBI', narration: 'order 7' })
    const { body, headers } = party().noticeOf(came)
    const told = provider.readNotification(Buffer.from(body), headers)
    const id = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(told).toEqual({ id, transfer: came.reference, handle: wanted.handle })
    const transfer = await provider.look(came.reference, patience)
    expect(transfer).toMatchObject({
      reference: came.reference,
      handle: wanted.handle,
      amountMinor: 125_050n,
      currency: 'NGN',
      narration: 'order 7',
      receivedAt: came.at,
      isReversed: false,
    })
    expect(transfer?.senderName).not.toContain('\n')
    came.reversed = true
    expect(await provider.look(came.reference, patience)).toMatchObject({ isReversed: true, amountMinor: 125_050n })
    expect(await provider.look('NOBODY-1', patience)).toBeUndefined()
  })

  test('a forged, changed or unsigned notification is ignored', async () => {
    const provider = keeper()
    const { accountNumber } = await provider.openAccount(order(), patience)
    const { body, headers } = party().noticeOf(pay(accountNumber, 10_000))
    const [header] = Object.keys(headers).filter((one) => one.endsWith('-signature')) as [string]
    const read = (bytes: string, given: Record<string, unknown>) => provider.readNotification(Buffer.from(bytes), given)
    expect(read(body.replace('NGN', 'USD'), headers)).toBeUndefined()
    for (const signature of [undefined, '', 'x', '0'.repeat(128), ['a'], headers[header]?.slice(1)])
      expect(read(body, { ...headers, [header]: signature })).toBeUndefined()
  })

  test('the statement lists every transfer once, oldest first, over several pages', async () => {
    const provider = keeper()
    const wanted = order()
    const { accountNumber } = await provider.openAccount(wanted, patience)
    const from = new Date(time + 1)
    const came = Array.from({ length: 120 }, (_, at) => pay(accountNumber, 10_000 + at))
    const to = new Date(time + 60_000)
    time += 1_000
    const seen: string[] = []
    let after: string | null = null
    do {
      const page = await provider.statement({ from, to, after }, patience)
      seen.push(...page.transfers.map(({ reference }) => reference))
      after = page.next
      // A transfer that arrives during the read must not shift the remaining pages.
      if (after !== null) pay(accountNumber, 99)
    } while (after !== null)
    const wantedReferences = came.map(({ reference }) => reference)
    expect(seen.filter((reference) => wantedReferences.includes(reference))).toEqual(wantedReferences)
  })

  test('a refund is sent once despite lost replies, and completes when the money was sent', async () => {
    const provider = keeper()
    const { accountNumber } = await provider.openAccount(order(), patience)
    const came = pay(accountNumber, 50_000)
    const wanted = { key: randomUUID(), transfer: came.reference, amountMinor: 20_000n, reason: 'x'.repeat(200) }
    const own = () => party().ledger.refunds.filter(({ key }) => key === wanted.key)
    expect(await provider.findRefund(wanted, patience)).toBe('unknown')
    simulator.misbehave('lost_reply')
    await unknowing(provider.refund(wanted, patience))
    simulator.misbehave(undefined)
    expect(await provider.refund(wanted, patience)).toBe('pending')
    expect(own()).toHaveLength(1)
    for (const [state, standing] of [
      ['underway', 'pending'],
      ['done', 'sent'],
      ['failed', 'failed'],
    ] as const) {
      for (const refund of own()) refund.state = state
      expect(await provider.findRefund(wanted, patience)).toBe(standing)
    }
    const tooMuch = { ...wanted, key: randomUUID(), amountMinor: 50_001n }
    await expect(provider.refund(tooMuch, patience)).rejects.toBeInstanceOf(collectionPort.CollectionRefusal)
  })

  test.each(['down', 'nonsense'] as const)('%s: the result is unknown, not a refusal', async (fault) => {
    const provider = keeper()
    const wanted = order()
    simulator.misbehave(fault)
    await unknowing(provider.openAccount(wanted, patience))
    await unknowing(provider.findAccount(wanted.handle, patience))
    await unknowing(provider.look('T1', patience))
    await unknowing(provider.banks(patience))
  })

  test('a wrong key gives an error, not a refusal', async () => {
    await unknowing(keeper({ secretKey: 'sk_test_wrong' }).openAccount(order(), patience))
  })
})

describe('Monnify only', () => {
  const own = () => monnify({ ...keys, mode: 'sandbox', outbound, now, baseUrl: () => `${simulator.url}/monnify` })
  const logins = () => simulator.requests.filter(({ path }) => path.endsWith('/auth/login')).length

  test('concurrent requests share a token, and a token that expired early is replaced once', async () => {
    const provider = own()
    const before = logins()
    await Promise.all(Array.from({ length: 8 }, () => provider.banks(patience)))
    expect(logins() - before).toBe(1)
    simulator.monnify.endTokens()
    expect(await provider.banks(patience)).toHaveLength(2)
    expect(logins() - before).toBe(2)
  })

  test('a payment by another method is looked up once, and skipped afterwards', async () => {
    const provider = own()
    const { accountNumber } = await provider.openAccount(order(), patience)
    time += 3600_000
    const from = new Date(time)
    const [other, ours] = [0, 1].map(() =>
      simulator.monnify.ledger.receive({ number: accountNumber, amountMinor: 500 }),
    )
    if (!other || !ours) throw new Error('both came')
    other.elsewhere = true
    const asked = () =>
      simulator.requests.filter(({ path }) => path.endsWith(encodeURIComponent(other.reference))).length
    for (let sweeps = 0; sweeps < 2; sweeps++) {
      const { transfers } = await provider.statement({ from, to: new Date(time + 1_000), after: null }, patience)
      expect(transfers.map(({ reference }) => reference)).toEqual([ours.reference])
      expect(asked()).toBe(1)
    }
  })

  test('a missing email address is refused with a reason', async () => {
    const wanted = order()
    const without = { ...wanted, customer: { ...wanted.customer, email: null } }
    await expect(own().openAccount(without, patience)).rejects.toThrow('email address')
  })
})

describe('Paystack only', () => {
  const own = (more = {}) =>
    paystackAccounts({
      secretKey: paystackKey,
      customerDomain,
      outbound,
      now,
      baseUrl: () => `${simulator.url}/paystack`,
      ...more,
    })

  test('the bank is asked again about open accounts only', async () => {
    const [provider, wanted] = [own(), order()]
    await provider.seekTransfers?.(wanted.handle, patience)
    const { accountNumber } = await provider.openAccount(wanted, patience)
    await provider.seekTransfers?.(wanted.handle, patience)
    await provider.closeAccount(wanted.handle, patience)
    await provider.seekTransfers?.(wanted.handle, patience)
    expect(simulator.paystack.requeried).toEqual([accountNumber])
  })

  test('a full refund counts as refunded, not as reversed', async () => {
    const provider = own()
    const { accountNumber } = await provider.openAccount(order(), patience)
    const came = simulator.paystack.ledger.receive({ number: accountNumber, amountMinor: 30_000 })
    await provider.refund({ key: randomUUID(), transfer: came.reference, amountMinor: 30_000n, reason: '' }, patience)
    for (const refund of simulator.paystack.ledger.refunds) if (refund.transfer === came) refund.state = 'done'
    expect(await provider.look(came.reference, patience)).toMatchObject({ isReversed: false, refundedMinor: 30_000n })
  })

  test('a transfer to a customer of another domain is reported as foreign', async () => {
    const wanted = order()
    const { accountNumber } = await own().openAccount(wanted, patience)
    time += 3600_000
    const { reference } = simulator.paystack.ledger.receive({ number: accountNumber, amountMinor: 5_000 })
    const others = own({ customerDomain: 'others.example.test' })
    const told = { reference, handle: `${wanted.handle}@${customerDomain}`, amountMinor: 5_000n }
    expect(await others.look(reference, patience)).toMatchObject(told)
    const { transfers } = await others.statement(
      { from: new Date(time), to: new Date(time + 1), after: null },
      patience,
    )
    expect(transfers).toContainEqual(expect.objectContaining(told))
  })

  test.each([
    ['charge.success', { channel: 'card', reference: 'inv-1' }],
    ['charge.success', { channel: 'dedicated_nuban' }],
    ['charge.failed', { channel: 'dedicated_nuban', reference: 'inv-1' }],
    ['dedicatedaccount.assign.success', {}],
  ])('%s %j is not a transfer', (event, data) => {
    const provider = own()
    const body = JSON.stringify({ event, data })
    const { body: other, headers } = signed(body)
    expect(provider.readNotification(Buffer.from(other), headers)).toBe('nothing to do')
  })
})

function signed(body: string) {
  const signature = createHmac('sha512', paystackKey).update(body).digest('hex')
  return { body, headers: { 'x-paystack-signature': signature } }
}
