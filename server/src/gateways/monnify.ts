import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Mode } from '../kernel/tenant.ts'
import { collectionPort } from '../modules/collection/index.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'
import {
  koboOf,
  type ListedTransaction,
  nairaText,
  type ReservedAccount,
  readAnything,
  readBanks,
  readEvent,
  readHolder,
  readList,
  readListed,
  readRefund,
  readReserved,
  readTransaction,
  type Transaction,
  timeOf,
} from './monnify-answers.ts'
import { type MonnifyKeys, MonnifyRefusal, monnifyCalls } from './monnify-calls.ts'
import { incomeSplitOf, monnifySettlements } from './monnify-settlements.ts'
import { fromTheOldest } from './newest-first.ts'
import { isBalanceTooLow, parsed, plainLine, UnreadableAnswer } from './provider-answers.ts'
import { readEntries } from './statement-entries.ts'

export interface MonnifyOptions extends MonnifyKeys {
  readonly mode: Mode
  readonly contractCode: string
  readonly outbound: OutboundHttp
  readonly baseUrl?: PartyOptions['baseUrl']
  readonly now?: () => Date
}

const addresses: Readonly<Record<Mode, string>> = {
  sandbox: 'https://sandbox.monnify.com',
  live: 'https://api.monnify.com',
}

const name = encodeURIComponent
const pageSize = 50
/** Cache size for payment details, so that a statement of account read every minute does not request each again. */
const mostKnown = 10_000

/** Statuses after money arrived. The sender's bank may have taken it back later. */
const arrived: readonly string[] = ['PAID', 'OVERPAID', 'PARTIALLY_PAID', 'REVERSED']

/** Turns "not found" into undefined. */
async function orNothing<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question
  } catch (error) {
    if (
      error instanceof MonnifyRefusal &&
      (error.status === 404 || /not found|does not exist|could not find/i.test(error.message))
    )
      return undefined
    throw error
  }
}

/** Undefined if nothing was paid, or if the money did not come through one of our accounts. */
function transferFrom(transaction: Transaction): collectionPort.Transfer | undefined {
  const { transactionReference: reference, paymentStatus, product, paidOn } = transaction
  if (!arrived.includes(paymentStatus) || product?.type !== 'RESERVED_ACCOUNT' || !product.reference) return undefined
  const currency = transaction.currency ?? transaction.currencyCode
  if (!currency || !/^[A-Z]{3}$/.test(currency) || !paidOn)
    throw new UnreadableAnswer('Monnify answered in another form than it should, of a transfer')
  return {
    reference,
    handle: product.reference,
    amountMinor: koboOf(transaction.amountPaid),
    currency,
    senderName: plainLine(transaction.accountDetails?.accountName ?? '', 200),
    narration: plainLine(transaction.paymentDescription ?? '', 500),
    receivedAt: timeOf(paidOn),
    isReversed: paymentStatus === 'REVERSED',
    refundedMinor: null,
  }
}

function accountFrom(
  handle: string,
  { accountReference, accountName, accounts, status }: ReservedAccount,
): collectionPort.ProviderAccount {
  const [account] = accounts ?? []
  if (accountReference !== handle || !account || !/^\d{10}$/.test(account.accountNumber))
    throw new Error('Monnify answered about another account')
  return {
    accountNumber: account.accountNumber,
    accountName: account.accountName || accountName,
    bankCode: account.bankCode,
    bankName: account.bankName,
    status: status == null || status === 'ACTIVE' ? 'active' : 'closed',
  }
}

/** `COMPLETED` in the reply to an order only means accepted; in a later query it means paid. */
const refundStatuses = new Map<string, collectionPort.RefundStatus>([
  ['COMPLETED', 'sent'],
  ['FAILED', 'failed'],
])

/** Refuses features that Monnify lacks before any call: the account would not be what was ordered. */
function refuseWhatItCannot({ customer, limitMinor }: collectionPort.AccountOrder): string {
  if (limitMinor !== null)
    throw new collectionPort.CollectionRefusal('Monnify does not cap a transfer; leave fundingTransactionLimit out')
  if (customer.email === null)
    throw new collectionPort.CollectionRefusal('Monnify needs the email address of the customer')
  return customer.email
}

