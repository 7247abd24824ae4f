import type { DocumentType } from '../../../kernel/invoice-document.ts'
import type { ReceivableAge } from '../../../kernel/receivable-ages.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { Reporting, SimpleStatus } from '../derived-statuses.ts'
import type { Delivery, PaymentStatus } from '../invoice.ts'
import type { InvoiceStatus } from '../status-moves.ts'

/** Absent fields do not narrow the list. Days have the form `2026-01-31`, both ends included. */
export interface InvoiceFilter {
  /** any of these */
  readonly status?: readonly InvoiceStatus[] | undefined
  readonly type?: DocumentType | undefined
  readonly paymentStatus?: PaymentStatus | 'overdue' | undefined
  readonly currency?: string | undefined
  readonly buyerId?: BuyerId | undefined
  readonly sellerId?: SellerId | undefined
  readonly createdBy?: string | undefined
  readonly createdByType?: Actor['kind'] | undefined
  readonly issueDateFrom?: string | undefined
  readonly issueDateTo?: string | undefined
  readonly dueDateFrom?: string | undefined
  readonly dueDateTo?: string | undefined
  readonly createdAtFrom?: Date | undefined
  /** exclusive */
  readonly createdAtTo?: Date | undefined
  /** a prefix of a number or authority reference, or any part of a buyer's name or tax number */
  readonly search?: string | undefined
  readonly simpleStatus?: SimpleStatus | undefined
  readonly reporting?: Reporting | undefined
  readonly delivery?: Delivery | undefined
  readonly credited?: boolean | undefined
  readonly refundOwed?: boolean | undefined
  readonly overdue?: true | undefined
  /** whether an amount is still due; never on credit notes */
  readonly amountDue?: boolean | undefined
  /** an amount is due, and its due date is that long ago */
  readonly age?: ReceivableAge | undefined
  /** `true`: the document counts in turnover and tax; `false`: it is a draft or rejected */
  readonly counted?: boolean | undefined
  /** unreported, with a deadline up to this time; late ones are included */
  readonly reportDueTo?: Date | undefined
  /** notes that correct this document */
  readonly originalId?: string | undefined
  /** of the payable amount, both ends included */
  readonly amountFromMinor?: bigint | undefined
  readonly amountToMinor?: bigint | undefined
}

export const invoiceSortKeys = ['createdAt', 'issueDate', 'number', 'payableMinor', 'dueDate', 'taxMinor'] as const

/** Ties are broken by creation, in the same direction. Documents without a due date come last in both directions. */
export interface InvoiceSort {
  readonly by: (typeof invoiceSortKeys)[number]
  readonly descending: boolean
}
