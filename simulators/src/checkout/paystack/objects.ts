import { createHash } from 'node:crypto'
import { type Card, type Payment, type Refund, refundedAmount } from '../payment.ts'

/** `live` or `test`: by the key, as at Paystack. */
export type Domain = 'live' | 'test'

const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())
const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 15)

export const authorizationCode = (card: Pick<Card, 'key'>): string => `AUTH_${card.key.slice(0, 12)}`

/** 1.5 %, and ₦100 from ₦2,500 on, never more than ₦2,000. */
const feesOf = (amount: number): number =>
  Math.min(Math.ceil(amount * 0.015) + (amount < 250_000 ? 0 : 10_000), 200_000)

function statusOf(payment: Payment): string {
  // one that was only started counts as abandoned already
  if (payment.state !== 'paid') return payment.state === 'failed' ? 'failed' : 'abandoned'
  const takenBack = refundedAmount(payment) === payment.amount || payment.dispute?.state === 'lost'
  return takenBack ? 'reversed' : 'success'
}

const gatewayResponses: Record<Payment['state'], string> = {
  open: 'The transaction was not completed',
  expired: 'The transaction was not completed',
  failed: 'Declined',
  paid: 'Successful',
}

const customerOf = ({ email = '' }: Payment): object => ({
  id: Number.parseInt(short(email).slice(0, 7), 16),
  first_name: null,
  last_name: null,
  email,
  customer_code: `CUS_${short(email)}`,
  phone: null,
  metadata: null,
  risk_action: 'default',
})

const authorizationOf = (card: string, key: string): object => ({
  authorization_code: authorizationCode({ key: card }),
  bin: '408408',
  last4: '4081',
  exp_month: '12',
  exp_year: '2035',
  channel: 'card',
  card_type: 'visa',
  bank: 'TEST BANK',
  country_code: 'NG',
  brand: 'visa',
  reusable: true,
  signature: `SIG_${short(key)}`,
  account_name: null,
})

export function transactionObject(payment: Payment, domain: Domain): object {
  const paid = payment.state === 'paid'
  return {
    id: payment.number,
    domain,
    status: statusOf(payment),
    reference: payment.reference,
    receipt_number: null,
    amount: payment.amount,
    requested_amount: payment.amount,
    message: payment.state === 'failed' ? 'Declined' : null,
    gateway_response: gatewayResponses[payment.state],
    channel: 'card',
    currency: payment.currency,
    ip_address: '127.0.0.1',
    fees: paid ? feesOf(payment.amount) : null,
    created_at: iso(payment.createdAt),
    paid_at: iso(payment.paidAt),
    // an empty text where nothing was given, as at Paystack
    metadata: Object.keys(payment.metadata).length === 0 ? '' : payment.metadata,
    customer: customerOf(payment),
    authorization: paid && payment.card ? authorizationOf(payment.card, payment.key) : {},
    plan: null,
  }
}

export function refundObject(payment: Payment, refund: Refund, domain: Domain, status = 'processed'): object {
  return {
    id: refund.number,
    domain,
    transaction: payment.number,
    transaction_reference: payment.reference,
    dispute: null,
    amount: refund.amount,
    deducted_amount: status === 'processed' ? refund.amount : 0,
    fully_deducted: status === 'processed',
    currency: payment.currency,
    channel: null,
    status,
    merchant_note: refund.merchantNote ?? `Refund for transaction ${payment.reference}`,
    customer_note: refund.customerNote ?? `Refund for transaction ${payment.reference}`,
    createdAt: iso(refund.createdAt),
  }
}

/** The merchant who declines the claim wins; accepting it loses the money. */
const resolutions = { open: null, won: 'declined', lost: 'merchant-accepted' } as const

export function disputeObject(payment: Payment, domain: Domain): object | undefined {
  const { dispute } = payment
  if (dispute === undefined) return undefined
  return {
    id: dispute.number,
    domain,
    refund_amount: payment.amount,
    currency: payment.currency,
    status: dispute.state === 'open' ? 'awaiting-merchant-feedback' : 'resolved',
    resolution: resolutions[dispute.state],
    category: 'chargeback',
    transaction: transactionObject(payment, domain),
    customer: customerOf(payment),
    createdAt: iso(dispute.createdAt),
  }
}
