/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { closeTaxReturn } from './close-return.ts'
export { downloadTaxReturn, openTaxReturnDownload } from './download-return.ts'
export { getTaxReturn, listReturnDocuments, listTaxReturns } from './read-return.ts'
