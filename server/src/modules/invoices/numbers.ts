import type { DocumentType } from '../../kernel/invoice-document.ts'

/** The prefix of each series. */
export const seriesOf: Readonly<Record<DocumentType, string>> = {
  standard: 'INV',
  prepayment: 'PP',
  credit_note: 'CN',
  debit_note: 'DN',
}

/**
 * A number as authorities read it: letters and digits in capitals. Two numbers that read alike are the same number.
 */
export const normalisedNumber = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '')