/**
 * Monnify, for naira. Every account is a reserved account, even one for a single payment: each transfer into it is a
 * separate transaction. Monnify's accounts for one payment would collect several under one reference. We end such an
 * account ourselves.
 */
export function monnify(options: MonnifyOptions): collectionPort.CollectionProvider {
  const { mode, contractCode, secretKey, outbound, baseUrl = addresses[mode], now = () => new Date() } = options
  const party = outbound.party(`monnify_${mode}`, { baseUrl, mostBytes: 1024 * 1024, overallMs: 10_000 })
  const ask = monnifyCalls(options, party)
  /** `null` marks money that did not come through one of our accounts; that never changes. */
  const known = new Map<string, collectionPort.Transfer | null>()

  async function find(reference: string, signal: AbortSignal): Promise<Transaction | undefined> {
    const transaction = await orNothing(
      ask({ path: `/api/v2/transactions/${name(reference)}` }, readTransaction, signal),
    )
    if (transaction && transaction.transactionReference !== reference)
      throw new UnreadableAnswer('Monnify answered about another transfer')
    return transaction
  }

  async function look(reference: string, signal: AbortSignal): Promise<collectionPort.Transfer | undefined> {
    const transaction = await find(reference, signal)
    return transaction && transferFrom(transaction)
  }

  /** The list lacks the account and the sender, which never change. It has everything that may change. */
  async function complete(
    listed: ListedTransaction,
    signal: AbortSignal,
  ): Promise<collectionPort.Transfer | undefined> {
    const { transactionReference: reference, paymentStatus } = listed
    if (!arrived.includes(paymentStatus)) return undefined
    const before = known.get(reference)
    if (before === null) return undefined
    const amount = listed.amountPaid ?? listed.amount
    if (before && amount != null)
      return { ...before, amountMinor: koboOf(amount), isReversed: paymentStatus === 'REVERSED' }
    const transaction = await find(reference, signal)
    // The list and the details disagree for now; the next look may differ.
    if (!transaction || !arrived.includes(transaction.paymentStatus)) return undefined
    const transfer = transferFrom(transaction)
    const oldest = known.keys().next()
    if (known.size >= mostKnown && !oldest.done) known.delete(oldest.value)
    known.set(reference, transfer ?? null)
    return transfer
  }

  async function findAccount(handle: string, signal: AbortSignal): Promise<collectionPort.ProviderAccount | undefined> {
    const path = `/api/v2/bank-transfer/reserved-accounts/${name(handle)}`
    const found = await orNothing(ask({ path }, readReserved, signal))
    return found && accountFrom(handle, found)
  }

  async function findRefund(key: string, signal: AbortSignal): Promise<collectionPort.RefundStatus> {
    const found = await orNothing(ask({ path: `/api/v1/refunds/${name(key)}` }, readRefund, signal))
    if (found && found.refundReference !== key) throw new Error('Monnify answered about another refund')
    return found ? (refundStatuses.get(found.refundStatus) ?? 'pending') : 'unknown'
  }

  return {
    ...monnifySettlements(ask, orNothing),
    name: 'monnify',
    mode,
    country: 'NG',
    currencies: ['NGN'],

    async banks(signal) {
      const banks = await ask({ path: '/api/v1/banks' }, readBanks, signal)
      return banks.map(({ name: bankName, code, nipBankCode }) => ({
        name: bankName,
        code,
        networkCode: nipBankCode ?? null,
      }))
    },

    async findHolder({ bank, accountNumber }, signal) {
      const query = new URLSearchParams({ accountNumber, bankCode: bank.code })
      const path = `/api/v1/disbursements/account/validate?${query}`
      const holder = await orNothing(ask({ path }, readHolder, signal))
      if (holder && holder.accountNumber !== accountNumber) throw new Error('Monnify answered about another account')
      return holder && { accountName: holder.accountName, bank }
    },

    async openAccount(order, signal) {
      const { handle, customer, currency } = order
      const body = {
        accountReference: handle,
        accountName: order.name,
        currencyCode: currency,
        contractCode,
        customerEmail: refuseWhatItCannot(order),
        customerName: customer.name,
        ...(customer.identifiers.bvn === undefined ? {} : { bvn: customer.identifiers.bvn }),
        getAllAvailableBanks: true,
        incomeSplitConfig: incomeSplitOf(order.split),
      }
      try {
        const path = '/api/v2/bank-transfer/reserved-accounts'
        return accountFrom(handle, await ask({ path, body }, readReserved, signal))
      } catch (error) {
        if (!(error instanceof MonnifyRefusal)) throw error
        // A reference is used once, and an earlier call with a lost answer may have used it.
        const there = await findAccount(handle, signal)
        if (there) return there
        throw error
      }
    },

    findAccount,

    async closeAccount(handle, signal) {
      const path = `/api/v1/bank-transfer/reserved-accounts/reference/${name(handle)}`
      try {
        await ask({ path, method: 'DELETE' }, readAnything, signal)
      } catch (error) {
        if (!(error instanceof MonnifyRefusal)) throw error
        // A closed account is either not found or not active.
        if ((await findAccount(handle, signal))?.status === 'active') throw error
      }
    },

    look,

    async statement(asked, signal) {
      return await fromTheOldest(asked, now(), async (page, { from, to }) => {
        const query = new URLSearchParams({
          page: String(page - 1),
          size: String(pageSize),
          from: String(from.getTime()),
          to: String(to.getTime()),
        })
        const { content, totalPages } = await ask({ path: `/api/v1/transactions/search?${query}` }, readList, signal)
        const read = await readEntries(content, 'transactionReference', (entry) => complete(readListed(entry), signal))
        return { ...read, pages: totalPages }
      })
    },

    async refund({ key, transfer, amountMinor, reason }, signal) {
      const body = {
        transactionReference: transfer,
        refundReference: key,
        refundAmount: Number(nairaText(amountMinor)),
        refundReason: (reason || 'Refund').slice(0, 64),
        customerNote: 'Refund',
      }
      try {
        const { refundStatus } = await ask({ path: '/api/v1/refunds/initiate-refund', body }, readRefund, signal)
        return refundStatus === 'FAILED' ? 'failed' : 'pending'
      } catch (error) {
        if (!(error instanceof MonnifyRefusal)) throw error
        // Monnify refuses a used reference: the earlier order counts.
        const status = await findRefund(key, signal)
        if (status !== 'unknown') return status
        if (isBalanceTooLow(error.message)) throw new collectionPort.BalanceTooLow('Monnify', error.message)
        throw error
      }
    },

    findRefund: ({ key }, signal) => findRefund(key, signal),

    readNotification(body, headers) {
      const given = headers['monnify-signature']
      if (typeof given !== 'string' || !/^[0-9a-f]{128}$/i.test(given)) return undefined
      const own = createHmac('sha512', secretKey).update(body).digest()
      if (!timingSafeEqual(own, Buffer.from(given, 'hex'))) return undefined
      try {
        const { eventType, eventData } = readEvent(parsed(body.toString()))
        const { transactionReference, product, settlementReference } = eventData
        const id = createHash('sha256').update(body).digest('hex')
        if (eventType === 'SETTLEMENT' && settlementReference)
          return { id, subject: 'settlement', transfer: settlementReference, handle: null }
        const isOurs = eventType === 'SUCCESSFUL_TRANSACTION' && product?.type === 'RESERVED_ACCOUNT'
        if (!isOurs || !transactionReference) return 'nothing to do'
        const handle = typeof product.reference === 'string' ? product.reference : null
        // Monnify gives no id. A repeated notification has the same bytes, and so the same hash.
        return { id, transfer: transactionReference, handle }
      } catch {
        return 'nothing to do'
      }
    },
  }
}
