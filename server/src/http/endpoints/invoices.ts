import { reopenInvoice } from '../../modules/collection/index.ts'
import { downloadInvoice } from '../../modules/documents/index.ts'
import {
  createCreditNote,
  createDebitNote,
  createInvoice,
  deleteDraft,
  finaliseInvoice,
  getInvoice,
  getInvoiceStatistics,
  listInvoicePayments,
  listInvoices,
  listUsedCodes,
  recordPayment,
  remindBuyer,
  reversePayment,
  sendInvoice,
  shareInvoice,
  unshareInvoice,
  updateDraft,
  validateInvoice,
} from '../../modules/invoices/index.ts'
import { endpoint } from '../endpoint.ts'

const invoices = '/i/v1/invoices'

export const invoiceEndpoints = {
  list: endpoint('GET', invoices, 'both', listInvoices, {
    summary: 'List invoices and notes',
    description: 'The entries come without their lines. A document must match all filters. `total` is exact.',
  }),
  create: endpoint('POST', invoices, 'both', createInvoice, {
    summary: 'Create a draft invoice',
    description: 'Costs the credits of one creation. A draft that cannot be saved costs nothing.',
  }),
  validate: endpoint('POST', `${invoices}/validate`, 'both', validateInvoice, {
    summary: 'Check a draft without saving it',
    description:
      'Saves nothing and costs nothing. Lists every problem for which the tax authority would refuse the document.',
  }),
  getStatistics: endpoint('GET', `${invoices}/statistics`, 'both', getInvoiceStatistics, {
    summary: 'Get counts and totals of invoices and notes',
  }),
  listUsedCodes: endpoint('GET', `${invoices}/codes/used`, 'both', listUsedCodes, {
    summary: 'List the product and service codes that you use most',
  }),
  get: endpoint('GET', `${invoices}/{id}`, 'both', getInvoice, { summary: 'Get an invoice or note with its lines' }),
  update: endpoint('PATCH', `${invoices}/{id}`, 'both', updateDraft, {
    summary: 'Change a draft',
    description:
      'Fields that you leave out stay unchanged. Lines that you send replace all lines. Send `If-Match` to avoid overwriting a change of someone else.',
  }),
  delete: endpoint('DELETE', `${invoices}/{id}`, 'both', deleteDraft, {
    summary: 'Delete a draft',
    description: 'The draft cannot be restored, and its number is never used again.',
  }),
  finalise: endpoint('POST', `${invoices}/{id}/finalise`, 'both', finaliseInvoice, {
    summary: 'Finalise a draft',
    description:
      'Issues the document. Its amounts and a copy of seller and buyer no longer change. Needs no connection to the tax authority.',
  }),
  reopen: endpoint('POST', `${invoices}/{id}/reopen`, 'both', reopenInvoice, {
    summary: 'Reopen an invoice as a draft',
    description:
      'Possible for a finalised invoice that was never submitted, sent or shared. Also possible for an invoice that the tax authority rejected and never registered, even if it was sent, shared or paid. The number stays. The invoice date also stays if the document was submitted. When you finalise the invoice again, everyone who received the earlier version by email receives the new one, and a public link shows it.',
  }),
  send: endpoint('POST', `${invoices}/{id}/send`, 'both', sendInvoice, {
    summary: 'Email an invoice with its PDF to the buyer',
    description:
      'At most five times a day to one address. Emails from the sandbox are marked as tests. They go only to verified addresses of members of the organisation. Other addresses receive nothing, but the invoice counts as sent.',
  }),
  remind: endpoint('POST', `${invoices}/{id}/remind`, 'both', remindBuyer, {
    summary: 'Remind the buyer of an unpaid invoice',
    description:
      'Emails the invoice again. The text depends on the due date: not due yet, up to a week late, up to a month late, or later. A reminder counts towards the daily limit of `send`.',
  }),
  share: endpoint('POST', `${invoices}/{id}/share`, 'both', shareInvoice, {
    summary: 'Create a public link to an invoice',
  }),
  unshare: endpoint('DELETE', `${invoices}/{id}/share`, 'both', unshareInvoice, {
    summary: 'Remove the public link of an invoice',
  }),
  download: endpoint('GET', `${invoices}/{id}/download`, 'both', downloadInvoice, {
    summary: 'Get a download link to the PDF or UBL of an invoice',
    description: 'The link works for 15 minutes without a token. `sha256` is the hash of the file.',
  }),
  createCreditNote: endpoint('POST', `${invoices}/{id}/credit-notes`, 'both', createCreditNote, {
    summary: 'Create a draft credit note for an invoice',
    description:
      'Credits lines, an amount with its tax, or the rest of the invoice. Costs the credits of one creation.',
  }),
  createDebitNote: endpoint('POST', `${invoices}/{id}/debit-notes`, 'both', createDebitNote, {
    summary: 'Create a draft debit note for an invoice',
    description: 'Charges the buyer for more lines. Costs the credits of one creation.',
  }),
  recordPayment: endpoint('POST', `${invoices}/{id}/payments`, 'both', recordPayment, {
    summary: 'Record a payment of the buyer',
  }),
  listPayments: endpoint('GET', `${invoices}/{id}/payments`, 'both', listInvoicePayments, {
    summary: 'List the payments of an invoice, including reversed ones',
  }),
  reversePayment: endpoint('DELETE', `${invoices}/{id}/payments/{paymentId}`, 'both', reversePayment, {
    summary: 'Reverse a recorded payment',
  }),
}
