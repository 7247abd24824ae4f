import type { Language } from '../kernel/languages/languages.ts'
import type { TaxIdType } from './tax-id-types.ts'

/** Words of a country on documents, on public pages and in files that people import. */
export interface CountryWords {
  readonly reference: ReferenceWords
  /** short names of tax numbers on documents; a type without one is called "Tax number" */
  readonly taxIdNames: Readonly<Partial<Record<TaxIdType, string>>>
  /** words in names of businesses that do not tell them apart, in lower case, such as the name of the country */
  readonly commonNameWords: readonly string[]
  readonly imports: ImportWords
  /** the part of an address below the state, as people call it; null if addresses have none */
  readonly district: string | null
  /** how telephone numbers of the country begin, such as `+234` */
  readonly phonePrefix: string
  /** what people dial first at home instead of `phonePrefix`, such as `0`; empty if nothing */
  readonly phoneTrunkPrefix: string
  /** numbers of a payer that banks may require for a virtual account */
  readonly payerIdentifiers: readonly PayerIdentifier[]
  /** names of the country in other languages; a name without one stays English */
  readonly translations: Readonly<Partial<Record<Language, TranslatedNames>>>
  /** whether the law wants the English title on a document in another language */
  readonly keepsEnglishTitle: boolean
}

/** Names of a country in one language. */
export interface TranslatedNames {
  /** by tax category */
  readonly taxLabels: Readonly<Record<string, string>>
  readonly taxIdNames: Readonly<Partial<Record<TaxIdType, string>>>
}

/** A number of a payer, by its name in the API. */
export interface PayerIdentifier {
  readonly name: string
  readonly label: string
}

/** How people call the authority reference, and how it looks. */
export interface ReferenceWords {
  /** short name, such as `IRN`; in lower case it names the reference in the address of the verification page */
  readonly name: string
  readonly example: string
  /** the parts of a reference, in a sentence without a full stop */
  readonly shape: string
}

/** How files of a country name their columns and write amounts. These are plain values, because threads get them. */
export interface ImportWords {
  /** further names of columns by field, in lower case without punctuation */
  readonly columnNames: Readonly<Record<string, readonly string[]>>
  /** further columns of files of buyers, behind the column `after` */
  readonly buyerColumns: readonly {
    readonly after: string
    readonly field: string
    readonly label: string
    readonly columnNames: readonly string[]
  }[]
  /** signs and letters that may stand before an amount */
  readonly amountSigns: readonly string[]
}
