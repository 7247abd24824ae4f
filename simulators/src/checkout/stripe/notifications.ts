import { createHmac, randomBytes } from 'node:crypto'
import type { NotificationRecord } from '../notifier.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import type { StripeObjects } from './objects.ts'

interface Settings {
  readonly webhookSecret: string
  readonly live: boolean
  readonly objects: StripeObjects
  now(): Date
}

/** What Stripe posts to the merchant about it, signed with the secret of the endpoint. */
export function stripeNotifications(
  payment: Payment,
  happening: PaymentEvent,
  settings: Settings,
): NotificationRecord[] {
  const { live, now, objects, webhookSecret } = settings
  return eventsOf(payment, happening, objects).map(([type, object]) => {
    const body = JSON.stringify({
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      api_version: null,
      created: Math.floor(now().getTime() / 1000),
      data: { object },
      livemode: live,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    })
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': sign(body, webhookSecret) }
    return { provider: 'stripe', type, body, headers }
  })
}

/** With the real time, whatever the simulator's clock says: merchants compare it with their own. */
function sign(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000)
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

function eventsOf(payment: Payment, { kind }: PaymentEvent, objects: StripeObjects): [string, unknown][] {
  switch (kind) {
    case 'paid':
      return [
        ...(payment.origin === 'page'
          ? [['checkout.session.completed', objects.session(payment)] as [string, object]]
          : []),
        ['payment_intent.succeeded', objects.intent(payment)],
      ]
    case 'failed':
      return [['payment_intent.payment_failed', objects.intent(payment)]]
    case 'expired':
      return [['checkout.session.expired', objects.session(payment)]]
    case 'refunded':
      return [['charge.refunded', objects.charge(payment)]]
    case 'dispute_opened':
      return [['charge.dispute.created', objects.dispute(payment)]]
    case 'dispute_closed':
      return [['charge.dispute.closed', objects.dispute(payment)]]
  }
}
