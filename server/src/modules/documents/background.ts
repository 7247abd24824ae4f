import { systemCaller } from '../../kernel/callers.ts'
import { consumerFor, handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { mailInvoice, mailInvoiceJob } from './mail-invoice.ts'

const origin = { requestId: 'mail-invoice', address: '', userAgent: '' }

/** Writes the mail for an invoice that was sent to its buyer. */
const mailSentInvoice = (runner: Runner) =>
  handler(mailInvoiceJob, async (notice) => {
    await runner.run(mailInvoice, { caller: systemCaller, origin, input: notice })
  })

export const background: ModuleBackground = {
  jobs: (_, runner) => [mailSentInvoice(runner)],
  consumers: [consumerFor(mailInvoiceJob)],
}
