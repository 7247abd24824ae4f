import type { Decimal } from './decimal.ts'
import type { HomeTax } from './exchange-rate.ts'
import type { Instalment } from './instalments.ts'
import type { Mode } from './tenant.ts'
import type { WrittenFields } from './written-fields.ts'

export const documentTypes = ['standard', 'credit_note', 'debit_note', 'prepayment'] as const
export type DocumentType = (typeof documentTypes)[number]

/** Seller or buyer as copied into a document. Later changes of the party do not reach the copy. */
export interface DocumentParty {
  readonly name: string
  readonly legalName: string | null
  readonly tradingName: string | null
  readonly partyType: string
  /** `national`, `registration`, `foreign` or `none` */
  readonly taxIdType: string
  readonly taxId: string | null
  readonly vatNumber: string | null
  readonly registrationNumber: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly businessDescription: string | null
  readonly address: DocumentAddress | null
}

export interface DocumentAddress {
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly state?: string
  readonly district?: string
  readonly postalCode?: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string
}

export interface DocumentLine {
  readonly description: string
  readonly itemName: string | null
  /** For goods. */
  readonly hsnCode: string | null
  /** For services. */
  readonly serviceCode: string | null
  readonly productCategory: string | null
  readonly quantity: Decimal
  readonly unitCode: string
  readonly unitPrice: Decimal
  /** Quantity × unit price, rounded to the minor unit. */
  readonly grossMinor: bigint
  readonly discountMinor: bigint
  readonly feeMinor: bigint
  /** Gross − discount + fee. */
  readonly netMinor: bigint
  readonly taxCategory: string
  /** In percent. */
  readonly taxRate: Decimal
}

/** One tax category at one rate: taxable = net − allowance + charge. */
export interface DocumentTaxGroup {
  readonly category: string
  readonly rate: Decimal
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  readonly taxableMinor: bigint
  readonly taxMinor: bigint
}

/**
 * All content of an invoice or a credit or debit note, for PDF, XML and checks. Amounts are in minor units: with the
 * decimals of the currency.
 * payable = net − allowance + charge + tax + rounding; due = payable − paid − credited, never below zero, and zero if
 * the sender declared it paid.
 */
export interface InvoiceDocument extends WrittenFields {
  readonly type: DocumentType
  /** A kind of the jurisdiction, such as B2B. */
  readonly kind: string
  readonly number: string
  readonly mode: Mode
  /** Not issued yet: every view marks it as a draft. */
  readonly isDraft: boolean
  /** As `2026-01-31`. */
  readonly issueDate: string
  /** As `13:05:00`. */
  readonly issueTime: string | null
  /** with instalments, the due date of the last one */
  readonly dueDate: string | null
  /** with what is left to pay of each; null if the whole amount is due on one day */
  readonly instalments: readonly (Instalment & { readonly dueMinor: bigint })[] | null
  /** Day of supply. Null means the day of issue; see `supplyDay`. */
  readonly supplyDate: string | null
  readonly currency: string
  readonly seller: DocumentParty | null
  readonly buyer: DocumentParty | null
  readonly lines: readonly DocumentLine[]
  readonly taxGroups: readonly DocumentTaxGroup[]
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  readonly taxMinor: bigint
  /** The tax in the home currency, on a document in a foreign one. Null without a rate, and on drafts. */
  readonly homeTax: HomeTax | null
  /** Only on a credit note that closes the rest of an invoice: the remainder from rounding taxes. */
  readonly roundingMinor: bigint
  readonly payableMinor: bigint
  readonly paidMinor: bigint
  readonly creditedMinor: bigint
  readonly dueMinor: bigint
  /** The document that a credit or debit note corrects. */
  readonly original: {
    readonly number: string
    readonly issueDate: string
    readonly supplyDate?: string | null
    readonly authorityReference: string | null
  } | null
  /** Why the credit or debit note was issued. */
  readonly reason: string | null
  /** Number that the authority gave. Null until the document is signed. */
  readonly authorityReference: string | null
  /** Text of the authority's QR code. Null until the document is signed. */
  readonly stamp: string | null
  /** For a quote or proforma invoice, which has the contents of an invoice but asks for nothing. */
  readonly offer?: DocumentOffer
}

export interface DocumentOffer {
  readonly type: 'quote' | 'proforma'
  /** Last day on which the buyer can accept. Null without an end. */
  readonly validUntil: string | null
  readonly versionNumber: number
}

/** Tax rates of the day of supply apply, or of the day of issue if none is named. */
export const taxDay = ({
  supplyDate,
  issueDate,
}: {
  supplyDate?: string | null | undefined
  issueDate: string
}): string => supplyDate ?? issueDate

/**
 * Day of supply, which the law requires on the document. An invoice without one was supplied on its day of issue.
 * Prepayments, credit notes and quotes show one only if they name it.
 */
export const supplyDay = ({ type, supplyDate, issueDate, offer }: InvoiceDocument): string | null =>
  supplyDate ?? (!offer && (type === 'standard' || type === 'debit_note') ? issueDate : null)

/** How documents of an organisation look, and where it wants to be paid. */
export interface Letterhead {
  /** a PNG or JPEG picture */
  readonly logo: { readonly contentType: 'image/png' | 'image/jpeg'; readonly base64: string } | null
  readonly bank: {
    readonly bankName: string
    readonly accountName: string
    readonly accountNumber: string
  } | null
}
