/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { importExchangeRates, listExchangeRates, saveExchangeRates } from './exchange-rates.ts'
