import type { Decimal } from './decimal.ts'
import type { Mode } from './tenant.ts'

export const documentTypes = ['standard', 'credit_note', 'debit_note', 'prepayment'] as const
export type DocumentType = (typeof documentTypes)[number]

/** Seller or buyer as a document names them: a copy that later changes do not reach. */
export interface DocumentParty {
  readonly name: string
  readonly legalName: string | null
  readonly tradingName: string | null
  readonly partyType: string
  /** `tin`, `rn`, `foreign` or `none` */
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
  readonly lga?: string
  readonly postalCode?: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string
}

export interface DocumentLine {
  readonly description: string
  readonly itemName: string | null
  /** of goods */
  readonly hsnCode: string | null
  /** of services */
  readonly serviceCode: string | null
  readonly productCategory: string | null
  readonly quantity: Decimal
  readonly unitCode: string
  readonly unitPrice: Decimal
  /** quantity times unit price, rounded to the minor unit */
  readonly grossMinor: bigint
  readonly discountMinor: bigint
  readonly feeMinor: bigint
  /** gross − discount + fee */
  readonly netMinor: bigint
  readonly taxCategory: string
  /** in percent */
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
 * Everything that can be read on an invoice or note, whoever draws, writes or checks it. All currencies have two decimals.
 * payable = net − allowance + charge + tax + rounding; due = payable − paid − credited, never below zero, and
 * zero where its sender declared it paid.
 */
export interface InvoiceDocument {
  readonly type: DocumentType
  /** a kind of the jurisdiction, such as B2B */
  readonly kind: string
  readonly number: string
  readonly mode: Mode
  /** not issued yet: it is marked as a draft wherever it is shown */
  readonly isDraft: boolean
  /** as `2026-01-31` */
  readonly issueDate: string
  /** as `13:05:00` */
  readonly issueTime: string | null
  readonly dueDate: string | null
  /** when goods or services were supplied; nothing: on the day of issue, see `supplyDay` */
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
  /** only on a credit note that closes what is left: what rounding of taxes had left over */
  readonly roundingMinor: bigint
  readonly payableMinor: bigint
  readonly paidMinor: bigint
  readonly creditedMinor: bigint
  readonly dueMinor: bigint
  readonly paymentTerms: string | null
  readonly notes: string | null
  readonly purchaseOrderReference: string | null
  readonly buyerReference: string | null
  readonly accountingCost: string | null
  /** what a note corrects */
  readonly original: {
    readonly number: string
    readonly issueDate: string
    readonly supplyDate?: string | null
    readonly irn: string | null
  } | null
  /** why a note was issued */
  readonly reason: string | null
  /** the authority's number, once it was signed */
  readonly irn: string | null
  /** what the authority's QR code says, once it was signed */
  readonly qrText: string | null
}

/** Whose rates count: those of the day of supply, where one is named. */
export const taxDay = ({
  supplyDate,
  issueDate,
}: {
  supplyDate?: string | null | undefined
  issueDate: string
}): string => supplyDate ?? issueDate

/**
 * The day of supply, which the law wants to see. An invoice that names none was supplied when it was issued; of what is still to come
 * (a prepayment) and what is taken back (a credit note) nothing is said unless it says so itself.
 */
export const supplyDay = ({ type, supplyDate, issueDate }: InvoiceDocument): string | null =>
  supplyDate ?? (type === 'standard' || type === 'debit_note' ? issueDate : null)

/** How an organisation wants its documents to look, and where it wants to be paid. */
export interface Letterhead {
  /** a PNG or JPEG picture */
  readonly logo: { readonly contentType: 'image/png' | 'image/jpeg'; readonly base64: string } | null
  readonly bank: {
    readonly bankName: string
    readonly accountName: string
    readonly accountNumber: string
  } | null
}
