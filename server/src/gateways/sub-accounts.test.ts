import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BankSimulator, startBankSimulator } from '../../../simulators/src/bank/index.ts'
import { nuban } from '../../../simulators/src/bank/nuban.ts'
import { type CollectionSimulator, startCollectionSimulator } from '../../../simulators/src/collection/index.ts'
import { outbound } from '../../../test/harness/outbound.ts'
import { collectionPort } from '../modules/collection/index.ts'
import { monnify } from './monnify.ts'
import { paystackAccounts } from './paystack-accounts.ts'
import { sandboxBank } from './sandbox-bank.ts'

const keys = { apiKey: 'MK_TEST_SIMULATOR', secretKey: 'MONNIFYSECRET', contractCode: '4000000001' }
const paystackKey = 'sk_test_simulator'
const bankKeys = { apiKey: 'bank_test', webhookSecret: 'bank_whsec' }
const patience = new AbortController().signal
let time = Date.parse('2026-03-05T12:00:00Z')
const now = () => new Date(time)
let simulator: CollectionSimulator
let bank: BankSimulator

beforeAll(async () => {
  simulator = await startCollectionSimulator({ monnify: keys, paystackKey, now })
  bank = await startBankSimulator({ ...bankKeys, now })
})
afterAll(async () => {
  await simulator.close()
  await bank.close()
})
afterEach(() => {
  simulator.misbehave(undefined)
  for (const { ledger } of [simulator.monnify, simulator.paystack]) {
    ledger.subAccountsOff = false
    ledger.emptyBalance = false
  }
  bank.control.behave({})
})

/** What a test does at the provider's side. */
interface Party {
  readonly provider: collectionPort.CollectionProvider
  /** A number that the provider accepts as a bank account. */
  number(nth: number): string
  subAccounts(): number
  receive(number: string, amountMinor: number): string
  settle(): void
  noticeOfSettlement(): { readonly body: string; readonly headers: Readonly<Record<string, string>> } | undefined
  lose(isLost: boolean): void
  disable(): void
  emptyBalance(): void
  /** Bodies of requests with a matching path. */
  sent(path: RegExp): Readonly<Record<string, unknown>>[]
  /** The provider's fee on 100,000 kobo. */
  readonly fee: bigint
}

const byNumber = (nth: number) => `${String(100_000_000 + nth)}5`
const bodies = (requests: readonly { path: string; body?: string }[], path: RegExp) =>
  requests.filter((one) => path.test(one.path)).map(({ body = '' }) => (body === '' ? undefined : JSON.parse(body)))

const parties: Record<'sandbox' | 'monnify' | 'paystack', () => Party> = {
  sandbox: () => ({
    provider: sandboxBank({ ...bankKeys, outbound, baseUrl: bank.url }),
    number: (nth) => nuban('058', nth),
    subAccounts: () => bank.control.subAccounts().length,
    receive: (accountNumber, amountMinor) => bank.control.receive({ accountNumber, amountMinor }).reference,
    settle: () => bank.control.settle(),
    noticeOfSettlement: () => undefined,
    lose: (isLost) => bank.control.behave({ lostReplies: isLost ? 1 : 0 }),
    disable: () => bank.control.behave({ subAccountsOff: true }),
    emptyBalance: () => bank.control.behave({ emptyBalance: true }),
    sent: (path) => bodies(bank.control.requests, path),
    fee: 500n,
  }),
  monnify: () => ({
    provider: monnify({ ...keys, mode: 'sandbox', outbound, now, baseUrl: `${simulator.url}/monnify` }),
    number: byNumber,
    subAccounts: () => simulator.monnify.ledger.subAccounts.length,
    receive: (number, amountMinor) => simulator.monnify.ledger.receive({ number, amountMinor }).reference,
    settle: () => simulator.monnify.settle(),
    noticeOfSettlement: () => {
      const last = simulator.monnify.ledger.settlements.at(-1)
      return last && simulator.monnify.noticeOfSettlement(last)
    },
    lose: (isLost) => simulator.misbehave(isLost ? 'lost_reply' : undefined),
    disable: () => {
      simulator.monnify.ledger.subAccountsOff = true
    },
    emptyBalance: () => {
      simulator.monnify.ledger.emptyBalance = true
    },
    sent: (path) => bodies(simulator.requests, path),
    fee: 1_000n,
  }),
  paystack: () => ({
    provider: paystackAccounts({
      secretKey: paystackKey,
      customerDomain: 'customers.example.test',
      outbound,
      now,
      baseUrl: `${simulator.url}/paystack`,
    }),
    number: byNumber,
    subAccounts: () => simulator.paystack.ledger.subAccounts.length,
    receive: (number, amountMinor) => simulator.paystack.ledger.receive({ number, amountMinor }).reference,
    settle: () => simulator.paystack.settle(),
    noticeOfSettlement: () => undefined,
    lose: (isLost) => simulator.misbehave(isLost ? 'lost_reply' : undefined),
    disable: () => {
      simulator.paystack.ledger.subAccountsOff = true
    },
    emptyBalance: () => {
      simulator.paystack.ledger.emptyBalance = true
    },
    sent: (path) => bodies(simulator.requests, path),
    fee: 1_000n,
  }),
}

