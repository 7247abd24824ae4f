import {
  cancelInvoice,
  createAndSubmit,
  getReportStatus,
  getTimeline,
  queryStatus,
  readAuthorityCopy,
  retrySubmission,
  submitInvoice,
  submitInvoices,
} from '../../modules/submissions/index.ts'
import { endpoint } from '../endpoint.ts'

const invoices = '/i/v1/invoices'

export const submissionEndpoints = {
  submitBatch: endpoint('POST', `${invoices}/batch-submit`, 'both', submitInvoices, {
    summary: 'Submit up to 100 invoices',
    description:
      'Each has its own charge and its own outcome: what one is refused for does not concern the others. Counts as one request.',
  }),
  createAndSubmit: endpoint('POST', `${invoices}/create-and-submit`, 'both', createAndSubmit, {
    summary: 'Create, finalise and submit an invoice',
    description: 'Where it cannot be submitted the draft is kept, and `submitRefusal` says why.',
  }),
  submit: endpoint('POST', `${invoices}/{id}/submit`, 'both', submitInvoice, {
    summary: 'Report a finalised invoice to the tax authority',
    description:
      'Queues it with the exact document that is sent. Credits are set aside, taken when the authority accepts it, and free again when it refuses. In live mode it cannot be undone.',
  }),
  retry: endpoint('POST', `${invoices}/{id}/retry`, 'both', retrySubmission, {
    summary: 'Ask for another round of attempts after the submission failed',
    description:
      'At most five times. What may have arrived is looked up first, and never sent again before that. Costs nothing more.',
  }),
  cancel: endpoint('POST', `${invoices}/{id}/cancel`, 'both', cancelInvoice, {
    summary: 'Take back an accepted invoice',
    description:
      'Creates, finalises and submits a credit note of all that is left on it, charged as such. The invoice is cancelled when the authority accepts that, and accepted again when it refuses.',
  }),
  getStatus: endpoint('GET', `${invoices}/{id}/status`, 'both', getReportStatus, {
    summary: 'Where an invoice stands',
    description: 'Cheap enough to be polled. Says honestly when nobody knows whether the tax authority has it.',
  }),
  queryStatus: endpoint('POST', `${invoices}/{id}/query-status`, 'both', queryStatus, {
    summary: 'Ask the tax authority itself how an invoice stands',
    description: 'Slower. What it says is kept.',
  }),
  getTimeline: endpoint('GET', `${invoices}/{id}/timeline`, 'both', getTimeline, {
    summary: 'Everything that was asked of the tax authority about an invoice',
    description:
      'Every attempt with its time, the hash of what was sent, the answer, and who or what brought it about.',
  }),
  readAuthorityCopy: endpoint('GET', `${invoices}/{id}/authority-copy`, 'both', readAuthorityCopy, {
    summary: 'The document as the tax authority has it',
    description: 'Fetched from there and opened.',
  }),
}
