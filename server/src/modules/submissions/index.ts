export { readAuthorityCopy } from './authority-copy.ts'
export { cancelInvoice } from './cancel-invoice.ts'
export { createAndSubmit } from './create-and-submit.ts'
export { submissionMetrics } from './figures.ts'
export {
  askForFollowUps,
  askToFollowUp,
  findTenantsNamed,
  findToFollowUp,
  followUp,
  followUpJob,
  isMoreToFollowUp,
  markNotifiedDocuments,
} from './follow-up.ts'
export { findTenantsToStamp, stampDocuments } from './qr-codes.ts'
export { type QueriedStatus, queryStatus } from './query-status.ts'
export { startSubmissionQueue } from './queue.ts'
export { getReportStatus, getTimeline, outcomes, type ReportStatus } from './read-status.ts'
export { paymentReports, reportPayment, reportPaymentJob } from './report-payment.ts'
export { retrySubmission } from './retry-submission.ts'
export type { Attempt } from './submission.ts'
export { countUnknown, findLink } from './submissions.store.ts'
export { type BatchResult, submitInvoice, submitInvoices } from './submit-invoice.ts'
export { type ReportedFacts, verifyReported } from './verify-reported.ts'
