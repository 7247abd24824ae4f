import type { Decimal } from '../../kernel/decimal.ts'
import type { Id } from '../../kernel/ids.ts'
import type { DocumentParty } from '../../kernel/invoice-document.ts'
import type { WrittenFields } from '../../kernel/written-fields.ts'
import type { Actor } from '../../platform/events/actors.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { DraftInput, documentContents, InvoiceId, InvoiceStatus } from '../invoices/index.ts'
import type { SellerId } from '../sellers/index.ts'
import type { QuoteStatus, StoredStatus } from './quote-status.ts'

export type QuoteId = Id<'quote'>

export const quoteTypes = ['quote', 'proforma'] as const
export type QuoteType = (typeof quoteTypes)[number]

/** The prefix of each series of numbers. */
export const seriesOf: Readonly<Record<QuoteType, string>> = { quote: 'QUO', proforma: 'PRO' }

/** The contents of a quote, as the caller sent them. */
export interface QuoteContent
  extends Pick<DraftInput, 'buyerId' | 'sellerId' | 'currency' | 'lines' | 'allowance' | 'charge'>,
    Partial<WrittenFields> {
  /** default: today */
  readonly issueDate?: string | undefined
  /** the last day on which the buyer can accept; null: without an end */
  readonly validUntil: string | null
}

export const decisions = ['accepted', 'declined'] as const
export const decisionPlaces = ['page', 'seller'] as const

/** The buyer's decision about one version. */
export interface QuoteDecision {
  readonly decision: (typeof decisions)[number]
  /** the name that the buyer typed, or that the seller recorded */
  readonly name: string
  readonly remark: string | null
  readonly decidedAt: Date
  /** on the public page, or recorded by a member of the organisation or by a key */
  readonly through: (typeof decisionPlaces)[number]
  /** the network address that the decision came from */
  readonly address: string
}

/** One version of a quote, without its lines. A version that was sent never changes. */
export interface VersionSummary extends WrittenFields {
  readonly versionNumber: number
  readonly kind: string
  readonly sellerId: SellerId | null
  readonly buyerId: BuyerId | null
  readonly buyerName: string | null
  readonly currency: string
  readonly issueDate: string
  readonly validUntil: string | null
  readonly taxGroups: readonly documentContents.TaxGroup[]
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly decision: QuoteDecision | null
  readonly versionCreatedAt: Date
}

export interface QuoteVersion extends VersionSummary {
  readonly lines: readonly documentContents.InvoiceLine[]
  readonly sellerCopy: DocumentParty | null
  readonly buyerCopy: DocumentParty | null
}

/** `final`: the invoice for the rest, after a deposit. */
export const resultKinds = ['invoice', 'deposit', 'final'] as const
export type ResultKind = (typeof resultKinds)[number]

/** A document that a quote became. */
export interface QuoteResult {
  readonly kind: ResultKind
  readonly invoiceId: InvoiceId
  readonly invoiceNumber: string
  /** the total of the document when it was created */
  readonly payableMinor: bigint
  /** the allowance of the final invoice, which takes the deposit off; null except on a deposit */
  readonly restAllowanceMinor: bigint | null
  /** null if the draft was deleted */
  readonly invoiceStatus: InvoiceStatus | null
  /** its total now, after credit notes; 0 in another currency than the quote's, and null if the draft was deleted */
  readonly payableNowMinor: bigint | null
}

interface QuoteFacts {
  readonly id: QuoteId
  readonly type: QuoteType
  readonly number: string
  readonly storedStatus: StoredStatus
  readonly status: QuoteStatus
  /** the first moment after the last valid day; null without one */
  readonly expiresAt: Date | null
  readonly sentAt: Date | null
  /** null unless a public link exists */
  readonly sharedAt: Date | null
  readonly createdBy: { readonly type: Actor['kind']; readonly id: string | null }
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

/** A quote with the current version, as in lists. */
export interface QuoteSummary extends QuoteFacts, VersionSummary {}

export interface Quote extends QuoteFacts, QuoteVersion {
  readonly results: readonly QuoteResult[]
}

/** How large the deposit is: a part of the total in percent, or an amount in major units. */
export type DepositSize = { readonly percent: Decimal } | { readonly amount: Decimal }
