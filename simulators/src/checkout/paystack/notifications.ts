import { createHmac } from 'node:crypto'
import type { NotificationRecord } from '../notifier.ts'
import type { Payment, PaymentEvent, Refund } from '../payment.ts'
import { type Domain, disputeObject, transactionObject } from './objects.ts'

/** What Paystack posts to the merchant about it, signed with the secret key. */
export function paystackNotifications(
  payment: Payment,
  happening: PaymentEvent,
  { key, domain }: { readonly key: string; readonly domain: Domain },
): NotificationRecord[] {
  return eventsOf(payment, happening, domain).map(([type, data]) => {
    const body = JSON.stringify({ event: type, data })
    const signature = createHmac('sha512', key).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
    return { provider: 'paystack', type, body, headers }
  })
}

function eventsOf(payment: Payment, happening: PaymentEvent, domain: Domain): [string, unknown][] {
  switch (happening.kind) {
    case 'paid':
      return [['charge.success', transactionObject(payment, domain)]]
    case 'failed':
      return [['charge.failed', transactionObject(payment, domain)]]
    case 'refunded':
      return ['pending', 'processed'].map((status) => [
        `refund.${status}`,
        refundNews(payment, happening.refund, status, domain),
      ])
    case 'dispute_opened':
      return [['charge.dispute.create', disputeObject(payment, domain)]]
    case 'dispute_closed':
      return [['charge.dispute.resolve', disputeObject(payment, domain)]]
    case 'expired':
      return []
  }
}

/** The notification differs from the listed object: its amount is text. */
const refundNews = (payment: Payment, refund: Refund, status: string, domain: Domain): object => ({
  id: refund.number,
  status,
  transaction_reference: payment.reference,
  refund_reference: `TRF_${refund.key}`,
  amount: String(refund.amount),
  currency: payment.currency,
  processor: 'simulator',
  customer: { email: payment.email ?? null, first_name: null, last_name: null },
  domain,
})
