import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Mode } from '../kernel/tenant.ts'
import {
  type AccountOrder,
  BalanceTooLow,
  type CollectionProvider,
  CollectionRefusal,
  type ProviderAccount,
  type RefundStanding,
  type Transfer,
} from '../modules/collection/index.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'
import {
  koboOf,
  type Listed,
  nairaText,
  type Reserved,
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
/** The facts of so many payments are kept, so that a statement which is read every minute does not ask for each again. */
const mostKnown = 10_000

/** Money came, whatever the amount; and later the sender's bank may have taken it back. */
const arrived: readonly string[] = ['PAID', 'OVERPAID', 'PARTIALLY_PAID', 'REVERSED']

/** What is not there is no failure of the question. */
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

/** Nothing where nobody has paid, or it came by another way than an account of ours. */
function transferFrom(said: Transaction): Transfer | undefined {
  const { transactionReference: reference, paymentStatus, product, paidOn } = said
  if (!arrived.includes(paymentStatus) || product?.type !== 'RESERVED_ACCOUNT' || !product.reference) return undefined
  const currency = said.currency ?? said.currencyCode
  if (!currency || !/^[A-Z]{3}$/.test(currency) || !paidOn)
    throw new UnreadableAnswer('Monnify answered in another form than it should, of a transfer')
  return {
    reference,
    handle: product.reference,
    amountMinor: koboOf(said.amountPaid),
    currency,
    senderName: plainLine(said.accountDetails?.accountName ?? '', 200),
    narration: plainLine(said.paymentDescription ?? '', 500),
    receivedAt: timeOf(paidOn),
    isReversed: paymentStatus === 'REVERSED',
    refundedMinor: null,
  }
}

function accountFrom(handle: string, { accountReference, accountName, accounts, status }: Reserved): ProviderAccount {
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

/** `COMPLETED` in the answer to an order says only that it was taken; asked for later, it says that the money went. */
const standings = new Map<string, RefundStanding>([
  ['COMPLETED', 'sent'],
  ['FAILED', 'failed'],
])

/** What Monnify cannot do is said before anything is asked for: an account without it would be another than was ordered. */
function refuseWhatItCannot({ customer, limitMinor }: AccountOrder): string {
  if (limitMinor !== null)
    throw new CollectionRefusal('Monnify does not cap a transfer; leave fundingTransactionLimit out')
  if (customer.email === null) throw new CollectionRefusal('Monnify needs the email address of the customer')
  return customer.email
}

/**
 * Monnify, for naira. Every account is one that it reserves, those for one payment too: each transfer into it is a transaction of its own, where
 * its accounts for one payment would gather several under one reference. When such an account ends is for us to say.
 */
export function monnify(options: MonnifyOptions): CollectionProvider {
  const { mode, contractCode, secretKey, outbound, baseUrl = addresses[mode], now = () => new Date() } = options
  const party = outbound.party(`monnify_${mode}`, { baseUrl, mostBytes: 1024 * 1024, overallMs: 10_000 })
  const ask = monnifyCalls(options, party)
  /** `null` is what came by another way than an account of ours, and always will have. */
  const known = new Map<string, Transfer | null>()

  async function find(reference: string, signal: AbortSignal): Promise<Transaction | undefined> {
    const said = await orNothing(ask({ path: `/api/v2/transactions/${name(reference)}` }, readTransaction, signal))
    if (said && said.transactionReference !== reference)
      throw new UnreadableAnswer('Monnify answered about another transfer')
    return said
  }

  async function look(reference: string, signal: AbortSignal): Promise<Transfer | undefined> {
    const said = await find(reference, signal)
    return said && transferFrom(said)
  }

  /** The list says neither the account nor the sender; both stay as they are, and what may change is in it. */
  async function complete(listed: Listed, signal: AbortSignal): Promise<Transfer | undefined> {
    const { transactionReference: reference, paymentStatus } = listed
    if (!arrived.includes(paymentStatus)) return undefined
    const before = known.get(reference)
    if (before === null) return undefined
    const amount = listed.amountPaid ?? listed.amount
    if (before && amount != null)
      return { ...before, amountMinor: koboOf(amount), isReversed: paymentStatus === 'REVERSED' }
    const said = await find(reference, signal)
    // Where the two do not agree yet, the next look may.
    if (!said || !arrived.includes(said.paymentStatus)) return undefined
    const transfer = transferFrom(said)
    const oldest = known.keys().next()
    if (known.size >= mostKnown && !oldest.done) known.delete(oldest.value)
    known.set(reference, transfer ?? null)
    return transfer
  }

  async function findAccount(handle: string, signal: AbortSignal): Promise<ProviderAccount | undefined> {
    const path = `/api/v2/bank-transfer/reserved-accounts/${name(handle)}`
    const found = await orNothing(ask({ path }, readReserved, signal))
    return found && accountFrom(handle, found)
  }

  async function findRefund(key: string, signal: AbortSignal): Promise<RefundStanding> {
    const found = await orNothing(ask({ path: `/api/v1/refunds/${name(key)}` }, readRefund, signal))
    if (found && found.refundReference !== key) throw new Error('Monnify answered about another refund')
    return found ? (standings.get(found.refundStatus) ?? 'pending') : 'unknown'
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
        nipCode: nipBankCode ?? null,
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
        ...(customer.bvn === null ? {} : { bvn: customer.bvn }),
        getAllAvailableBanks: true,
        incomeSplitConfig: incomeSplitOf(order.split),
      }
      try {
        const path = '/api/v2/bank-transfer/reserved-accounts'
        return accountFrom(handle, await ask({ path, body }, readReserved, signal))
      } catch (error) {
        if (!(error instanceof MonnifyRefusal)) throw error
        // A reference is taken once: what it was taken for may be what an answer that got lost told of.
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
        // Closed before, it is not there any more, or there and not active.
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
        // A reference that was used is refused: the order before it counts.
        const standing = await findRefund(key, signal)
        if (standing !== 'unknown') return standing
        if (isBalanceTooLow(error.message)) throw new BalanceTooLow('Monnify', error.message)
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
        // It has no id of its own; said again, it is the same bytes.
        return { id, transfer: transactionReference, handle }
      } catch {
        return 'nothing to do'
      }
    },
  }
}
