import Type from 'typebox'
import { collectionPort } from '../modules/collection/index.ts'
import { readPages } from './paystack-answers.ts'
import { type Ask, PaystackRefusal } from './paystack-calls.ts'
import { Minor, Perhaps, reader } from './provider-answers.ts'

const read = <S extends Type.TSchema>(schema: S) => reader('Paystack', schema)
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const SubAccountAnswer = Type.Object({
  subaccount_code: Type.String({ minLength: 1, maxLength: 100 }),
  account_number: Type.String(),
  settlement_bank: Perhaps(Type.String()),
  bank_code: Perhaps(Type.String()),
  percentage_charge: Perhaps(Type.Number()),
  active: Perhaps(Type.Union([Type.Boolean(), Type.Integer()])),
})
const readSubAccount = read(SubAccountAnswer)
const readSubAccounts = read(Type.Array(SubAccountAnswer))
const readSettlements = read(
  Type.Array(
    Type.Object({
      id: Id,
      status: Type.String(),
      currency: Type.String({ pattern: '^[A-Z]{3}$' }),
      settlement_date: Perhaps(Type.String()),
    }),
  ),
)
const readSettled = read(
  Type.Array(
    Type.Object({
      reference: Type.String({ minLength: 1, maxLength: 200 }),
      amount: Minor,
      fees: Perhaps(Minor),
      // The sub-account's share is the settled amount.
      fees_split: Perhaps(Type.Object({ subaccount: Perhaps(Minor) })),
      customer: Perhaps(Type.Object({ email: Perhaps(Type.String()) })),
    }),
  ),
)

const pageSize = 100
/** Searches the newest 2,000 sub-accounts. One with a lost answer is among the newest. */
const mostSubAccountPages = 20
const mostSettlementPages = 20
/** Limit: 20,000 transfers per settlement. */
const mostTransferPages = 200

const statuses = new Map<string, collectionPort.SettlementStatus>([
  ['success', 'settled'],
  ['failed', 'failed'],
])

/** Fields that send all money of an account to a sub-account. */
export const splitFields = ({ subAccount, feeBearer }: collectionPort.Split) => ({
  subaccount: subAccount,
  bearer: feeBearer === 'seller' ? 'subaccount' : 'account',
})

async function ifEnabled<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const isOff =
      error instanceof PaystackRefusal &&
      (error.status === 403 || /not (enabled|activated|available|permitted)|disabled/i.test(error.message))
    throw isOff ? new collectionPort.SubAccountsNotEnabled('Paystack', error.message) : error
  }
}

export interface PaystackSettlementParts {
  readonly ask: Ask
  readonly orNothing: <T>(question: Promise<T>) => Promise<T | undefined>
  /** Returns the handle for a customer's email address. */
  readonly handleOf: (email: string) => string
  /** The customer of one of our accounts, and the bank that holds the account. */
  readonly assigned: (
    handle: string,
    signal: AbortSignal,
  ) => Promise<{ readonly customer: string; readonly bank: string } | undefined>
}

