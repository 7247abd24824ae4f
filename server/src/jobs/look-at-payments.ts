import { systemCaller } from '../kernel/callers.ts'
import {
  findPaymentsToLookAt,
  locatePayment,
  lookAtPayment,
  lookAtPaymentJob,
  noteNotification,
  settleNotificationJob,
} from '../modules/billing/index.ts'
import { job } from '../platform/jobs.ts'
import { handler } from '../platform/queue.ts'
import type { Runner } from '../platform/runner.ts'

const caller = systemCaller
const origin = { requestId: 'look-at-payments', address: '', userAgent: '' }

type Ref = Parameters<typeof lookAtPayment.intend>[1]

/** Fails when the provider did not answer, so that the queue tries again. */
async function look(runner: Runner, input: Ref): Promise<void> {
  const { answered } = await runner.run(lookAtPayment, { caller, origin, input })
  if (!answered) throw new Error('the provider did not answer')
}

export const lookAtOnePayment = (runner: Runner) => handler(lookAtPaymentJob, (ref) => look(runner, ref))

/** A provider told us something: find out what it is about, and look. */
export const settleNotification = (runner: Runner) =>
  handler(settleNotificationJob, async ({ provider, notificationId, subject }) => {
    const found = await runner.run(locatePayment, { caller, origin, input: { provider, subject } })
    if (found) await look(runner, found)
    const outcome = found ? 'looked' : 'not ours'
    await runner.run(noteNotification, { caller, origin, input: { provider, notificationId, outcome } })
  })

export const sweepPaymentsJob = job<object>('sweep-payments', { maxAttempts: 1 })

/** Finds what was never notified: payments that are due for another look. */
export const sweepPayments = (runner: Runner) =>
  handler(
    sweepPaymentsJob,
    async () => {
      const due = await runner.run(findPaymentsToLookAt, { caller, origin, input: undefined })
      for (const { organisationId, id } of due)
        await runner.run(lookAtPayment, { caller, origin, input: { organisationId, paymentId: id } })
    },
    '* * * * *',
  )
