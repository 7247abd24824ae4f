import { checkoutPort } from '../modules/billing/index.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'
import {
  type Dispute,
  type Refund,
  readAnything,
  readCard,
  readCharged,
  readDisputes,
  readRefunds,
  readStarted,
  readTransaction,
  type Transaction,
} from './paystack-answers.ts'
import { PaystackRefusal, paystackCalls } from './paystack-calls.ts'
import { readPaystackNotification } from './paystack-notifications.ts'
import { isLiveKey, parsed, webAddress } from './provider-answers.ts'

export interface PaystackOptions {
  readonly secretKey: string
  readonly outbound: OutboundHttp
  readonly baseUrl?: PartyOptions['baseUrl']
}

/** Paystack, for naira. It identifies a payment by our own reference, which is therefore the handle. */
export function paystackProvider(options: PaystackOptions): checkoutPort.CheckoutProvider {
  const { secretKey, outbound, baseUrl = 'https://api.paystack.co' } = options
  const ask = paystackCalls(secretKey, outbound.party('paystack', { baseUrl }))

  async function transactionOf(reference: string, signal: AbortSignal): Promise<Transaction | undefined> {
    if (!isReference(reference)) return undefined
    try {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`
      return withReference(reference, await ask({ path }, readTransaction, signal))
    } catch (error) {
      if (isUnknown(error)) return undefined
      throw error
    }
  }

  const refundsOf = async ({ id }: Transaction, signal: AbortSignal): Promise<Refund[]> =>
    allOf(id, await ask({ path: `/refund?transaction=${id}&perPage=${page}` }, readRefunds, signal))

  const disputesOf = async ({ id }: Transaction, signal: AbortSignal): Promise<Dispute[]> =>
    allOf(id, await ask({ path: `/dispute?transaction=${id}&perPage=${page}` }, readDisputes, signal))

  async function look(reference: string, signal: AbortSignal): Promise<checkoutPort.ProviderView | undefined> {
    const transaction = await transactionOf(reference, signal)
    if (transaction === undefined) return undefined
    const state = stateOf(transaction)
    const view = {
      reference,
      handle: reference,
      state,
      amountMinor: BigInt(transaction.amount),
      currency: transaction.currency,
      live: transaction.domain === 'live',
    }
    if (state !== 'paid') return { ...view, refundedMinor: 0n, dispute: 'none', authorisation: undefined }
    const [refunds, disputes] = await Promise.all([refundsOf(transaction, signal), disputesOf(transaction, signal)])
    return {
      ...view,
      refundedMinor:
        transaction.status === 'reversed'
          ? view.amountMinor
          : sum(refunds.filter(({ status }) => status === 'processed')),
      dispute: disputeOf(disputes),
      authorisation: cardOf(transaction),
    }
  }

  return {
    name: 'paystack',
    live: isLiveKey(secretKey),

    async startCheckout({ reference, amountMinor, currency, email, description, returnUrl }, signal) {
      const body = {
        reference,
        amount: String(amountMinor),
        currency,
        email,
        callback_url: returnUrl,
        metadata: { description },
      }
      try {
        const started = await ask({ path: '/transaction/initialize', body }, readStarted, signal)
        return { url: webAddress('Paystack', withReference(reference, started).authorization_url), handle: reference }
      } catch (error) {
        // Not a refusal: an earlier request reached Paystack, and its checkout may be paid.
        if (isDuplicate(error)) throw new Error('Paystack began a payment with this reference before')
        throw error
      }
    },

    look,

    /** Paystack cannot close a checkout: the page stays open as long as the account's settings say. */
    endCheckout: look,

    async chargeCard({ reference, amountMinor, currency, description, authorisation }, signal) {
      const { code, email } = cardFrom(authorisation)
      const body = {
        reference,
        amount: String(amountMinor),
        currency,
        email,
        authorization_code: code,
        metadata: { description },
      }
      try {
        withReference(reference, await ask({ path: '/transaction/charge_authorization', body }, readCharged, signal))
      } catch (error) {
        // An earlier request made the same charge, and only its answer was lost.
        if (!isDuplicate(error)) throw error
      }
      return { handle: reference }
    },

    /**
     * Paystack has no idempotency keys, so our note on the refund carries the key. A refund with this key that did not
     * fail is not repeated. Two concurrent calls would both find none, so the caller holds a claim.
     */
    async refund(reference, { amountMinor, key }, signal) {
      const transaction = await transactionOf(reference, signal)
      if (transaction === undefined) throw new checkoutPort.ProviderRefusal('Paystack knows no such payment')
      const made = await refundsOf(transaction, signal)
      if (made.some(({ merchant_note, status }) => merchant_note === key && status !== 'failed')) return
      const body = { transaction: reference, amount: String(amountMinor), merchant_note: key }
      await ask({ path: '/refund', body }, readAnything, signal)
    },

    readNotification: (body, headers) => readPaystackNotification(secretKey, body, headers),
  }
}

/** Characters that Paystack allows in a reference. Dots alone would change the path. */
const isReference = (text: string): boolean => /^[\w.,=-]{1,200}$/.test(text) && !/^\.+$/.test(text)

function withReference<T extends { readonly reference: string }>(reference: string, answer: T): T {
  if (answer.reference !== reference) throw new Error('Paystack answered about another payment')
  return answer
}

const page = 100

/** If Paystack ignored the filter, we would see refunds of other payments. */
function allOf<T extends { readonly transaction: number | { readonly id: number } }>(id: number, list: T[]): T[] {
  const idOf = ({ transaction }: T) => (typeof transaction === 'number' ? transaction : transaction.id)
  if (list.some((one) => idOf(one) !== id)) throw new Error('Paystack answered about another payment')
  if (list.length >= page) throw new Error('Paystack has more to tell of this payment than fits on a page')
  return list
}

const sum = (refunds: readonly Refund[]): bigint => refunds.reduce((total, { amount }) => total + BigInt(amount), 0n)

const states = new Map<string, checkoutPort.ProviderView['state']>([
  ['success', 'paid'],
  ['reversed', 'paid'],
  ['failed', 'failed'],
  ['abandoned', 'open'],
  ['ongoing', 'open'],
  ['pending', 'open'],
  ['processing', 'open'],
  ['queued', 'open'],
])

function stateOf({ status }: Transaction): checkoutPort.ProviderView['state'] {
  const state = states.get(status)
  if (state === undefined) throw new Error('Paystack gave a payment a status that we do not know')
  return state
}

function disputeOf(disputes: readonly Dispute[]): checkoutPort.ProviderView['dispute'] {
  const found = new Set(disputes.map(outcomeOf))
  return (['open', 'lost', 'won'] as const).find((outcome) => found.has(outcome)) ?? 'none'
}

/** An unknown resolution stays open, so that a person looks. A dispute archived without a resolution had no effect. */
function outcomeOf({ status, resolution }: Dispute): checkoutPort.ProviderView['dispute'] {
  if (status === 'archived' && !resolution) return 'none'
  if (status !== 'resolved' && status !== 'archived') return 'open'
  return resolution === 'merchant-accepted' ? 'lost' : resolution === 'declined' ? 'won' : 'open'
}

function cardOf({ authorization, customer }: Transaction): string | undefined {
  const code = authorization?.reusable === true ? authorization.authorization_code : undefined
  return code && customer?.email ? JSON.stringify({ code, email: customer.email }) : undefined
}

function cardFrom(authorisation: string): { code: string; email: string } {
  try {
    return readCard(parsed(authorisation))
  } catch {
    throw new checkoutPort.ProviderRefusal('this card was not kept with Paystack')
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof PaystackRefusal &&
  (error.code === 'transaction_not_found' || /transaction( reference)? not found/i.test(error.message))

const isDuplicate = (error: unknown): boolean =>
  error instanceof PaystackRefusal &&
  (error.code === 'duplicate_reference' || /duplicate (transaction|charge)/i.test(error.message))