let handles = 0
const account = (subAccount: string, feeBearer: 'seller' | 'operator' = 'seller'): collectionPort.AccountOrder => ({
  handle: `handle-${++handles}`,
  kind: 'persistent',
  currency: 'NGN',
  name: 'Ada Foods',
  customer: {
    name: 'Chidi Stores',
    firstName: null,
    lastName: null,
    phoneNumber: '+2348012345678',
    email: 'chidi@example.test',
    identifiers: {},
  },
  amountMinor: null,
  limitMinor: null,
  expiresAt: null,
  split: { subAccount, feeBearer },
})

describe.each(['sandbox', 'monnify', 'paystack'] as const)('%s', (name) => {
  const order = async ({ provider, number }: Party, nth: number): Promise<collectionPort.SubAccountOrder> => {
    const found = (await provider.banks(patience)).find(({ code }) => code === '058')
    if (!found) throw new Error('the bank is in every list')
    return { bank: found, accountNumber: number(nth), currency: 'NGN', name: 'Ada Foods', email: 'ada@example.test' }
  }

  test('an existing sub-account is found by its bank account, even if the reply was lost', async () => {
    const party = parties[name]()
    const { provider } = party
    const [one, other] = [await order(party, 1), await order(party, 2)]
    expect(await provider.findSubAccount(one, patience)).toBeUndefined()
    const made = await provider.createSubAccount(one, patience)
    expect(await provider.findSubAccount(one, patience)).toEqual(made)
    expect(await provider.findSubAccount(other, patience)).toBeUndefined()
    party.lose(true)
    const failure = await provider.createSubAccount(other, patience).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(collectionPort.CollectionRefusal)
    party.lose(false)
    const before = party.subAccounts()
    expect(await provider.findSubAccount(other, patience)).toEqual({ code: expect.any(String) })
    expect(party.subAccounts()).toBe(before)
  })

  test('“not enabled” tells the operator what to do, and other refusals differ', async () => {
    const party = parties[name]()
    const refused = { ...(await order(party, 3)), accountNumber: '0000000000' }
    const wrong = await party.provider.createSubAccount(refused, patience).catch((error: unknown) => error)
    expect(wrong).toBeInstanceOf(collectionPort.CollectionRefusal)
    expect(wrong).not.toBeInstanceOf(collectionPort.SubAccountsNotEnabled)
    party.disable()
    const off = party.provider.createSubAccount(await order(party, 3), patience).catch((error: unknown) => error)
    expect(await off).toBeInstanceOf(collectionPort.SubAccountsNotEnabled)
    expect(String(await off)).toMatch(/The operator must ask .+ to enable them/)
    expect(String(await off)).toMatch(/not enabled/i)
  })

  test('an account is opened with its split, moved to another sub-account, and paid out transfer by transfer', async () => {
    const party = parties[name]()
    const { provider } = party
    const first = await provider.createSubAccount(await order(party, 4), patience)
    const second = await provider.createSubAccount(await order(party, 5), patience)
    const wanted = account(first.code)
    const { accountNumber } = await provider.openAccount(wanted, patience)
    const came = party.receive(accountNumber, 100_000)
    time += 1_000
    party.settle()
    const asked = { from: new Date(time - 86_400_000), to: new Date(time + 86_400_000) }
    const settledTo = (subAccount: string, waitingTransfers: string[]) =>
      provider.findSettlements({ subAccounts: [subAccount], ...asked, waitingTransfers }, patience)
    const [settlement, ...more] = await settledTo(first.code, [came])
    expect(more).toEqual([])
    expect(settlement).toMatchObject({ status: 'settled', currency: 'NGN' })
    expect(settlement?.transfers).toEqual([
      { reference: came, handle: wanted.handle, amountMinor: 100_000n - party.fee, feeMinor: party.fee },
    ])
    if (name !== 'paystack')
      expect(await provider.lookSettlement(settlement?.reference ?? '', patience)).toEqual(settlement)
    expect(await provider.lookSettlement('NOBODY', patience)).toBeUndefined()

    await provider.pointAccount(wanted.handle, { subAccount: second.code, feeBearer: 'operator' }, patience)
    await provider.pointAccount(wanted.handle, { subAccount: second.code, feeBearer: 'operator' }, patience)
    const later = party.receive(accountNumber, 50_000)
    party.settle()
    expect((await settledTo(second.code, [later])).flatMap(({ transfers }) => transfers)).toEqual([
      { reference: later, handle: wanted.handle, amountMinor: 50_000n, feeMinor: 0n },
    ])
    await expect(
      provider.pointAccount(wanted.handle, { subAccount: 'NOBODY', feeBearer: 'seller' }, patience),
    ).rejects.toBeInstanceOf(collectionPort.CollectionRefusal)
    await expect(
      provider.pointAccount('nobody', { subAccount: second.code, feeBearer: 'seller' }, patience),
    ).rejects.toBeInstanceOf(collectionPort.CollectionRefusal)
  })

  test('a refund without funds names the balance that is too low', async () => {
    const party = parties[name]()
    const { provider } = party
    const { code } = await provider.createSubAccount(await order(party, 6), patience)
    const { accountNumber } = await provider.openAccount(account(code), patience)
    const transfer = party.receive(accountNumber, 90_000)
    party.emptyBalance()
    const refund = { key: `refund-${name}`, transfer, amountMinor: 20_000n, reason: 'Sent too much' }
    await expect(provider.refund(refund, patience)).rejects.toThrow(/operator’s balance at .+ is too low/)
  })
})

