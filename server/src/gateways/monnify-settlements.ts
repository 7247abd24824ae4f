import Type from 'typebox'
import { collectionPort } from '../modules/collection/index.ts'
import { koboOf } from './monnify-answers.ts'
import { type Ask, MonnifyRefusal } from './monnify-calls.ts'
import { Perhaps, reader } from './provider-answers.ts'

const read = <S extends Type.TSchema>(schema: S) => reader('Monnify', schema)
const Naira = Type.Union([Type.Number(), Type.String()])
const Reference = Type.String({ minLength: 1, maxLength: 200 })

const readSubAccounts = read(
  Type.Array(
    Type.Object({
      subAccountCode: Type.String({ minLength: 1, maxLength: 100 }),
      bankCode: Type.String(),
      accountNumber: Type.String(),
    }),
  ),
)
const Settled = Type.Object({
  transactionReference: Reference,
  amountPaid: Naira,
  settlementAmount: Perhaps(Naira),
  currency: Perhaps(Type.String()),
  currencyCode: Perhaps(Type.String()),
  product: Perhaps(Type.Object({ type: Perhaps(Type.String()), reference: Perhaps(Type.String()) })),
})
const readSettled = read(
  Type.Object({ content: Type.Array(Settled), totalPages: Type.Integer({ minimum: 0, maximum: 1_000_000 }) }),
)
const readDetail = read(
  Type.Object({
    settlementReference: Perhaps(Reference),
    beneficiaries: Perhaps(Type.Array(Type.Object({ settlementReference: Perhaps(Reference) }))),
  }),
)

/** Monnify returns all sub-accounts in one reply: 8 MiB hold about 25,000 of them. */
const longestList = 8 * 1024 * 1024
const pageSize = 100
/** Limit: 20,000 transfers per settlement. */
const mostPages = 200

/** `incomeSplitConfig`: one sub-account takes everything, and pays Monnify's fee or does not. */
export const incomeSplitOf = ({ subAccount, feeBearer }: collectionPort.Split) => {
  const paysFee = feeBearer === 'seller'
  return [{ subAccountCode: subAccount, splitPercentage: 100, feePercentage: paysFee ? 100 : 0, feeBearer: paysFee }]
}

/** Monnify enables sub-accounts per merchant. Others get 403, or a refusal in words. */
async function ifEnabled<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const isOff =
      error instanceof MonnifyRefusal &&
      (error.status === 403 || /not (enabled|activated|allowed|permitted)|disabled/i.test(error.message))
    throw isOff ? new collectionPort.SubAccountsNotEnabled('Monnify', error.message) : error
  }
}

export function monnifySettlements(ask: Ask, orNothing: <T>(question: Promise<T>) => Promise<T | undefined>) {
  const path = '/api/v1/sub-accounts'

  async function findSubAccount(
    order: collectionPort.SubAccountOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.SubAccount | undefined> {
    const request = { path, mostBytes: longestList, refusalAt: [403] }
    const all = await ifEnabled(ask(request, readSubAccounts, signal))
    const found = all.find(
      ({ bankCode, accountNumber }) =>
        accountNumber === order.accountNumber && [order.bank.code, order.bank.networkCode].includes(bankCode),
    )
    return found && { code: found.subAccountCode }
  }

  async function createSubAccount(
    order: collectionPort.SubAccountOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.SubAccount> {
    const body = [
      {
        currencyCode: order.currency,
        bankCode: order.bank.code,
        accountNumber: order.accountNumber,
        email: order.email,
        defaultSplitPercentage: 100,
      },
    ]
    const [made] = await ifEnabled(ask({ path, body, refusalAt: [403] }, readSubAccounts, signal))
    if (made?.accountNumber !== order.accountNumber) throw new Error('Monnify answered about another sub-account')
    return { code: made.subAccountCode }
  }

  async function pointAccount(handle: string, split: collectionPort.Split, signal: AbortSignal): Promise<void> {
    const config = `/api/v1/bank-transfer/reserved-accounts/update-income-split-config/${encodeURIComponent(handle)}`
    await ask({ path: config, method: 'PUT', body: incomeSplitOf(split) }, read(Type.Unknown()), signal)
  }

  /** Monnify lists the transfers of a settlement, and gives nothing of the settlement but its reference. */
  async function lookSettlement(
    reference: string,
    signal: AbortSignal,
  ): Promise<collectionPort.ProviderSettlement | undefined> {
    const transfers: collectionPort.SettledTransfer[] = []
    for (let page = 0; page < mostPages; page++) {
      const query = new URLSearchParams({ reference, page: String(page), size: String(pageSize) })
      const listing = ask({ path: `/api/v1/transactions/find-by-settlement-reference?${query}` }, readSettled, signal)
      const found = await orNothing(listing)
      if (!found) return undefined
      for (const one of found.content) {
        // Money that did not come through one of our accounts is in no tenant's ledger.
        if (one.product?.type !== 'RESERVED_ACCOUNT' || !one.product.reference) continue
        const gross = koboOf(one.amountPaid)
        const amountMinor = one.settlementAmount == null ? gross : koboOf(one.settlementAmount)
        if (amountMinor > gross) throw new Error('Monnify answered that it settled more than was paid')
        const { transactionReference, product } = one
        transfers.push({
          reference: transactionReference,
          handle: product.reference as string,
          amountMinor,
          feeMinor: gross - amountMinor,
        })
      }
      if (page + 1 >= found.totalPages)
        return { reference, status: 'settled', currency: 'NGN', settledAt: null, transfers }
    }
    throw new collectionPort.CollectionRefusal('the settlement has more transfers than can be read')
  }

  /** Monnify has no list of settlements, so it is asked about each waiting transfer. */
  async function findSettlements(
    { waitingTransfers }: { readonly waitingTransfers: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly collectionPort.ProviderSettlement[]> {
    const settlements = new Map<string, collectionPort.ProviderSettlement>()
    const seen = new Set<string>()
    for (const transfer of waitingTransfers) {
      if (seen.has(transfer)) continue
      const query = new URLSearchParams({ transactionReference: transfer })
      const detail = await orNothing(ask({ path: `/api/v1/settlement-detail?${query}` }, readDetail, signal))
      const reference =
        detail?.settlementReference ??
        detail?.beneficiaries?.find((one) => one.settlementReference)?.settlementReference
      if (!reference || settlements.has(reference)) continue
      const settlement = await lookSettlement(reference, signal)
      if (!settlement) continue
      settlements.set(reference, settlement)
      for (const settled of settlement.transfers) seen.add(settled.reference)
    }
    return [...settlements.values()]
  }

  return { findSubAccount, createSubAccount, pointAccount, lookSettlement, findSettlements }
}
