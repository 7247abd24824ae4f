import type { Mode } from '../kernel/tenant.ts'
import { collectionPort } from '../modules/collection/index.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'
import { fromTheOldest } from './newest-first.ts'
import {
  type AssignedAccount,
  type CreditedPayment,
  type ListedBank,
  type Refund,
  readAllAssigned,
  readAnything,
  readAssigned,
  readBanks,
  readCredited,
  readCursor,
  readCustomer,
  readGone,
  readList,
  readOffers,
  readPages,
  readRefunds,
  readResolved,
  transferChannel,
} from './paystack-answers.ts'
import { PaystackRefusal, paystackCalls } from './paystack-calls.ts'
import { readPaystackTransfer } from './paystack-notifications.ts'
import { paystackSettlements, splitFields } from './paystack-settlements.ts'
import { isBalanceTooLow, isLiveKey, plainLine, UnreadableAnswer } from './provider-answers.ts'
import { readEntries } from './statement-entries.ts'

export interface PaystackAccountsOptions {
  readonly secretKey: string
  /**
   * Paystack identifies customers by email address and gives each one account. Ours are under this domain, one for each
   * account.
   */
  readonly customerDomain: string
  readonly outbound: OutboundHttp
  readonly baseUrl?: PartyOptions['baseUrl']
  readonly now?: () => Date
}

interface BankPage {
  readonly banks: readonly ListedBank[]
  readonly next: string | null
}

const page = 100
/** Safety limit: no country has so many banks. */
const mostBankPages = 20

/** Turns Paystack's refusal into one of collection. Any other failure leaves the result unknown. */
async function judged<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PaystackRefusal) throw new collectionPort.CollectionRefusal(error.message)
    throw error
  }
}

/** Turns "not found" into undefined. */
async function orNothing<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question
  } catch (error) {
    const isNothing =
      error instanceof PaystackRefusal &&
      (/_not_found$/.test(error.code ?? '') || /not found|could not resolve|does not exist/i.test(error.message))
    if (isNothing) return undefined
    throw error
  }
}

function namesOf({ customer }: collectionPort.AccountOrder): { first_name: string; last_name: string } {
  const [first = customer.name, ...rest] = customer.name.trim().split(/\s+/)
  return { first_name: customer.firstName ?? first, last_name: customer.lastName ?? (rest.join(' ') || first) }
}

const refundStatuses = new Map<string, collectionPort.RefundStatus>([
  ['processed', 'sent'],
  ['failed', 'failed'],
])

/**
 * Paystack's dedicated accounts, for naira. Paystack gives an account to a customer and knows only the email address,
 * so each of our accounts has its own customer, whose address contains the handle.
 */
