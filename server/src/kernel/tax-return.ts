import type { DocumentType } from './invoice-document.ts'
import type { Mode } from './tenant.ts'

/** Parts of a return. Notes count in the period of the note. */
export const taxReturnSections = ['output', 'output_notes', 'input', 'input_notes', 'not_claimable'] as const
export type TaxReturnSection = (typeof taxReturnSections)[number]

/** Why a document counts now: the authority accepted it, it arrived, or its claim changed. */
export const taxMoveCauses = ['accepted', 'withdrawn', 'received', 'claim_changed'] as const
export type TaxMoveCause = (typeof taxMoveCauses)[number]

/** One sum of a return, in minor units of the home currency. */
export interface TaxFigure {
  readonly section: TaxReturnSection
  /** the tax category, or for received documents the rule that decides the claim */
  readonly code: string
  /** in percent, as `7.5`; empty for received documents */
  readonly rate: string
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly documents: number
  /** false for tax that cannot be claimed, and for taxes that are no part of this return */
  readonly isCounted: boolean
}

/** A change of a period that was closed before, reported in a later one. */
export interface TaxException extends TaxFigure {
  /** the closed period that the documents belong to */
  readonly period: string
}

export interface TaxReturnTotals {
  readonly outputTaxMinor: bigint
  readonly inputTaxMinor: bigint
}

export interface TaxReturnFigures extends TaxReturnTotals {
  readonly figures: readonly TaxFigure[]
  readonly exceptions: readonly TaxException[]
}

/** What one document counts for in one figure. */
export interface TaxReturnDocumentLine {
  readonly section: TaxReturnSection
  readonly code: string
  readonly rate: string
  readonly message: string
  readonly cause: TaxMoveCause
  /** the period of the issue date */
  readonly period: string
  readonly documentId: string
  readonly documentNumber: string
  readonly documentType: DocumentType
  readonly documentDate: string
  readonly partyName: string | null
  readonly currency: string
  readonly netMinor: bigint
  readonly taxMinor: bigint
  /** units of the home currency for one unit of `currency`; null if the rate of the day is missing */
  readonly exchangeRate: string | null
  readonly homeNetMinor: bigint | null
  readonly homeTaxMinor: bigint | null
}

/** A whole return, to be drawn or written. */
export interface TaxReturnDocument extends TaxReturnFigures {
  readonly mode: Mode
  readonly businessName: string
  readonly taxId: string | null
  readonly period: string
  readonly from: string
  readonly to: string
  readonly dueOn: string
  readonly currency: string
  readonly status: 'open' | 'closed'
  /** null while the month is open, and for months before the first closed one */
  readonly closedOn: string | null
  /** names of the tax categories and of the rules for claims, for people */
  readonly labels: Readonly<Record<string, string>>
  readonly lines: readonly TaxReturnDocumentLine[]
}

export const isOwnSection = (section: TaxReturnSection): boolean => section === 'output' || section === 'output_notes'

/** Output and input tax of the figures that count. Exceptions count too. */
export function totalsOf(counted: readonly Pick<TaxFigure, 'section' | 'taxMinor' | 'isCounted'>[]): TaxReturnTotals {
  const sum = (isOwn: boolean) =>
    counted
      .filter(({ section, isCounted }) => isCounted && isOwnSection(section) === isOwn)
      .reduce((total, { taxMinor }) => total + taxMinor, 0n)
  return { outputTaxMinor: sum(true), inputTaxMinor: sum(false) }
}

const sectionNames: Readonly<Record<TaxReturnSection, string>> = {
  output: 'Output tax',
  output_notes: 'Credit and debit notes issued',
  input: 'Input tax that can be claimed',
  input_notes: 'Credit and debit notes received',
  not_claimable: 'Input tax that cannot be claimed',
}
export const sectionInWords = (section: TaxReturnSection): string => sectionNames[section]

/** The name of output tax less input tax. */
export const payableInWords = (minor: bigint): string => (minor < 0n ? 'In your favour' : 'To pay')
