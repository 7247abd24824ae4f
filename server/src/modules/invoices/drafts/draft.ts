import type { Decimal } from '../../../kernel/decimal.ts'
import type { DocumentType } from '../../../kernel/invoice-document.ts'
import type { InstalmentInput } from '../../../kernel/resolve-instalments.ts'
import type { WrittenFields } from '../../../kernel/written-fields.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { ItemId } from '../../items/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { PaymentStatus } from '../invoice.ts'

/** A line as it was sent. Absent fields are filled from the saved item, if one is named. */
export interface LineInput {
  readonly itemId?: ItemId | undefined
  readonly description?: string | undefined
  readonly itemName?: string | null | undefined
  readonly hsnCode?: string | null | undefined
  readonly serviceCode?: string | null | undefined
  readonly productCategory?: string | null | undefined
  readonly quantity: Decimal
  readonly unitCode?: string | undefined
  readonly unitPrice?: Decimal | undefined
  /** in major units, as all amounts of a draft */
  readonly discount?: Decimal | undefined
  readonly fee?: Decimal | undefined
  /** a code of the list, or an alias of one */
  readonly taxCategory?: string | undefined
  /** the line is on the draft already: its codes stay valid, even if their lists changed */
  readonly isKept?: true
  /** a rate instead of a category; the category follows from it */
  readonly taxPercent?: Decimal | undefined
}

/** A new draft as it was sent. */
export interface DraftInput extends Partial<WrittenFields> {
  readonly type: DocumentType
  /** default: follows from the buyer */
  readonly kind?: string | undefined
  /** default: the next of the series */
  readonly number?: string | undefined
  /** default: the organisation itself */
  readonly sellerId?: SellerId | undefined
  /** only the organisation itself may be the seller */
  readonly primarySellerOnly?: true
  readonly buyerId?: BuyerId | undefined
  readonly issueDate: string
  readonly issueTime?: string | null | undefined
  /** follows from the instalments, if there are any */
  readonly dueDate?: string | null | undefined
  readonly instalments?: readonly InstalmentInput[] | null | undefined
  readonly supplyDate?: string | null | undefined
  readonly currency: string
  readonly exchangeRate?: Decimal | null | undefined
  readonly lines: readonly LineInput[]
  readonly allowance?: Decimal | undefined
  readonly charge?: Decimal | undefined
  readonly declaredPaymentStatus?: PaymentStatus | undefined
  /** the number of the document that a note corrects */
  readonly originalNumber?: string | undefined
}

/** An absent field is unchanged; `null` clears it. */
export interface DraftChange extends Partial<WrittenFields> {
  readonly kind?: string | undefined
  /** another buyer changes the kind, as when a draft is created without one */
  readonly kindFollowsBuyer?: true
  /**
   * the buyer cannot be changed, except on a draft that the authority rejected before: there the buyer may be the
   * fault
   */
  readonly isBuyerFixed?: true
  readonly number?: string | undefined
  readonly sellerId?: SellerId | undefined
  readonly primarySellerOnly?: true
  readonly buyerId?: BuyerId | null | undefined
  readonly issueDate?: string | undefined
  readonly issueTime?: string | null | undefined
  readonly dueDate?: string | null | undefined
  readonly instalments?: readonly InstalmentInput[] | null | undefined
  readonly supplyDate?: string | null | undefined
  readonly currency?: string | undefined
  /** another currency clears it, unless a new one is sent */
  readonly exchangeRate?: Decimal | null | undefined
  readonly lines?: readonly LineInput[] | undefined
  readonly allowance?: Decimal | null | undefined
  readonly charge?: Decimal | null | undefined
  readonly declaredPaymentStatus?: PaymentStatus | undefined
}
