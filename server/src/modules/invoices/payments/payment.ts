import type { Decimal } from '../../../kernel/decimal.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { InvoiceChange } from '../change-invoices.store.ts'
import type { InvoiceId } from '../invoice.ts'

export type InvoicePaymentId = Id<'invoice-payment'>

export interface InvoicePayment {
  readonly id: InvoicePaymentId
  readonly invoiceId: InvoiceId
  readonly amountMinor: bigint
  readonly paidOn: string
  readonly method: string | null
  readonly reference: string | null
  readonly recordedBy: { readonly type: Actor['kind']; readonly id: string | null }
  readonly recordedAt: Date
  readonly reversedAt: Date | null
  /** the bank transfer that brought it */
  readonly receivedPaymentId: string | null
  /** the service itself took all of it from the buyer's credit */
  readonly fromCredit: boolean
}

export interface PaymentInput extends Pick<InvoicePayment, 'paidOn' | 'method' | 'reference'> {
  /** in major units of the invoice's currency */
  readonly amount: Decimal
  readonly id: InvoiceId
}

/** A planned payment. */
export interface PaymentPlan extends InvoiceChange {
  readonly payment: InvoicePayment
  readonly sent: PaymentInput
}
