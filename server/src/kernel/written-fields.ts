import type { Language } from './languages/languages.ts'
import type { Wording } from './languages/wording.ts'
import type { Fault } from './refusals.ts'

/**
 * One written field of an invoice: people write it, and no rule of ours changes it. Columns, schemas, decoders, printed
 * documents, columns of imported files and the advice on letters follow from this row. UBL, the authority's document and the dashboard name fields themselves.
 */
interface AnyField {
  /** What the value is, for the API documents. A sentence. */
  readonly description: string
  /** The forms of the API that accept and show the field. */
  readonly forms: readonly ('A' | 'B')[]
  /** The words before the value on the document, in each language of buyers. */
  readonly label: Readonly<Record<Language, string>>
  /** Credit and debit notes begin with the value of their invoice. */
  readonly isCopiedToCorrections: boolean
  /** Label of the column in imported files, and its other names. Without it, files cannot set the field. */
  readonly importedAs?: readonly [label: string, alsoCalled: string]
}

interface TextField extends AnyField {
  /** A `line` is printed with the dates. `paragraphs` may contain line breaks and have their own place on the document. */
  readonly kind: 'line' | 'paragraphs'
  readonly maxLength: number
}

interface DayField<Name extends string = string> extends AnyField {
  /** A day of the calendar, as `2026-01-31`. It is printed with the dates. */
  readonly kind: 'day'
  /** The earliest allowed day: the name of a row above. It is checked only if both are set. */
  readonly notBefore?: Name
}

/** In the order in which they are shown. */
export const writtenFields = {
  periodStart: {
    description: 'The first day of the period that the invoice covers, such as a month of a service.',
    kind: 'day',
    forms: ['A', 'B'],
    label: {
      en: 'Period from',
      fr: 'Période du',
      ha: 'Lokaci daga',
      yo: 'Àkókò láti',
      ig: 'Oge site na',
      pt: 'Período de',
      ar: 'الفترة من',
    },
    isCopiedToCorrections: true,
    importedAs: ['Period from', 'start of period, service from, service start'],
  },
  periodEnd: {
    description: 'The last day of the period that the invoice covers, such as a month of a service.',
    kind: 'day',
    forms: ['A', 'B'],
    label: {
      en: 'Period to',
      fr: 'Période au',
      ha: 'Lokaci zuwa',
      yo: 'Àkókò títí di',
      ig: 'Oge ruo',
      pt: 'Período até',
      ar: 'الفترة إلى',
    },
    isCopiedToCorrections: true,
    importedAs: ['Period to', 'end of period, service to, service end'],
    notBefore: 'periodStart',
  },
  purchaseOrderReference: {
    description: 'The number of the purchase order of the buyer.',
    maxLength: 100,
    kind: 'line',
    forms: ['A'],
    label: {
      en: 'Purchase order',
      fr: 'Bon de commande',
      ha: 'Odar saye',
      yo: 'Ìwé ìbéèrè ọjà',
      ig: 'Akwụkwọ ịzụ ahịa',
      pt: 'Nota de encomenda',
      ar: 'أمر الشراء',
    },
    isCopiedToCorrections: true,
    importedAs: ['Purchase order', 'po, po number, purchase order number, order number'],
  },
  buyerReference: {
    description: 'A reference that the buyer asks for, such as a department.',
    maxLength: 100,
    kind: 'line',
    forms: ['A'],
    label: {
      en: 'Your reference',
      fr: 'Votre référence',
      ha: 'Lambarku',
      yo: 'Nọ́ńbà yín',
      ig: 'Nrụtụaka gị',
      pt: 'A sua referência',
      ar: 'مرجعكم',
    },
    isCopiedToCorrections: true,
    importedAs: ['Buyer’s reference', 'buyer reference, your reference'],
  },
  contractReference: {
    description: 'The number of the contract that the invoice belongs to.',
    maxLength: 100,
    kind: 'line',
    forms: ['A', 'B'],
    label: {
      en: 'Contract',
      fr: 'Contrat',
      ha: 'Kwangila',
      yo: 'Àdéhùn',
      ig: 'Nkwekọrịta',
      pt: 'Contrato',
      ar: 'العقد',
    },
    isCopiedToCorrections: true,
    importedAs: ['Contract', 'contract number, contract no, contract reference'],
  },
  quoteReference: {
    description: 'The number of the quote or proforma invoice that the invoice follows.',
    maxLength: 100,
    kind: 'line',
    forms: ['A', 'B'],
    label: {
      en: 'Quote',
      fr: 'Devis',
      ha: 'Takardar farashi',
      yo: 'Ìwé iye owó',
      ig: 'Atụmatụ ọnụahịa',
      pt: 'Orçamento',
      ar: 'عرض السعر',
    },
    isCopiedToCorrections: true,
    importedAs: ['Quote', 'quote number, quote no, estimate, proforma'],
  },
  accountingCost: {
    description: 'Where the buyer books the invoice, such as a cost centre.',
    maxLength: 100,
    kind: 'line',
    forms: ['A'],
    label: {
      en: 'Cost centre',
      fr: 'Centre de coûts',
      ha: 'Sashen kashe kuɗi',
      yo: 'Ẹ̀ka ìnáwó',
      ig: 'Ngalaba mmefu',
      pt: 'Centro de custos',
      ar: 'مركز التكلفة',
    },
    isCopiedToCorrections: true,
  },
  paymentTerms: {
    description: 'The payment terms, printed on the document.',
    maxLength: 500,
    kind: 'paragraphs',
    forms: ['A', 'B'],
    label: {
      en: 'Payment terms',
      fr: 'Conditions de paiement',
      ha: 'Sharuɗɗan biya',
      yo: 'Àdéhùn ìsanwó',
      ig: 'Usoro ịkwụ ụgwọ',
      pt: 'Condições de pagamento',
      ar: 'شروط الدفع',
    },
    isCopiedToCorrections: false,
    importedAs: ['Payment terms', 'terms'],
  },
  notes: {
    description: 'Remarks for the buyer, printed on the document.',
    maxLength: 2000,
    kind: 'paragraphs',
    forms: ['A', 'B'],
    label: {
      en: 'Notes',
      fr: 'Remarques',
      ha: 'Bayani',
      yo: 'Àkíyèsí',
      ig: 'Ihe ndetu',
      pt: 'Observações',
      ar: 'ملاحظات',
    },
    isCopiedToCorrections: false,
    importedAs: ['Notes', 'note, memo, remarks, comment'],
  },
} as const satisfies Readonly<Record<string, TextField | DayField>>

