import type { Decimal } from '../../../kernel/decimal.ts'
import type { DocumentWords } from '../../../kernel/document-words.ts'
import type { InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import type { Language } from '../../../kernel/languages/languages.ts'
import { wordingOf } from '../../../kernel/languages/wording.ts'
import type { StatementDocument } from '../../../kernel/statement-of-account.ts'
import type { TaxReturnDocument } from '../../../kernel/tax-return.ts'
import type { PdfExtras } from '../pdf/invoice-pdf.ts'

/** Everything that a PDF is drawn from, as plain values, because functions cannot be sent to a thread. */
export type DrawingOrder = InvoiceOrder | StatementOrder | TaxReturnOrder

export interface StatementOrder {
  readonly statement: StatementDocument
}

export interface TaxReturnOrder {
  readonly taxReturn: TaxReturnDocument
}

export interface InvoiceOrder {
  readonly document: InvoiceDocument
  readonly letterhead: Letterhead
  readonly unitNames: ReadonlyMap<string, string>
  readonly taxNames: ReadonlyMap<string, string>
  readonly taxIdNames: ReadonlyMap<string, string>
  readonly referenceName: string
  readonly language: Language
  readonly keepsEnglishTitle: boolean
  readonly besides: PdfExtras
}

const taxKey = (category: string, { units, scale }: Decimal): string => `${category} ${units} ${scale}`

/** The names of the codes that the document uses. */
export function drawingOrder(
  document: InvoiceDocument,
  letterhead: Letterhead,
  words: DocumentWords,
  besides: PdfExtras = {},
): InvoiceOrder {
  const taxes = [
    ...document.lines.map(({ taxCategory, taxRate }) => [taxCategory, taxRate] as const),
    ...document.taxGroups.map(({ category, rate }) => [category, rate] as const),
  ]
  const parties = [document.seller, document.buyer].filter((party) => party !== null)
  return {
    document,
    letterhead,
    besides,
    unitNames: new Map(document.lines.map(({ unitCode }) => [unitCode, words.unitName(unitCode)])),
    taxNames: new Map(taxes.map(([category, rate]) => [taxKey(category, rate), words.taxName(category, rate)])),
    taxIdNames: new Map(parties.map(({ taxIdType }) => [taxIdType, words.taxIdName(taxIdType)])),
    referenceName: words.referenceName,
    language: words.wording.language,
    keepsEnglishTitle: words.keepsEnglishTitle,
  }
}

export const wordsIn = ({ unitNames, taxNames, taxIdNames, ...rest }: InvoiceOrder): DocumentWords => ({
  wording: wordingOf(rest.language),
  unitName: (code) => unitNames.get(code) ?? code,
  taxName: (category, rate) => taxNames.get(taxKey(category, rate)) ?? category,
  taxIdName: (type) => taxIdNames.get(type) ?? type,
  referenceName: rest.referenceName,
  keepsEnglishTitle: rest.keepsEnglishTitle,
})
