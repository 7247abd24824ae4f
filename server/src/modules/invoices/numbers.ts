import type { DocumentType } from '../../kernel/invoice-document.ts'

/** The letters that the numbers of each series begin with. */
export const seriesOf: Readonly<Record<DocumentType, string>> = {
  standard: 'INV',
  prepayment: 'PP',
  credit_note: 'CN',
  debit_note: 'DN',
}

/** `INV000042`; numbers that have outgrown six digits get as many as they need. */
export const numberIn = (series: string, ordinal: bigint): string => `${series}${String(ordinal).padStart(6, '0')}`

/** How authorities read a number: letters and digits in capitals. Two numbers that read alike are the same number. */
export const readingOf = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '')
