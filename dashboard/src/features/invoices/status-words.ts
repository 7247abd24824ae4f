import type { InvoiceSummary } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

type StatusText = { readonly words: string; readonly tone: Tone }
type Status = InvoiceSummary['status']

/** Texts for people who do not know the API's status names. */
export const statusWords: Readonly<Record<Status, StatusText>> = {
  draft: { words: 'Draft', tone: 'neutral' },
  finalised: { words: 'Ready to submit', tone: 'info' },
  queued: { words: 'Being submitted', tone: 'info' },
  signed: { words: 'Being submitted', tone: 'info' },
  transmitted: { words: 'Being submitted', tone: 'info' },
  accepted: { words: 'Accepted', tone: 'good' },
  rejected: { words: 'Rejected', tone: 'bad' },
  failed: { words: 'Not submitted', tone: 'bad' },
  cancellation_pending: { words: 'Being cancelled', tone: 'warn' },
  cancelled: { words: 'Cancelled', tone: 'neutral' },
}

/** Whether the status will soon change without an action. */
export const isMoving = (status: Status): boolean =>
  status === 'queued' || status === 'signed' || status === 'transmitted' || status === 'cancellation_pending'

/** The payment state. `undefined` if no payment is expected. */
export function paymentWords(
  invoice: Pick<InvoiceSummary, 'status' | 'invoiceType' | 'paymentStatus' | 'overdue'>,
): StatusText | undefined {
  if (invoice.status === 'draft' || invoice.status === 'cancelled' || invoice.invoiceType === 'credit_note')
    return undefined
  if (invoice.paymentStatus === 'paid') return { words: 'Paid', tone: 'good' }
  if (invoice.overdue) return { words: 'Overdue', tone: 'bad' }
  if (invoice.paymentStatus === 'partially_paid') return { words: 'Partly paid', tone: 'warn' }
  if (invoice.paymentStatus === 'payment_failed') return { words: 'Payment failed', tone: 'bad' }
  return { words: 'Unpaid', tone: 'neutral' }
}

export const typeWords: Readonly<Record<InvoiceSummary['invoiceType'], string>> = {
  standard: 'Invoice',
  credit_note: 'Credit note',
  debit_note: 'Debit note',
  prepayment: 'Prepayment',
}

/** Whether the buyer still owes something on an invoice. */
export const isOpen = ({ status, invoiceType, dueMinor }: InvoiceSummary): boolean =>
  status !== 'draft' && status !== 'cancelled' && invoiceType !== 'credit_note' && dueMinor > 0

/** Amounts of credit notes count against those of invoices. */
export const signedMinor = (minor: number, type: InvoiceSummary['invoiceType']): number =>
  type === 'credit_note' ? 0 - minor : minor
