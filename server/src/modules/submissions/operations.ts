/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { readAuthorityCopy } from './asking/authority-copy.ts'
export { queryStatus } from './asking/query-status.ts'
export { verifyReported } from './asking/verify-reported.ts'
export { getReportStatus, getTimeline } from './state/read-status.ts'
export { cancelInvoice } from './submitting/cancel-invoice.ts'
export { createAndSubmit } from './submitting/create-and-submit.ts'
export { retrySubmission } from './submitting/retry-submission.ts'
export { submitInvoice, submitInvoices } from './submitting/submit-invoice.ts'
