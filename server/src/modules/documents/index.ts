export { type Download, downloadInvoice, openDownload } from './download-invoice.ts'
export { mailInvoice, mailInvoiceJob } from './mail-invoice.ts'
export { openSharedInvoice, openSharedPdf } from './open-shared-invoice.ts'
export { type DocumentFormat, documentFormats, type Rendered } from './rendering.ts'
