import type { Id, OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { Currency } from '../../catalogue/index.ts'
import type { SubscriptionId } from '../ids.ts'
import type { ProviderName, ProviderView } from './checkout-provider.ts'

export const paymentKinds = ['credit_purchase', 'subscription', 'renewal'] as const
export type PaymentKind = (typeof paymentKinds)[number]

export const paymentStatuses = [
  'pending',
  'succeeded',
  'failed',
  'expired',
  'partially_refunded',
  'refunded',
  'disputed',
  'charged_back',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export type PaymentId = Id<'payment'>

export interface Payment {
  readonly organisationId: OrganisationId
  readonly id: PaymentId
  readonly kind: PaymentKind
  readonly status: PaymentStatus
  readonly provider: ProviderName
  /** what the provider calls it, once it knows of it */
  readonly handle: string | null
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly refundedMinor: bigint
  readonly description: string
  readonly email: string
  readonly packageId: string | null
  readonly subscriptionId: SubscriptionId | null
  /** which period of the subscription it pays */
  readonly period: number | null
  /** what it has bought so far */
  readonly credits: bigint
  /** what the ledger shows for it */
  readonly grantedCredits: bigint
  readonly checkoutUrl: string | null
  readonly expiresAt: Date
  readonly lookAt: Date | null
  readonly looks: number
  readonly version: number
  readonly createdBy: UserId | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly endedAt: Date | null
}

const minutes = 60_000
const days = 24 * 60 * minutes

const unpaid: ReadonlySet<PaymentStatus> = new Set(['pending', 'failed', 'expired'])

/** Money has come in, whatever became of it later. */
export const moneyCame = (status: PaymentStatus): boolean => !unpaid.has(status)

/** The money is here and stays for now. */
export const moneyIsHere = (status: PaymentStatus): boolean => status === 'succeeded' || status === 'partially_refunded'

/** What the provider's word makes of a payment. */
export function statusFrom(payment: Pick<Payment, 'status' | 'amountMinor'>, view: ProviderView): PaymentStatus {
  if (view.state === 'paid') {
    if (view.dispute === 'lost') return 'charged_back'
    if (view.dispute === 'open') return 'disputed'
    if (view.refundedMinor >= payment.amountMinor) return 'refunded'
    return view.refundedMinor > 0n ? 'partially_refunded' : 'succeeded'
  }
  // Money that came does not un-come: such a word is older than what we know.
  if (moneyCame(payment.status)) return payment.status
  if (view.state === 'failed') return 'failed'
  if (view.state === 'ended') return 'expired'
  return payment.status
}

/** How much of a payment went back. Only a word about money that came can tell it: others are older than what we know. */
export const refundedFrom = ({ refundedMinor }: Pick<Payment, 'refundedMinor'>, view: ProviderView): bigint =>
  view.state === 'paid' ? view.refundedMinor : refundedMinor

/** How many of the credits that a payment bought are the buyer's to keep: they follow the money, rounded down. */
export function creditsKept({
  status,
  credits,
  amountMinor,
  refundedMinor,
}: Pick<Payment, 'status' | 'credits' | 'amountMinor' | 'refundedMinor'>): bigint {
  if (!moneyIsHere(status)) return 0n
  return (credits * (amountMinor - refundedMinor)) / amountMinor
}

/** Money for a period that nobody wanted twice, which a day later is still not on its way back. */
export const isOwedBack = (
  {
    kind,
    status,
    credits,
    refundedMinor,
    paidAt,
  }: Pick<Payment, 'kind' | 'status' | 'credits' | 'refundedMinor' | 'paidAt'>,
  now: Date,
): boolean =>
  kind !== 'credit_purchase' &&
  status === 'succeeded' &&
  credits === 0n &&
  refundedMinor === 0n &&
  paidAt !== null &&
  now.getTime() - paidAt.getTime() > days

/** What the provider says that does not fit what was asked for; such a word changes nothing. */
export function contradictions(
  payment: Pick<Payment, 'id' | 'amountMinor' | 'currency'>,
  view: ProviderView,
  live: boolean,
): string[] {
  return [
    ...(view.reference === payment.id ? [] : ['reference']),
    ...(view.amountMinor === payment.amountMinor ? [] : ['amount']),
    ...(view.currency === payment.currency ? [] : ['currency']),
    ...(view.live === live ? [] : ['mode']),
    ...(view.refundedMinor >= 0n && view.refundedMinor <= payment.amountMinor ? [] : ['refund']),
  ]
}

/** Refunds and disputes come for about this long; card schemes allow 120 days. */
const watchedDays = 120

/**
 * When to ask the provider again, should it never notify us: soon and ever less often while somebody may still pay,
 * daily as long as money may go back.
 */
export function nextLook(payment: Pick<Payment, 'status' | 'looks' | 'paidAt' | 'createdAt'>, now: Date): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (payment.status === 'pending') return after(Math.min(2 ** payment.looks * 2, 60) * minutes)
  // Nobody knows when a dispute ends.
  if (payment.status === 'disputed') return after(days)
  const began = payment.paidAt ?? payment.createdAt
  const watchedMs = moneyCame(payment.status) ? watchedDays * days : 3 * days
  return now.getTime() - began.getTime() > watchedMs ? null : after(moneyCame(payment.status) ? days : days / 4)
}
