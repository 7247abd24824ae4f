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
    summary: 'Invoices and notes, without their lines',
    description: 'Every filter narrows the list further. `total` is exact.',
  }),
  create: endpoint('POST', invoices, 'both', createInvoice, {
    summary: 'Create a draft',
    description: 'Charged as one creation. A draft that cannot be saved costs nothing.',
  }),
  validate: endpoint('POST', `${invoices}/validate`, 'both', validateInvoice, {
    summary: 'What would become of a draft',
    description: 'Saves and charges nothing. Lists everything that the tax authority would refuse.',
  }),
  getStatistics: endpoint('GET', `${invoices}/statistics`, 'both', getInvoiceStatistics, {
    summary: 'How many documents there are in each status, and what they come to',
  }),
  listUsedCodes: endpoint('GET', `${invoices}/codes/used`, 'both', listUsedCodes, {
    summary: 'Product and service codes on your invoices, most used first',
  }),
  get: endpoint('GET', `${invoices}/{id}`, 'both', getInvoice, { summary: 'An invoice or note with its lines' }),
  update: endpoint('PATCH', `${invoices}/{id}`, 'both', updateDraft, {
    summary: 'Change a draft',
    description:
      'What is absent stays. Lines that are sent replace every line. `If-Match` guards against lost changes.',
  }),
  delete: endpoint('DELETE', `${invoices}/{id}`, 'both', deleteDraft, {
    summary: 'Delete a draft',
    description: 'For good. Its number is never given again.',
  }),
  finalise: endpoint('POST', `${invoices}/{id}/finalise`, 'both', finaliseInvoice, {
    summary: 'Issue a draft',
    description: 'Freezes its amounts and a copy of seller and buyer. Needs no connection to the tax authority.',
  }),
  reopen: endpoint('POST', `${invoices}/{id}/reopen`, 'both', reopenInvoice, {
    summary: 'Make an invoice a draft again',
    description:
      'Possible for a finalised invoice that was never submitted, sent or shared, and for an invoice that the tax authority rejected before it was registered, whatever was sent, shared or paid before. The number stays; the invoice date stays, too, once the document was submitted. Whoever was mailed the earlier version is mailed the new one when it is finalised, and a share link shows it.',
  }),
  send: endpoint('POST', `${invoices}/{id}/send`, 'both', sendInvoice, {
    summary: 'Mail an invoice to its buyer, with its PDF',
    description:
      'Five times a day to one address. From the sandbox it is marked as a test and reaches only members of the organisation, by their verified addresses; for others it is noted as sent, and nothing is mailed.',
  }),
  remind: endpoint('POST', `${invoices}/{id}/remind`, 'both', remindBuyer, {
    summary: 'Remind the buyer of what is still to be paid',
    description:
      'The invoice is mailed again with words that go by how late it is: before its due date, in the first week after it, in the first month, and later. It counts as sending.',
  }),
  share: endpoint('POST', `${invoices}/{id}/share`, 'both', shareInvoice, {
    summary: 'Make a link to a public page of the invoice',
  }),
  unshare: endpoint('DELETE', `${invoices}/{id}/share`, 'both', unshareInvoice, { summary: 'End the public link' }),
  download: endpoint('GET', `${invoices}/{id}/download`, 'both', downloadInvoice, {
    summary: 'A link to the PDF or the UBL of an invoice',
    description: 'The link works for 15 minutes without a token. `sha256` is the fingerprint of what it gives.',
  }),
  createCreditNote: endpoint('POST', `${invoices}/{id}/credit-notes`, 'both', createCreditNote, {
    summary: 'Draft a credit note against an invoice',
    description: 'Of lines, of an amount with its tax, or of all that is left to credit. Charged as one creation.',
  }),
  createDebitNote: endpoint('POST', `${invoices}/{id}/debit-notes`, 'both', createDebitNote, {
    summary: 'Draft a debit note against an invoice',
    description: 'Charged as one creation.',
  }),
  recordPayment: endpoint('POST', `${invoices}/{id}/payments`, 'both', recordPayment, {
    summary: 'Record what a buyer paid',
  }),
  listPayments: endpoint('GET', `${invoices}/{id}/payments`, 'both', listInvoicePayments, {
    summary: 'Payments that were recorded, reversed ones included',
  }),
  reversePayment: endpoint('DELETE', `${invoices}/{id}/payments/{paymentId}`, 'both', reversePayment, {
    summary: 'Reverse a recorded payment',
  }),
}
