import type { DocumentType } from '../../../kernel/invoice-document.ts'
import type { Actor } from '../../../platform/operations/actors.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { Reporting, SimpleStatus } from '../derived-statuses.ts'
import type { Delivery, PaymentStatus } from '../invoice.ts'
import type { InvoiceStatus } from '../status-moves.ts'

/** What is left out does not narrow the list. Days are as `2026-01-31`, both ends included. */
export interface InvoiceFilter {
  /** one of these */
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
  /** not included */
  readonly createdAtTo?: Date | undefined
  /** a number or IRN by how it begins, a buyer's name or tax number by any part of it */
  readonly search?: string | undefined
  readonly simpleStatus?: SimpleStatus | undefined
  readonly reporting?: Reporting | undefined
  readonly delivery?: Delivery | undefined
  readonly credited?: boolean | undefined
  readonly refundOwed?: boolean | undefined
  readonly overdue?: true | undefined
  /** not reported yet, and to be by then; what is late already is among them */
  readonly reportDueTo?: Date | undefined
  /** notes that correct this one */
  readonly originalId?: string | undefined
  /** of what is payable, both included */
  readonly amountFromMinor?: bigint | undefined
  readonly amountToMinor?: bigint | undefined
}

export const invoiceSortKeys = ['createdAt', 'issueDate', 'number', 'payableMinor', 'dueDate', 'taxMinor'] as const

/** Ties are broken by creation, in the same direction. Documents without a due date come last in both. */
export interface InvoiceSort {
  readonly by: (typeof invoiceSortKeys)[number]
  readonly descending: boolean
}
