import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { followUpEverybody, followUpForTenant } from './asking/follow-up-jobs.ts'
import { queryStatus } from './asking/query-status.ts'
import { paymentReports, reportPayment } from './asking/report-payment.ts'
import { reportPaymentHandler } from './asking/report-payment-job.ts'
import { submissionMetrics } from './queue/figures.ts'
import { isSubmitting } from './queue/queue.store.ts'
import { startSubmissionQueue } from './queue/queue.ts'
import { stampRegisteredInvoices } from './state/stamp-invoices.ts'

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [
    reportPaymentHandler(runner),
    followUpEverybody(runner),
    followUpForTenant(runtime, runner),
    stampRegisteredInvoices(runtime, runner),
  ],
  consumers: [paymentReports],
  inProgress: isSubmitting,
  exchanges: [queryStatus, reportPayment],
  queues: [
    {
      name: 'submissions',
      wakesWith: 'authority',
      // Four for claims (`claimsAtOnce`) and six for writing answers (`writers`).
      connections: 10,
      start: startSubmissionQueue,
    },
  ],
  metrics: ({ db, ports }) =>
    submissionMetrics(
      db,
      ports.jurisdictions.all.map(({ country }) => country),
    ),
}
