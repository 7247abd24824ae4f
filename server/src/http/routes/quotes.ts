import { quoteOperations } from '../../modules/quotes/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const quotes = '/i/v1/quotes'

export const quoteRoutes = {
  list: defineRoute('GET', quotes, 'token', quoteOperations.listOwnQuotes, {
    summary: 'List quotes and proforma invoices, newest first',
    description: 'With `Accept: text/csv`, the same page as a CSV file.',
  }),
  create: defineRoute('POST', quotes, 'token', quoteOperations.createQuote, {
    summary: 'Create a quote or proforma invoice',
    description:
      'It is a draft until you send it. Its amounts follow the rules of invoices. It is never reported to the tax authority, counts in no figure of invoices, and costs no credits.',
  }),
  get: defineRoute('GET', `${quotes}/{id}`, 'token', quoteOperations.getQuote, {
    summary: 'Get a quote with its current version',
  }),
  change: defineRoute('PUT', `${quotes}/{id}`, 'token', quoteOperations.changeQuote, {
    summary: 'Replace the contents of a quote',
    description:
      'A draft is changed. A quote that the buyer has gets a new version. The public page shows the new version at once, and the old one can no longer be accepted. Send the quote to mail the new version. A declined or expired quote waits for the buyer again. Send `If-Match` to avoid overwriting a change of someone else.',
  }),
  listVersions: defineRoute('GET', `${quotes}/{id}/versions`, 'token', quoteOperations.listQuoteVersions, {
    summary: 'List the versions of a quote, newest first',
  }),
  getVersion: defineRoute('GET', `${quotes}/{id}/versions/{versionNumber}`, 'token', quoteOperations.getQuoteVersion, {
    summary: 'Get one version of a quote with its lines',
  }),
  send: defineRoute('POST', `${quotes}/{id}/send`, 'token', quoteOperations.sendQuote, {
    summary: 'Send a quote to the buyer',
    description:
      'Opens a draft for the buyer and mails it as a PDF, with a link to the public page. With `mail: false`, it is opened without a mail. A quote that was sent before is mailed again.',
  }),
  share: defineRoute('POST', `${quotes}/{id}/share`, 'token', quoteOperations.shareQuote, {
    summary: 'Create a public link to a quote',
    description:
      'On the page, the buyer can read the quote, and accept or decline it. The page always shows the current version. The same link is returned until you end it.',
  }),
  unshare: defineRoute('DELETE', `${quotes}/{id}/share`, 'token', quoteOperations.unshareQuote, {
    summary: 'End the public link to a quote',
  }),
  decide: defineRoute('POST', `${quotes}/{id}/decision`, 'token', quoteOperations.decideForBuyer, {
    summary: 'Record that the buyer accepted or declined',
    description:
      'For buyers who tell you their decision, such as on the telephone. You name the version that the buyer decided about. A decision is recorded once.',
  }),
  convert: defineRoute('POST', `${quotes}/{id}/convert`, 'token', quoteOperations.convertQuote, {
    summary: 'Make an invoice or a deposit of a quote, once',
    description:
      'The invoice has the lines, buyer, currency and amounts of the current version, and names the quote. With `deposit`, it is a prepayment invoice; make the rest with `final-invoice` later. If the document is deleted as a draft or cancelled, the quote can be converted again. With `instalments`, it is due in parts. The document costs the same as if you created it yourself. With `finalise`, you also need `invoice.finalise`.',
  }),
  invoiceRest: defineRoute('POST', `${quotes}/{id}/final-invoice`, 'token', quoteOperations.invoiceRest, {
    summary: 'Make the final invoice after a deposit, once',
    description:
      'The final invoice has all lines of the quote, and the deposit is taken off as a discount on the whole document. Deposit and final invoice together are exactly the total of the quote. The deposit must be issued first.',
  }),
  download: defineRoute('GET', `${quotes}/{id}/download`, 'token', quoteOperations.downloadQuote, {
    summary: 'Get a download link to the PDF of a quote',
    description: 'The link works for 15 minutes, and only while its creator has the permission.',
  }),
  duplicate: defineRoute('POST', `${quotes}/{id}/duplicate`, 'token', quoteOperations.duplicateQuote, {
    summary: 'Create a draft with the contents of a quote',
    description: 'Prices are those of the original. The copy has the date of today and is valid for as many days.',
  }),
  cancel: defineRoute('POST', `${quotes}/{id}/cancel`, 'token', quoteOperations.cancelQuote, {
    summary: 'Withdraw a quote',
    description: 'The public page says that the quote was withdrawn. This cannot be undone.',
  }),
}
