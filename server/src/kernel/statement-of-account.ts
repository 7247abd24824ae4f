import type { DocumentAddress, DocumentType, Letterhead } from './invoice-document.ts'
import type { Language } from './languages/languages.ts'
import type { Wording } from './languages/wording.ts'
import type { Mode } from './tenant.ts'

/** What a line of a statement of account records. */
export const statementLineTypes = [
  'invoice',
  'prepayment',
  'debit_note',
  'credit_note',
  'payment',
  'credit_used',
  'declared_paid',
  'payment_reversed',
  'refund',
  'document_withdrawn',
  'declared_paid_withdrawn',
  'payment_moved',
] as const
export type StatementLineType = (typeof statementLineTypes)[number]

export interface StatementLine {
  readonly type: StatementLineType
  /** when the account of the buyer was changed */
  readonly bookedAt: Date
  /** the day of `bookedAt` in the organisation's time zone */
  readonly bookedOn: string
  /** the day of issue, or the day on which the payment was made */
  readonly documentDate: string
  readonly documentId: string
  readonly documentNumber: string
  readonly documentType: DocumentType
  readonly paymentId: string | null
  readonly paymentMethod: string | null
  readonly paymentReference: string | null
  /** above zero if the buyer owes more */
  readonly amountMinor: bigint
  /** what the buyer owes after this line */
  readonly balanceMinor: bigint
}

/** What the buyer owes, by how many days it is late. */
export interface StatementAges {
  readonly notDueMinor: bigint
  readonly days1To30Minor: bigint
  readonly days31To60Minor: bigint
  readonly days61To90Minor: bigint
  readonly over90DaysMinor: bigint
  /** what the seller owes the buyer, such as refunds */
  readonly creditMinor: bigint
}

/** The figures of a statement of account. closing = opening + Σ lines = Σ ages − credit. */
export interface StatementFigures {
  readonly currency: string
  /** first and last day, both included, in the organisation's time zone */
  readonly from: string
  readonly to: string
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  readonly ages: StatementAges
  /** the day that the ages are counted to: the last day, or today if that is earlier */
  readonly agedOn: string
}

/** One of both parties, as the statement of account shows it. */
export interface StatementParty {
  readonly name: string
  readonly taxId: string | null
  readonly email: string | null
  readonly address: DocumentAddress | null
}

/** A whole statement of account, to be drawn or written. */
export interface StatementDocument extends StatementFigures {
  readonly mode: Mode
  /** the buyer's, or the one that a reader of the public page chose */
  readonly language: Language
  readonly seller: StatementParty
  readonly buyer: StatementParty
  readonly letterhead: Letterhead
  readonly lines: readonly StatementLine[]
}

/** What happened, for people: `Payment of INV-7`. */
export const lineInWords = (
  { type, documentNumber }: Pick<StatementLine, 'type' | 'documentNumber'>,
  wording: Wording,
): string => wording.say(`statement.line.${type}`, { number: documentNumber })

/** The ages with their names for people, oldest last. */
export const agesInWords = (
  ages: StatementAges,
  wording: Wording,
): readonly (readonly [name: string, minor: bigint])[] => [
  [wording.say('statement.not_due'), ages.notDueMinor],
  [wording.say('statement.days_1_to_30'), ages.days1To30Minor],
  [wording.say('statement.days_31_to_60'), ages.days31To60Minor],
  [wording.say('statement.days_61_to_90'), ages.days61To90Minor],
  [wording.say('statement.over_90_days'), ages.over90DaysMinor],
]
