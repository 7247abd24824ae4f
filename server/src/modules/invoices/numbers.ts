import type { DocumentType } from '../../kernel/invoice-document.ts'

/** The prefix of each series. */
export const seriesOf: Readonly<Record<DocumentType, string>> = {
  standard: 'INV',
  prepayment: 'PP',
  credit_note: 'CN',
  debit_note: 'DN',
}

/** `INV000042`; beyond six digits, numbers have as many as they need. */
export const numberIn = (series: string, ordinal: bigint): string => `${series}${String(ordinal).padStart(6, '0')}`

/**
 * A number as authorities read it: letters and digits in capitals. Two numbers that read alike are the same number.
 */
export const readingOf = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '')