export type WrittenFieldName = keyof typeof writtenFields
export type WrittenFields = { readonly [Name in WrittenFieldName]: string | null }
export type DayName = {
  [Name in WrittenFieldName]: (typeof writtenFields)[Name] extends { readonly kind: 'day' } ? Name : never
}[WrittenFieldName]

export const writtenFieldNames = Object.keys(writtenFields) as WrittenFieldName[]
export const aboutField = (name: WrittenFieldName): TextField | DayField<WrittenFieldName> => writtenFields[name]

/** The texts, with the longest length of each. */
export const textLengths: readonly (readonly [name: WrittenFieldName, maxLength: number])[] = writtenFieldNames.flatMap(
  (name) => {
    const about = aboutField(name)
    return about.kind === 'day' ? [] : [[name, about.maxLength] as const]
  },
)

/** The same value for every written field. */
export const everyField = <Value>(make: (name: WrittenFieldName) => Value) =>
  Object.fromEntries(writtenFieldNames.map((name) => [name, make(name)])) as {
    readonly [Name in WrittenFieldName]: Value
  }

/** The words before a written field on a document. */
export const labelOf = (name: WrittenFieldName, { language }: Pick<Wording, 'language'>): string =>
  writtenFields[name].label[language]

export const nothingWritten: WrittenFields = everyField(() => null)

/** For a copy of a document: its days belong to the document that was copied. */
export const noDays = Object.fromEntries(
  writtenFieldNames.filter((name) => aboutField(name).kind === 'day').map((name) => [name, null]),
) as { readonly [Name in DayName]: null }

/** A fault for each day that is before its `notBefore` day. */
export const faultsOfDays = (written: Partial<WrittenFields>): Fault[] =>
  writtenFieldNames.flatMap((name) => {
    const about = aboutField(name)
    const day = written[name]
    if (about.kind !== 'day' || about.notBefore === undefined || day == null) return []
    const first = written[about.notBefore]
    return first != null && day < first
      ? [{ path: name, rule: 'date', message: `must not be before ${about.notBefore}, ${first}` }]
      : []
  })

/** The written fields of a document that are printed with its dates, with their labels. */
export const printedLines = (
  written: WrittenFields,
  wording: Wording,
): (readonly [label: string, text: string | null])[] =>
  writtenFieldNames.flatMap((name) => {
    const { kind } = aboutField(name)
    const value = written[name]
    if (kind === 'paragraphs') return []
    return [[labelOf(name, wording), kind === 'day' && value !== null ? wording.day(value) : value] as const]
  })
