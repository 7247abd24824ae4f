import { systemCaller } from '../kernel/callers.ts'
import { mailInvoice, mailInvoiceJob } from '../modules/documents/index.ts'
import { handler } from '../platform/background/handlers.ts'
import type { Runner } from '../platform/operations/runner.ts'

const origin = { requestId: 'mail-invoice', address: '', userAgent: '' }

/** Writes the mail for an invoice that was sent to its buyer. */
export const mailSentInvoice = (runner: Runner) =>
  handler(mailInvoiceJob, async (notice) => {
    await runner.run(mailInvoice, { caller: systemCaller, origin, input: notice })
  })