export function paystackAccounts(options: PaystackAccountsOptions): collectionPort.CollectionProvider {
  const { secretKey, customerDomain, outbound, baseUrl = 'https://api.paystack.co', now = () => new Date() } = options
  const mode: Mode = isLiveKey(secretKey) ? 'live' : 'sandbox'
  const party = outbound.party('paystack_accounts', { baseUrl, mostBytes: 1024 * 1024, overallMs: 10_000 })
  const ask = paystackCalls(secretKey, party)
  const emailOf = (handle: string): string => `${handle}@${customerDomain}`.toLowerCase()

  /**
   * The handle of the account that received money. An address under another domain is returned as it is and matches no
   * account: it belongs to another user of the key, or to us before the domain changed. Such money becomes a stray,
   * which the operator sees.
   */
  function handleOf(customerEmail: string): string {
    const email = customerEmail.toLowerCase()
    const at = email.lastIndexOf('@')
    const isOurs = at > 0 && email.slice(at + 1) === customerDomain.toLowerCase()
    return isOurs ? email.slice(0, at) : (plainLine(email, 254) ?? '')
  }

  async function allBanks(signal: AbortSignal): Promise<ListedBank[]> {
    const banks: ListedBank[] = []
    let next: string | null = null
    for (let pages = 0; pages < mostBankPages; pages++) {
      const query: URLSearchParams = new URLSearchParams({
        country: 'nigeria',
        currency: 'NGN',
        use_cursor: 'true',
        perPage: String(page),
        include_nip_sort_code: 'true',
        ...(next === null ? {} : { next }),
      })
      const read = (data: unknown, meta: unknown): BankPage => ({
        banks: readBanks(data),
        next: readCursor(meta ?? null)?.next ?? null,
      })
      const answer: BankPage = await ask({ path: `/bank?${query}` }, read, signal)
      banks.push(...answer.banks)
      if (answer.next === null) return banks
      next = answer.next
    }
    throw new Error('Paystack’s list of banks does not end')
  }

  /** Only the list of banks has the central bank code. */
  async function accountFrom(assigned: AssignedAccount, signal: AbortSignal): Promise<collectionPort.ProviderAccount> {
    const banks = await allBanks(signal)
    const bank =
      banks.find(({ id }) => id === assigned.bank.id) ?? banks.find(({ slug }) => slug === assigned.bank.slug)
    return {
      accountNumber: assigned.account_number,
      accountName: assigned.account_name,
      bankCode: bank?.code ?? assigned.bank.slug,
      bankName: assigned.bank.name,
      status: assigned.active && assigned.assigned !== false ? 'active' : 'closed',
    }
  }

  const customerOf = (handle: string, signal: AbortSignal) =>
    orNothing(ask({ path: `/customer/${encodeURIComponent(emailOf(handle))}` }, readCustomer, signal))

  async function assignedTo(handle: string, signal: AbortSignal): Promise<AssignedAccount | undefined> {
    const customer = await customerOf(handle, signal)
    if (!customer) return undefined
    const all = (active: boolean) =>
      ask({ path: `/dedicated_account?customer=${customer.id}&active=${active}` }, readAllAssigned, signal)
    return (await all(true))[0] ?? (await all(false))[0]
  }

  async function refundsOf({ id }: CreditedPayment, signal: AbortSignal): Promise<Refund[]> {
    const refunds = await ask({ path: `/refund?transaction=${id}&perPage=${page}` }, readRefunds, signal)
    const idOf = ({ transaction }: Refund) => (typeof transaction === 'number' ? transaction : transaction.id)
    if (refunds.some((refund) => idOf(refund) !== id))
      throw new UnreadableAnswer('Paystack answered about another payment')
    if (refunds.length >= page)
      throw new UnreadableAnswer('Paystack has more to tell of this payment than fits on a page')
    return refunds
  }

  /** Paystack calls any fully returned payment `reversed`. If we returned it, there is a refund. */
  async function transferFrom(
    payment: CreditedPayment,
    signal: AbortSignal,
  ): Promise<collectionPort.Transfer | undefined> {
    const handle = handleOf(payment.customer?.email ?? '')
    const isReversed = payment.status === 'reversed'
    if (payment.channel !== transferChannel) return undefined
    if (payment.status !== 'success' && !isReversed) return undefined
    const at = Date.parse(payment.paid_at ?? '')
    if (Number.isNaN(at)) throw new UnreadableAnswer('Paystack answered in another form than it should, at /paid_at')
    const refunds = isReversed ? await refundsOf(payment, signal) : undefined
    const ours = refunds?.filter(({ status }) => status !== 'failed')
    const refundedMinor = ours?.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    const amountMinor = BigInt(payment.amount)
    return {
      reference: payment.reference,
      handle,
      amountMinor,
      currency: payment.currency,
      senderName: plainLine(payment.authorization?.sender_name ?? '', 200),
      narration: plainLine(payment.authorization?.narration ?? '', 500),
      receivedAt: new Date(at),
      isReversed: isReversed && (refundedMinor ?? 0n) < amountMinor,
      refundedMinor: refundedMinor ?? null,
    }
  }

  async function creditedAs(reference: string, signal: AbortSignal): Promise<CreditedPayment | undefined> {
    // Characters that Paystack allows in a reference. Dots alone would change the path.
    if (!/^[\w.,=-]{1,200}$/.test(reference) || /^\.+$/.test(reference)) return undefined
    const path = `/transaction/verify/${encodeURIComponent(reference)}`
    const payment = await orNothing(ask({ path }, readCredited, signal))
    if (payment && payment.reference !== reference)
      throw new UnreadableAnswer('Paystack answered about another payment')
    return payment
  }

  /**
   * Paystack has no idempotency keys, so our note on the refund carries the key. The latest refund with the key counts,
   * because a failed one may be repeated.
   */
  async function refundStatusOf(
    { key, transfer }: collectionPort.RefundOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.RefundStatus> {
    const payment = await creditedAs(transfer, signal)
    if (!payment) throw new collectionPort.CollectionRefusal('Paystack knows no such transfer')
    const bearing = (await refundsOf(payment, signal)).filter(({ merchant_note }) => merchant_note === key)
    const [refund] = [...bearing.filter(({ status }) => status !== 'failed'), ...bearing]
    return refund ? (refundStatuses.get(refund.status) ?? 'pending') : 'unknown'
  }

  const settlements = paystackSettlements({
    ask,
    orNothing,
    handleOf,
    async assigned(handle, signal) {
      const [customer, account] = [await customerOf(handle, signal), await assignedTo(handle, signal)]
      return customer && account?.active ? { customer: customer.customer_code, bank: account.bank.slug } : undefined
    },
  })

  return {
    findSubAccount: (order, signal) => judged(settlements.findSubAccount(order, signal)),
    createSubAccount: (order, signal) => judged(settlements.createSubAccount(order, signal)),
    pointAccount: (handle, split, signal) => judged(settlements.pointAccount(handle, split, signal)),
    findSettlements: (asked, signal) => judged(settlements.findSettlements(asked, signal)),
    lookSettlement: settlements.lookSettlement,

    name: 'paystack',
    mode,
    country: 'NG',
    currencies: ['NGN'],

    banks: (signal) =>
      judged(
        allBanks(signal).then((banks) =>
          banks.map(({ name, code, nip_sort_code }) => ({ name, code, networkCode: nip_sort_code ?? null })),
        ),
      ),

    findHolder: ({ bank, accountNumber }, signal) =>
      judged(
        (async () => {
          const query = new URLSearchParams({ account_number: accountNumber, bank_code: bank.code })
          const found = await orNothing(ask({ path: `/bank/resolve?${query}` }, readResolved, signal))
          if (found && found.account_number !== accountNumber)
            throw new Error('Paystack answered about another account')
          return found && { accountName: found.account_name, bank }
        })(),
      ),

    openAccount: (order, signal) =>
      judged(
        (async () => {
          if (order.limitMinor !== null)
            throw new collectionPort.CollectionRefusal(
              'Paystack does not cap a transfer; leave fundingTransactionLimit out',
            )
          const there = await assignedTo(order.handle, signal)
          if (there) return accountFrom(there, signal)
          const body = {
            email: emailOf(order.handle),
            ...namesOf(order),
            ...(order.customer.phoneNumber === null ? {} : { phone: order.customer.phoneNumber }),
          }
          const customer = await ask({ path: '/customer', body }, readCustomer, signal)
          const [offer] = await ask({ path: '/dedicated_account/available_providers' }, readOffers, signal)
          if (!offer)
            throw new collectionPort.ProviderNotSetUp(
              'Paystack offers this service no bank for virtual accounts. The operator must ask Paystack to enable dedicated accounts; then open the account again.',
            )
          const wanted = {
            customer: customer.customer_code,
            preferred_bank: offer.provider_slug,
            ...splitFields(order.split),
          }
          return accountFrom(await ask({ path: '/dedicated_account', body: wanted }, readAssigned, signal), signal)
        })(),
      ),

    findAccount: (handle, signal) =>
      judged(assignedTo(handle, signal).then((found) => found && accountFrom(found, signal))),

    closeAccount: (handle, signal) =>
      judged(
        (async () => {
          const found = await assignedTo(handle, signal)
          if (!found?.active) return
          await orNothing(ask({ path: `/dedicated_account/${found.id}`, method: 'DELETE' }, readGone, signal))
        })(),
      ),

    /** Paystack asks its bank and reports findings as usual, at most every ten minutes per account. */
    seekTransfers: (handle, signal) =>
      judged(
        (async () => {
          const found = await assignedTo(handle, signal)
          if (!found?.active) return
          const query = new URLSearchParams({ account_number: found.account_number, provider_slug: found.bank.slug })
          await ask({ path: `/dedicated_account/requery?${query}` }, readGone, signal)
        })(),
      ),

    look: (reference, signal) =>
      judged(creditedAs(reference, signal).then((payment) => payment && transferFrom(payment, signal))),

    statement: (asked, signal) =>
      judged(
        fromTheOldest(asked, now(), async (number, { from, to }) => {
          const query = new URLSearchParams({
            perPage: String(page),
            page: String(number),
            from: from.toISOString(),
            to: to.toISOString(),
          })
          const read = (data: unknown, meta: unknown) => ({
            entries: readList(data),
            pages: readPages(meta).pageCount ?? 1,
          })
          const { entries, pages } = await ask({ path: `/transaction?${query}` }, read, signal)
          const readOne = (entry: unknown) => judged(transferFrom(readCredited(entry), signal))
          return { ...(await readEntries(entries, 'reference', readOne)), pages }
        }),
      ),

    /** Two concurrent calls would both find no refund, so the caller holds a claim. */
    refund: (order, signal) =>
      judged(
        (async () => {
          const status = await refundStatusOf(order, signal)
          if (status !== 'unknown' && status !== 'failed') return status
          const body = { transaction: order.transfer, amount: String(order.amountMinor), merchant_note: order.key }
          await ask({ path: '/refund', body }, readAnything, signal).catch((error: unknown) => {
            if (error instanceof PaystackRefusal && isBalanceTooLow(error.message))
              throw new collectionPort.BalanceTooLow('Paystack', error.message)
            throw error
          })
          return 'pending'
        })(),
      ),

    findRefund: (order, signal) => judged(refundStatusOf(order, signal)),

    readNotification: (body, headers) => readPaystackTransfer(secretKey, body, headers, handleOf),
  }
}
