/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { downloadInvoice, openDownload } from './download-invoice.ts'
export { openSharedPage, openSharedPdf, watchSharedPage } from './open-shared-invoice.ts'