export function paystackSettlements({ ask, orNothing, handleOf, assigned }: PaystackSettlementParts) {
  /** Reads pages up to a limit. Stops early when `take` returns true. */
  async function pages<T>(
    path: string,
    readRows: (data: unknown) => readonly T[],
    most: number,
    take: (rows: readonly T[]) => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const joint = path.includes('?') ? '&' : '?'
    for (let page = 1; page <= most; page++) {
      const readPage = (data: unknown, meta: unknown) => ({
        rows: readRows(data),
        last: readPages(meta ?? {}).pageCount ?? 1,
      })
      const { rows, last } = await ask(
        { path: `${path}${joint}perPage=${pageSize}&page=${page}`, refusalAt: [403] },
        readPage,
        signal,
      )
      if (take(rows) || page >= last || rows.length === 0) return true
    }
    return false
  }

  async function findSubAccount(
    order: collectionPort.SubAccountOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.SubAccount | undefined> {
    const { bank, accountNumber } = order
    let found: collectionPort.SubAccount | undefined
    // A sub-account that keeps a share for the main account, or is inactive, does not fit.
    const fits = (subAccount: ReturnType<typeof readSubAccount>) =>
      subAccount.account_number === accountNumber &&
      (subAccount.bank_code === bank.code || subAccount.settlement_bank?.toLowerCase() === bank.name.toLowerCase()) &&
      (subAccount.percentage_charge ?? 0) === 0 &&
      subAccount.active !== false &&
      subAccount.active !== 0
    const listing = pages(
      '/subaccount',
      readSubAccounts,
      mostSubAccountPages,
      (rows) => {
        const one = rows.find(fits)
        found = one && { code: one.subaccount_code }
        return found !== undefined
      },
      signal,
    )
    await ifEnabled(listing)
    return found
  }

  async function createSubAccount(
    order: collectionPort.SubAccountOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.SubAccount> {
    const body = {
      business_name: order.name.slice(0, 100),
      settlement_bank: order.bank.code,
      account_number: order.accountNumber,
      // Share of the main account, in percent.
      percentage_charge: 0,
      primary_contact_email: order.email,
    }
    const made = await ifEnabled(ask({ path: '/subaccount', body, refusalAt: [403] }, readSubAccount, signal))
    if (made.account_number !== order.accountNumber) throw new Error('Paystack answered about another subaccount')
    return { code: made.subaccount_code }
  }

  async function pointAccount(handle: string, split: collectionPort.Split, signal: AbortSignal): Promise<void> {
    const found = await assigned(handle, signal)
    if (!found) throw new collectionPort.CollectionRefusal('Paystack knows no such account')
    const body = { customer: found.customer, preferred_bank: found.bank, ...splitFields(split) }
    await ask({ path: '/dedicated_account/split', body }, read(Type.Unknown()), signal)
  }

  async function transfersOf(id: number, signal: AbortSignal): Promise<collectionPort.SettledTransfer[]> {
    const transfers: collectionPort.SettledTransfer[] = []
    const isWhole = await pages(
      `/settlement/${id}/transactions`,
      readSettled,
      mostTransferPages,
      (rows) => {
        for (const { reference, amount, fees, fees_split, customer } of rows) {
          const gross = BigInt(amount)
          const amountMinor = fees_split?.subaccount == null ? gross - BigInt(fees ?? 0) : BigInt(fees_split.subaccount)
          if (amountMinor < 0n || amountMinor > gross) throw new Error('Paystack answered with a fee that is none')
          const handle = handleOf(customer?.email ?? '')
          transfers.push({ reference, handle, amountMinor, feeMinor: gross - amountMinor })
        }
        return false
      },
      signal,
    )
    if (!isWhole) throw new collectionPort.CollectionRefusal('the settlement has more transfers than can be read')
    return transfers
  }

  async function findSettlements(
    { subAccounts, from, to }: { readonly subAccounts: readonly string[]; readonly from: Date; readonly to: Date },
    signal: AbortSignal,
  ): Promise<readonly collectionPort.ProviderSettlement[]> {
    const listed: ReturnType<typeof readSettlements>[number][] = []
    const take = (rows: readonly (typeof listed)[number][]) => {
      listed.push(...rows)
      return false
    }
    for (const subaccount of subAccounts) {
      const query = new URLSearchParams({ subaccount, from: from.toISOString(), to: to.toISOString() })
      await pages(`/settlement?${query}`, readSettlements, mostSettlementPages, take, signal)
    }
    const settlements: collectionPort.ProviderSettlement[] = []
    for (const { id, status, currency, settlement_date } of listed) {
      const at = Date.parse(settlement_date ?? '')
      const transfers = await orNothing(transfersOf(id, signal))
      if (!transfers) continue
      settlements.push({
        reference: String(id),
        status: statuses.get(status) ?? 'pending',
        currency,
        settledAt: Number.isNaN(at) ? null : new Date(at),
        transfers,
      })
    }
    return settlements
  }

  /** Paystack sends no notifications about settlements and offers lists only. */
  const lookSettlement = (): Promise<undefined> => Promise.resolve(undefined)

  return { findSubAccount, createSubAccount, pointAccount, lookSettlement, findSettlements }
}
