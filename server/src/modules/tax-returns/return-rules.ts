/** Limits and formats that HTTP names too. */
export type { TaxReturn, TaxReturnHead } from './read-return.ts'

export const returnFormats = ['pdf', 'csv'] as const
export type ReturnFormat = (typeof returnFormats)[number]

/** Limit of rates in one request. */
export const mostRates = 1_000
