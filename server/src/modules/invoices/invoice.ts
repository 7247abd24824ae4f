import type { Decimal } from '../../kernel/decimal.ts'
import type { HomeTax } from '../../kernel/exchange-rate.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Instalment } from '../../kernel/instalments.ts'
import type { DocumentParty, DocumentType } from '../../kernel/invoice-document.ts'
import type { WrittenFields } from '../../kernel/written-fields.ts'
import type { Actor } from '../../platform/events/actors.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { ItemId } from '../items/index.ts'
import type { letterheads } from '../organisations/index.ts'
import type { SellerId } from '../sellers/index.ts'
import type { TaxGroup } from './amounts/totals.ts'
import type { InvoiceStatus } from './status-moves.ts'

export type InvoiceId = Id<'invoice'>

export interface InvoiceLine {
  readonly itemId: ItemId | null
  readonly description: string
  readonly itemName: string | null
  readonly hsnCode: string | null
  readonly serviceCode: string | null
  readonly productCategory: string | null
  readonly quantity: Decimal
  readonly unitCode: string
  readonly unitPrice: Decimal
  readonly discountMinor: bigint
  readonly feeMinor: bigint
  readonly taxCategory: string
  /** in percent */
  readonly taxRate: Decimal
  readonly grossMinor: bigint
  readonly netMinor: bigint
}

export const deliveries = ['deliver_to_buyer', 'sent_email', 'shared_link', 'authority', 'none'] as const
export type Delivery = (typeof deliveries)[number]

export const declaredPaymentStatuses = ['unpaid', 'partially_paid', 'paid', 'payment_failed'] as const
export type PaymentStatus = (typeof declaredPaymentStatuses)[number]

/** An invoice or note without its lines, as in lists. */
export interface InvoiceSummary extends WrittenFields {
  readonly id: InvoiceId
  readonly number: string
  readonly type: DocumentType
  readonly kind: string
  readonly status: InvoiceStatus
  readonly sellerId: SellerId | null
  readonly buyerId: BuyerId | null
  /** the buyer's name on the document: the current name for a draft, the copy for an issued document */
  readonly buyerName: string | null
  readonly buyerTaxId: string | null
  readonly issueDate: string
  readonly issueTime: string | null
  /** with instalments, the due date of the last one */
  readonly dueDate: string | null
  /** oldest first; null if the whole amount is due on one day */
  readonly instalments: readonly Instalment[] | null
  /** null: the day of issue */
  readonly supplyDate: string | null
  readonly currency: string
  readonly taxGroups: readonly TaxGroup[]
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  readonly taxMinor: bigint
  readonly roundingMinor: bigint
  readonly payableMinor: bigint
  readonly paidMinor: bigint
  readonly creditedMinor: bigint
  readonly declaredPaymentStatus: PaymentStatus | null
  readonly originalId: InvoiceId | null
  readonly originalNumber: string | null
  readonly reason: string | null
  readonly authorityReference: string | null
  readonly delivery: Delivery
  readonly finalisedAt: Date | null
  readonly submittedAt: Date | null
  /** the legal deadline for reporting; null without one, and for drafts */
  readonly reportDueAt: Date | null
  /** when we learnt that the authority has the document */
  readonly reportedAt: Date | null
  readonly sentAt: Date | null
  readonly sharedAt: Date | null
  readonly createdBy: { readonly type: Actor['kind']; readonly id: string | null }
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export interface Invoice extends InvoiceSummary {
  readonly lines: readonly InvoiceLine[]
  readonly stamp: string | null
  /** what one unit of its currency costs in the home currency, as entered; null: by the table of rates */
  readonly exchangeRate: string | null
  /** null until it is issued, in the home currency, and if no rate was known */
  readonly homeTax: HomeTax | null
  readonly sellerCopy: DocumentParty | null
  readonly buyerCopy: DocumentParty | null
  readonly letterheadCopy: letterheads.LetterheadCopy | null
}
