import { systemCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { handler } from '../../../platform/background/handlers.ts'
import type { Runner } from '../../../platform/operations/runner.ts'
import { reportPayment, reportPaymentJob } from './report-payment.ts'

const origin = { requestId: 'tell-payment', address: '', userAgent: '' }

/** Sends the payment status to the authority. Fails while the authority does not answer, so that the queue retries. */
export const reportPaymentHandler = (runner: Runner) =>
  handler(reportPaymentJob, async (input) => {
    try {
      const outcome = await runner.run(reportPayment, { caller: systemCaller, origin, input })
      if (outcome === 'later') throw new Error('the authority did not answer')
    } catch (error) {
      // The authority has the status already, or does not have the document yet.
      if (!(error instanceof Refusal && error.refusal === 'resource.not_found')) throw error
    }
  })
