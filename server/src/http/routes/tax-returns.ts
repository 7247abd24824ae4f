import { exchangeRateOperations } from '../../modules/exchange-rates/index.ts'
import { taxReturnOperations } from '../../modules/tax-returns/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const returns = '/i/v1/tax-returns'
const rates = '/i/v1/exchange-rates'

export const taxReturnRoutes = {
  list: defineRoute('GET', returns, 'token', taxReturnOperations.listTaxReturns, {
    summary: 'List the months of the tax return, newest first',
    description:
      'From the first month to the current one, at most 120 months. The first month is that of the first document that counts. Your own documents count for it if they are at most a year older than your organisation, received documents if they are not older. Older documents are exceptions of the first month. Amounts of open months can still change.',
  }),
  get: defineRoute('GET', `${returns}/{period}`, 'token', taxReturnOperations.getTaxReturn, {
    summary: 'Get the tax return of a month',
    description:
      'Output tax comes from your documents that the tax authority accepted, input tax from received documents. The issue date decides the month. Credit and debit notes count in the month of the note. All amounts are in the currency of your country. What changed in closed months is in `exceptions` of the first open month.',
  }),
  documents: defineRoute('GET', `${returns}/{period}/documents`, 'token', taxReturnOperations.listReturnDocuments, {
    summary: 'List the documents behind the figures of a tax return',
    description:
      'Oldest first. Give `section`, `code` and `rate` of a figure to get its documents only: their amounts add up to the figure. An exception also needs its `period` as `documentPeriod`. A document with several tax rates has a line for each.',
  }),
  close: defineRoute('POST', `${returns}/{period}/close`, 'token', taxReturnOperations.closeTaxReturn, {
    summary: 'Close a month of the tax return',
    description:
      'Close a month before you file its return, and file the closed figures: they never change. With `expectedPayableMinor` the month is closed only if its payable amount is still this one. What changes later is an exception of the next open month. Months are closed in order, after their last day.',
  }),
  download: defineRoute('GET', `${returns}/{period}/download`, 'token', taxReturnOperations.downloadTaxReturn, {
    summary: 'Get a download link to the tax return as PDF or CSV',
    description:
      'The link works for 15 minutes without a token. The PDF has the figures, the CSV file also has every document. The month can have 20,000 lines at most.',
  }),
  listRates: defineRoute('GET', rates, 'token', exchangeRateOperations.listExchangeRates, {
    summary: 'List the exchange rates, newest day first',
  }),
  saveRates: defineRoute('PUT', rates, 'token', exchangeRateOperations.saveExchangeRates, {
    summary: 'Enter or import exchange rates',
    description:
      'Saves 1 to 1,000 rates. A rate of the same currency and day is replaced. A document in a foreign currency uses the rate of its issue date, or the last one of the 7 days before. Closed months keep the rates that they used.',
  }),
  importRates: defineRoute('POST', `${rates}/import`, 'token', exchangeRateOperations.importExchangeRates, {
    summary: 'Import exchange rates from a CSV file',
    description:
      'The first row names the columns `currency`, `day` and `rate`, in any order. The file can have 5,000 rows. If a row has a fault, nothing is saved, and the reply lists every fault with the number of its row.',
  }),
}
