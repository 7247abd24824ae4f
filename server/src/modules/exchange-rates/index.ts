export * as exchangeRates from './exchange-rates.store.ts'
export * as exchangeRateOperations from './operations.ts'
