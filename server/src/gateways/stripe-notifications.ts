import Stripe from 'stripe'
import type { checkoutPort } from '../modules/billing/index.ts'
import { idOf, readEvent } from './stripe-answers.ts'

/** Older signatures are replays. Stripe signs every attempt again, so a late delivery has a fresh signature. */
const toleranceSeconds = 300

export function readStripeNotification(
  webhookSecret: string,
  body: Buffer,
  headers: Readonly<Record<string, unknown>>,
): checkoutPort.Notification | undefined {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') return undefined
  try {
    const event = readEvent(Stripe.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds))
    return { id: event.id, type: event.type, subject: subjectOf(event) }
  } catch {
    return undefined
  }
}

function subjectOf({ type, data: { object } }: ReturnType<typeof readEvent>): string | undefined {
  if (/^(checkout\.session|payment_intent)\./.test(type)) return object.id ?? undefined
  // This includes disputes: `charge.dispute.created`.
  if (/^(charge|refund)\./.test(type)) return idOf(object.payment_intent)
  return undefined
}