test('a Monnify settlement notification contains only the reference', async () => {
  const party = parties.monnify()
  const notice = party.noticeOfSettlement()
  const told = party.provider.readNotification(Buffer.from(notice?.body ?? ''), notice?.headers ?? {})
  expect(told).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{64}$/),
    subject: 'settlement',
    transfer: simulator.monnify.ledger.settlements.at(-1)?.reference,
    handle: null,
  })
})

test('the request sends the whole amount to the sub-account', async () => {
  const { provider, sent } = parties.monnify()
  const { code } = simulator.monnify.ledger.addSubAccount({
    code: 'MFY_SUB_X',
    bankCode: '058',
    accountNumber: byNumber(9),
    name: 'ADA',
    kept: 0,
  })
  await provider.openAccount(account(code, 'operator'), patience)
  expect(sent(/reserved-accounts$/).at(-1)?.incomeSplitConfig).toEqual([
    { subAccountCode: code, splitPercentage: 100, feePercentage: 0, feeBearer: false },
  ])
  const paystack = parties.paystack()
  const own = simulator.paystack.ledger.addSubAccount({
    code: 'ACCT_X',
    bankCode: '058',
    accountNumber: byNumber(9),
    name: 'ADA',
    // This one keeps a share for the main account, so it must not be reused.
    kept: 20,
  })
  await paystack.provider.openAccount(account(own.code), patience)
  expect(paystack.sent(/\/dedicated_account$/).at(-1)).toMatchObject({ subaccount: own.code, bearer: 'subaccount' })
  const bank058 = { name: 'Guaranty Trust Bank', code: '058', networkCode: '000013' }
  const asked = { bank: bank058, accountNumber: byNumber(9), currency: 'NGN', name: 'Ada', email: 'ada@example.test' }
  expect(await paystack.provider.findSubAccount(asked, patience)).toBeUndefined()
  await paystack.provider.createSubAccount(asked, patience)
  expect(paystack.sent(/\/subaccount$/).at(-1)).toMatchObject({ percentage_charge: 0, settlement_bank: '058' })
})
