import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Id, newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Actor, actorOf } from '../../../platform/operations/actors.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { dueMinor } from '../derived-statuses.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { tellOfInvoice, toldAmounts } from '../invoice-events.ts'
import { findInvoice, saveProgress } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'
import { insertPayment, listPayments, lockPayment, saveReversed } from './payments.store.ts'

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
}

export interface PaymentInput extends Pick<InvoicePayment, 'amountMinor' | 'paidOn' | 'method' | 'reference'> {
  readonly id: InvoiceId
}

const isPayable = ({ type, status }: Invoice): boolean =>
  type !== 'credit_note' && !['draft', 'cancelled'].includes(status)

/** Records what a buyer paid, up to what is due. The invoice is `paid` once nothing is. */
export const recordPayment = operation(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'request.invalid', 'invoice.pay.not_payable', 'invoice.pay.too_much'],
  },
  async (context: Inside<TokenCaller>, { id, ...sent }: PaymentInput) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    if (!isPayable(invoice)) throw refuse('invoice.pay.not_payable')
    const due = dueMinor(invoice)
    if (sent.amountMinor > due)
      throw refuse('invoice.pay.too_much', {
        details: [{ path: 'amount', rule: 'due', message: `is more than the ${due} minor units that are due` }],
      })
    const { kind, id: recordedBy } = actorOf(caller)
    const payment: InvoicePayment = {
      ...sent,
      id: newId(),
      invoiceId: id,
      recordedBy: { type: kind, id: recordedBy },
      recordedAt: now,
      reversedAt: null,
    }
    await insertPayment(tx, tenant, payment)
    const paid = await saveProgress(tx, tenant, {
      ...invoice,
      paidMinor: invoice.paidMinor + payment.amountMinor,
      updatedAt: now,
    })
    const told = { paymentId: payment.id, amountMinor: Number(payment.amountMinor), paidOn: payment.paidOn }
    tellOfInvoice(context, 'invoice.payment_recorded', tenant, paid, { ...told, ...toldAmounts(paid) })
    if (dueMinor(paid) === 0n) tellOfInvoice(context, 'invoice.paid', tenant, paid, toldAmounts(paid))
    return { payment, invoice: paid }
  },
)

/** Takes a recorded payment back; it stays in the list, marked as reversed. */
export const reversePayment = operation(
  { needs: ['invoice.record_payment'], refuses: ['resource.not_found', 'invoice.payment_reversed'] },
  async (context: Inside<TokenCaller>, { id, paymentId }: { id: InvoiceId; paymentId: InvoicePaymentId }) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    const payment = await lockPayment(tx, tenant, id, paymentId)
    if (!payment) throw refuse('resource.not_found')
    if (payment.reversedAt) throw refuse('invoice.payment_reversed')
    await saveReversed(tx, tenant, paymentId, now)
    const after = await saveProgress(tx, tenant, {
      ...invoice,
      paidMinor: invoice.paidMinor - payment.amountMinor,
      updatedAt: now,
    })
    const told = { paymentId, amountMinor: Number(payment.amountMinor) }
    tellOfInvoice(context, 'invoice.payment_reversed', tenant, after, { ...told, ...toldAmounts(after) })
    return { payment: { ...payment, reversedAt: now }, invoice: after }
  },
)

/** Every payment that was recorded, reversed ones included, oldest first. */
export const listInvoicePayments = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: InvoiceId }) => {
    if (!(await findInvoice(db, caller.tenant, id))) throw refuse('resource.not_found')
    return await listPayments(db, caller.tenant, id)
  },
)
