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
  /** The provider's own identifier. Null until the provider has answered. */
  readonly handle: string | null
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly refundedMinor: bigint
  readonly description: string
  readonly email: string
  readonly packageId: string | null
  readonly subscriptionId: SubscriptionId | null
  /** Number of the subscription period that it pays. Null for packages. */
  readonly period: number | null
  /** Credits that it has bought so far. */
  readonly credits: bigint
  /** Credits that the ledger has granted for it. */
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

/** Whether money arrived, even if it went back later. */
export const moneyCame = (status: PaymentStatus): boolean => !unpaid.has(status)

/** Whether money arrived and is neither disputed nor fully refunded. */
export const moneyIsHere = (status: PaymentStatus): boolean => status === 'succeeded' || status === 'partially_refunded'

/** The status that follows from the provider's view. */
export function statusFrom(payment: Pick<Payment, 'status' | 'amountMinor'>, view: ProviderView): PaymentStatus {
  if (view.state === 'paid') {
    if (view.dispute === 'lost') return 'charged_back'
    if (view.dispute === 'open') return 'disputed'
    if (view.refundedMinor >= payment.amountMinor) return 'refunded'
    return view.refundedMinor > 0n ? 'partially_refunded' : 'succeeded'
  }
  // A payment never becomes unpaid again: such a view is older than our record.
  if (moneyCame(payment.status)) return payment.status
  if (view.state === 'failed') return 'failed'
  if (view.state === 'ended') return 'expired'
  return payment.status
}

/** Only a paid view reports refunds. Any other view is older than our record. */
export const refundedFrom = ({ refundedMinor }: Pick<Payment, 'refundedMinor'>, view: ProviderView): bigint =>
  view.state === 'paid' ? view.refundedMinor : refundedMinor

/** Credits that the buyer keeps: proportional to the money that stayed, rounded down. */
export function creditsKept({
  status,
  credits,
  amountMinor,
  refundedMinor,
}: Pick<Payment, 'status' | 'credits' | 'amountMinor' | 'refundedMinor'>): bigint {
  if (!moneyIsHere(status)) return 0n
  return (credits * (amountMinor - refundedMinor)) / amountMinor
}

/** A period was paid twice, and a day later the extra money is still not on its way back. */
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

/** Where the provider's view contradicts our order. Such a view changes nothing. */
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

/** Card schemes allow disputes for 120 days, so we watch for refunds and disputes that long. */
const watchedDays = 120

/**
 * When to ask the provider again if no notification arrives: at growing intervals while a person may still pay, daily
 * while money may go back.
 */
export function nextLook(payment: Pick<Payment, 'status' | 'looks' | 'paidAt' | 'createdAt'>, now: Date): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (payment.status === 'pending') return after(Math.min(2 ** payment.looks * 2, 60) * minutes)
  // A dispute has no known end.
  if (payment.status === 'disputed') return after(days)
  const began = payment.paidAt ?? payment.createdAt
  const watchedMs = moneyCame(payment.status) ? watchedDays * days : 3 * days
  return now.getTime() - began.getTime() > watchedMs ? null : after(moneyCame(payment.status) ? days : days / 4)
}
