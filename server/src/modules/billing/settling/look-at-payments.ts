import { systemCaller } from '../../../kernel/callers.ts'
import { everyMinutes, handler, scheduled } from '../../../platform/background/handlers.ts'
import { walk } from '../../../platform/background/walk.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { lookAtPaymentJob } from '../payments/ask-to-look.ts'
import type { PaymentToLookAt } from '../payments/payments.store.ts'
import { locatePayment, noteNotification, settleNotificationJob } from '../payments/receive-notification.ts'
import { findPaymentsToLookAt, lookAtPayment } from './look-at-payment.ts'

const caller = systemCaller
const origin = { requestId: 'look-at-payments', address: '', userAgent: '' }

type Ref = Parameters<typeof lookAtPayment.intend>[1]

/** Fails if the provider did not answer, so that the queue retries. */
async function look(runner: Runner, input: Ref): Promise<void> {
  const { answered } = await runner.run(lookAtPayment, { caller, origin, input })
  if (!answered) throw new Error('the provider did not answer')
}

export const lookAtOnePayment = (runner: Runner) => handler(lookAtPaymentJob, (ref) => look(runner, ref))

/** After a provider's notification: finds the payment and asks the provider. */
export const settleNotification = (runner: Runner) =>
  handler(settleNotificationJob, async ({ provider, notificationId, subject }) => {
    const found = await runner.run(locatePayment, { caller, origin, input: { provider, subject } })
    if (found) await look(runner, found)
    const outcome = found ? 'looked' : 'not ours'
    await runner.run(noteNotification, { caller, origin, input: { provider, notificationId, outcome } })
  })

/** A sweep ends before the next one is due; the rest comes first then. */
const sweepMs = 50_000

/** Finds due payments without a notification. A failing one does not stop the others. */
export const sweepPayments = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-payments', everyMinutes(1), async () => {
    await walk(runtime, {
      problem: 'payment.not_looked_at',
      findAfter: (last: PaymentToLookAt | undefined) =>
        runner.run(findPaymentsToLookAt, { caller, origin, input: last }),
      work: ({ organisationId, id }) =>
        runner.run(lookAtPayment, { caller, origin, input: { organisationId, paymentId: id } }),
      forMs: sweepMs,
    })
  })
