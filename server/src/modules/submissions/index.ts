export { readAuthorityCopy } from './asking/authority-copy.ts'
export {
  askForFollowUps,
  askToFollowUp,
  findTenantsNamed,
  findToFollowUp,
  followUp,
  followUpJob,
  isMoreToFollowUp,
  markNotifiedDocuments,
} from './asking/follow-up.ts'
export { type QueriedStatus, queryStatus } from './asking/query-status.ts'
export { paymentReports, reportPayment, reportPaymentJob } from './asking/report-payment.ts'
export { type ReportedFacts, verifyReported } from './asking/verify-reported.ts'
export { submissionMetrics } from './queue/figures.ts'
export { startSubmissionQueue } from './queue/queue.ts'
export { getReportStatus, getTimeline, outcomes, type ReportStatus } from './state/read-status.ts'
export { findTenantsToStamp, stampDocuments } from './state/stamps.ts'
export type { Attempt } from './state/submission.ts'
export { countUnknown, findLink } from './state/submissions.store.ts'
export { cancelInvoice } from './submitting/cancel-invoice.ts'
export { createAndSubmit } from './submitting/create-and-submit.ts'
export { retrySubmission } from './submitting/retry-submission.ts'
export { type BatchResult, submitInvoice, submitInvoices } from './submitting/submit-invoice.ts'
