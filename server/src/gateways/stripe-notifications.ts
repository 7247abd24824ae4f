import Stripe from 'stripe'
import type { Notification } from '../modules/billing/index.ts'
import { idOf, readEvent } from './stripe-answers.ts'

/** Older ones are replays. Stripe signs anew at every attempt, so a late delivery is not an old one. */
const toleranceSeconds = 300

export function readStripeNotification(
  webhookSecret: string,
  body: Buffer,
  headers: Readonly<Record<string, unknown>>,
): Notification | undefined {
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
  // Disputes are among them: `charge.dispute.created`.
  if (/^(charge|refund)\./.test(type)) return idOf(object.payment_intent)
  return undefined
}
