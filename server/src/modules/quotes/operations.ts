/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { cancelQuote, changeQuote, createQuote, duplicateQuote } from './change-quotes.ts'
export { convertQuote, invoiceRest } from './convert-quote.ts'
export { decideForBuyer, decideOnPage } from './decide-quote.ts'
export { downloadQuote, openQuoteDownload } from './download-quote.ts'
export { openSharedQuote, openSharedQuotePdf } from './open-shared-quote.ts'
export { getQuote, getQuoteVersion, listOwnQuotes, listQuoteVersions } from './read-quotes.ts'
export { sendQuote } from './send-quote.ts'
export { shareQuote, unshareQuote } from './share-quote.ts'
