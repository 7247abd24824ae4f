import type { Caller } from '../../../kernel/callers.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import { turnOfReference } from '../../../platform/jobs/turns.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import type { PaymentRef } from './ask-to-look.ts'
import type { Notification, ProviderName } from './checkout-provider.ts'
import { insertNotification, saveNotificationOutcome } from './notifications.store.ts'
import { findPaymentOfProvider } from './payments.store.ts'

export interface NotificationRef {
  readonly provider: ProviderName
  readonly notificationId: string
  readonly subject: string
}

export const settleNotificationJob = job<NotificationRef>('settle-notification', 'money')

/** Stores a notification once, before any work is done for it. The caller has checked its signature. */
export const receiveNotification = operation(
  { time: 'real', needs: [], refuses: [] },
  async (
    { tx, now, enqueue }: Inside<Caller>,
    { provider, notification }: { provider: ProviderName; notification: Notification },
  ) => {
    const kept = await insertNotification(tx, provider, notification, now)
    const { id, subject } = notification
    if (!kept) return 'repeated' as const
    if (subject === undefined) {
      await saveNotificationOutcome(tx, provider, id, 'ignored', now)
      return 'ignored' as const
    }
    const turn = kept.organisationId ?? turnOfReference(subject)
    enqueue(settleNotificationJob, { provider, notificationId: id, subject }, { turn })
    return 'stored' as const
  },
)

/** Finds the payment of a notification by the name that we know, or else asks the provider. */
export const locatePayment = reading(
  { time: 'real', needs: [], refuses: [] },
  async (
    { db, ports }: Outside<Caller>,
    { provider, subject }: Pick<NotificationRef, 'provider' | 'subject'>,
  ): Promise<PaymentRef | undefined> => {
    const known = await findPaymentOfProvider(db, provider, subject)
    if (known) return { organisationId: known.organisationId, paymentId: known.id }
    const view = await ports.checkoutProviders.named(provider)?.look(subject, AbortSignal.timeout(20_000))
    const named = view && (await findPaymentOfProvider(db, provider, view.reference))
    return named && { organisationId: named.organisationId, paymentId: named.id, subject }
  },
)

export const noteNotification = operation(
  { time: 'real', needs: [], refuses: [] },
  async (
    { tx, now }: Inside<Caller>,
    { provider, notificationId, outcome }: Omit<NotificationRef, 'subject'> & { outcome: string },
  ) => saveNotificationOutcome(tx, provider, notificationId, outcome, now),
)
