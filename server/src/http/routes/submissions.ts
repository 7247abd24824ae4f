import { submissionOperations } from '../../modules/submissions/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const invoices = '/i/v1/invoices'

export const submissionRoutes = {
  submitBatch: defineRoute('POST', `${invoices}/batch-submit`, 'token', submissionOperations.submitInvoices, {
    summary: 'Submit up to 100 invoices',
    description:
      'Each invoice has its own charge and its own result. A refused invoice does not affect the others. The call counts as one request.',
  }),
  createAndSubmit: defineRoute('POST', `${invoices}/create-and-submit`, 'token', submissionOperations.createAndSubmit, {
    summary: 'Create, finalise and submit an invoice',
    description: 'If the invoice cannot be submitted, it stays as it is, and `submitRefusal` gives the reason.',
  }),
  submit: defineRoute('POST', `${invoices}/{id}/submit`, 'token', submissionOperations.submitInvoice, {
    summary: 'Submit a finalised invoice to the tax authority',
    description:
      'Queues the exact document that will be sent. Credits are held, captured when the tax authority accepts the document, and released when it rejects it. A live submission cannot be undone.',
  }),
  retry: defineRoute('POST', `${invoices}/{id}/retry`, 'token', submissionOperations.retrySubmission, {
    summary: 'Retry a failed submission',
    description:
      'Starts another round of attempts, at most five times. If the document may have arrived, it is looked up before it is sent again. Costs no further credits.',
  }),
  cancel: defineRoute('POST', `${invoices}/{id}/cancel`, 'token', submissionOperations.cancelInvoice, {
    summary: 'Cancel an accepted invoice',
    description:
      'Creates, finalises and submits a credit note for the rest of the invoice, at the usual price. The invoice becomes cancelled when the tax authority accepts the note, and accepted again when it rejects the note.',
  }),
  getStatus: defineRoute('GET', `${invoices}/{id}/status`, 'token', submissionOperations.getReportStatus, {
    summary: 'Get the status of an invoice',
    description:
      'Fast enough for polling. The outcome is `unknown` while it is unclear whether the tax authority has the document.',
  }),
  queryStatus: defineRoute('POST', `${invoices}/{id}/query-status`, 'token', submissionOperations.queryStatus, {
    summary: 'Query the tax authority for the status of an invoice',
    description: 'Slower than reading the status. The answer of the tax authority updates the invoice.',
  }),
  getTimeline: defineRoute('GET', `${invoices}/{id}/timeline`, 'token', submissionOperations.getTimeline, {
    summary: 'Get all requests to the tax authority about an invoice',
    description: 'Each attempt has its time, the hash of the sent document, the answer and its cause.',
  }),
  readAuthorityCopy: defineRoute(
    'GET',
    `${invoices}/{id}/authority-copy`,
    'token',
    submissionOperations.readAuthorityCopy,
    {
      summary: 'Get the copy of a document that the tax authority has',
      description: 'The copy is downloaded from the tax authority and decrypted.',
    },
  ),
}
