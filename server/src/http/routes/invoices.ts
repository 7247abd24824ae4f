import { collectionOperations } from '../../modules/collection/index.ts'
import { documentOperations } from '../../modules/documents/index.ts'
import { createCreditNote, createInvoice, finaliseInvoice, invoiceOperations } from '../../modules/invoices/index.ts'
import { reminderOperations } from '../../modules/reminders/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const invoices = '/i/v1/invoices'

export const invoiceRoutes = {
  list: defineRoute('GET', invoices, 'token', invoiceOperations.listInvoices, {
    summary: 'List invoices and notes',
    description: 'The entries come without their lines. A document must match all filters. `total` is exact.',
  }),
  create: defineRoute('POST', invoices, 'token', createInvoice, {
    summary: 'Create a draft invoice',
    description:
      'Costs what creating one document costs in the price list. A draft that cannot be saved costs nothing.',
  }),
  validate: defineRoute('POST', `${invoices}/validate`, 'token', invoiceOperations.validateInvoice, {
    summary: 'Check a draft without saving it',
    description:
      'Saves nothing and costs nothing. Lists every problem for which the tax authority would refuse the document.',
  }),
  getStatistics: defineRoute('GET', `${invoices}/statistics`, 'token', invoiceOperations.getInvoiceStatistics, {
    summary: 'Get counts and totals of invoices and notes',
  }),
  listUsedCodes: defineRoute('GET', `${invoices}/codes/used`, 'token', invoiceOperations.listUsedCodes, {
    summary: 'List the product and service codes that you use most',
  }),
  get: defineRoute('GET', `${invoices}/{id}`, 'token', invoiceOperations.getInvoice, {
    summary: 'Get an invoice or note with its lines',
  }),
  update: defineRoute('PATCH', `${invoices}/{id}`, 'token', invoiceOperations.updateDraft, {
    summary: 'Change a draft',
    description:
      'Fields that you leave out stay unchanged. Lines that you send replace all lines. Send `If-Match` to avoid overwriting a change of someone else.',
  }),
  delete: defineRoute('DELETE', `${invoices}/{id}`, 'token', invoiceOperations.deleteDraft, {
    summary: 'Delete a draft',
    description: 'The draft cannot be restored, and its number is never used again.',
  }),
  finalise: defineRoute('POST', `${invoices}/{id}/finalise`, 'token', finaliseInvoice, {
    summary: 'Finalise a draft',
    description:
      'Issues the document. Its amounts and a copy of seller and buyer no longer change. Needs no connection to the tax authority.',
  }),
  reopen: defineRoute('POST', `${invoices}/{id}/reopen`, 'token', collectionOperations.reopenInvoice, {
    summary: 'Reopen an invoice as a draft',
    description:
      'Possible for a finalised invoice that was never submitted, sent or shared. Also possible for an invoice that the tax authority rejected and never registered, even if it was sent, shared or paid. The number stays. The invoice date also stays if the document was submitted. When you finalise the invoice again, everyone who received the earlier version by email receives the new one, and a public link shows it.',
  }),
  send: defineRoute('POST', `${invoices}/{id}/send`, 'token', invoiceOperations.sendInvoice, {
    summary: 'Email an invoice with its PDF to the buyer',
    description:
      'At most five times a day to one address. Emails from the sandbox are marked as tests. They go only to verified addresses of members of the organisation. Other addresses receive nothing, but the invoice counts as sent.',
  }),
  remind: defineRoute('POST', `${invoices}/{id}/remind`, 'token', reminderOperations.remindBuyer, {
    summary: 'Remind the buyer of an unpaid invoice',
    description:
      'Emails the invoice again. The text depends on the due date: not due yet, up to a week late, up to a month late, or later. A reminder counts towards the daily limit of `send`. The reminder plan sends nothing to this buyer on the same day. Refused while the invoice is disputed or its payment is promised, and for buyers who get no reminders.',
  }),
  share: defineRoute('POST', `${invoices}/{id}/share`, 'token', invoiceOperations.shareInvoice, {
    summary: 'Create a public link to an invoice',
  }),
  unshare: defineRoute('DELETE', `${invoices}/{id}/share`, 'token', invoiceOperations.unshareInvoice, {
    summary: 'Remove the public link of an invoice',
  }),
  download: defineRoute('GET', `${invoices}/{id}/download`, 'token', documentOperations.downloadInvoice, {
    summary: 'Get a download link to the PDF or UBL of an invoice',
    description: 'The link works for 15 minutes without a token. `sha256` is the hash of the file.',
  }),
  createCreditNote: defineRoute('POST', `${invoices}/{id}/credit-notes`, 'token', createCreditNote, {
    summary: 'Create a draft credit note for an invoice',
    description:
      'Credits lines, an amount with its tax, or the rest of the invoice. Costs what creating one document costs in the price list.',
  }),
  createDebitNote: defineRoute('POST', `${invoices}/{id}/debit-notes`, 'token', invoiceOperations.createDebitNote, {
    summary: 'Create a draft debit note for an invoice',
    description: 'Charges the buyer for more lines. Costs what creating one document costs in the price list.',
  }),
  recordPayment: defineRoute('POST', `${invoices}/{id}/payments`, 'token', invoiceOperations.recordPayment, {
    summary: 'Record a payment of the buyer',
  }),
  listPayments: defineRoute('GET', `${invoices}/{id}/payments`, 'token', invoiceOperations.listInvoicePayments, {
    summary: 'List the payments of an invoice, including reversed ones',
  }),
  reversePayment: defineRoute(
    'DELETE',
    `${invoices}/{id}/payments/{paymentId}`,
    'token',
    invoiceOperations.reversePayment,
    {
      summary: 'Reverse a recorded payment',
    },
  ),
}
