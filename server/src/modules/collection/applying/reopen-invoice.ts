import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import {
  collectedPayments,
  type Invoice,
  type InvoiceId,
  lockOwnInvoice,
  reopenInTransaction,
} from '../../invoices/index.ts'
import type { Move } from '../payments/payment-balances.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import { lockPayment } from '../payments/received-payments.store.ts'
import { contextOf, emitMoves, move } from './move-money.ts'

/**
 * Returns credit that this service applied to the invoice by itself. It is applied again when the invoice is finalised.
 * If a person has meanwhile assigned the payment to another buyer, the money is nobody's credit and stays unmatched.
 */
async function giveBackCredit(context: Inside<TokenCaller>, id: InvoiceId): Promise<void> {
  const { tx, caller } = context
  const { tenant } = caller
  const taken = await collectedPayments.listCreditPayments(tx, tenant, id)
  // All code that moves money locks in one order: received payments by id, then invoices, then their notes.
  const payments = new Map<string, ReceivedPayment>()
  for (const receivedId of [...new Set(taken.map(({ receivedPaymentId }) => receivedPaymentId as string))].sort()) {
    const payment = await lockPayment(tx, tenant, receivedId as ReceivedPaymentId)
    if (payment) payments.set(receivedId, payment)
  }
  let { invoice } = await lockOwnInvoice(tx, tenant, id)
  // Read again: money may have moved before the locks were held.
  const left = await collectedPayments.listCreditPayments(tx, tenant, id)
  for (const { id: invoicePaymentId, receivedPaymentId, amountMinor } of left) {
    const before = payments.get(receivedPaymentId as string)
    // The invoice took credit of a payment that is not locked. Locking it now would break the lock order.
    if (!before) throw refuse('state.changed')
    const place = await contextOf(context, tenant, before)
    invoice = (await collectedPayments.withdrawCollected(context, place, invoice, invoicePaymentId)).invoice
    const moves: Move[] = [{ type: 'withdraw', amountMinor, invoiceId: id, invoicePaymentId }]
    if (invoice.buyerId === before.buyerId) moves.push({ type: 'credit', amountMinor })
    const after = await move(context, tenant, before, moves)
    emitMoves(context, tenant, before, after, moves)
    payments.set(before.id, after)
  }
}

/** Turns an invoice back into a draft. Credit that was applied to it is returned first. */
export const reopenInvoice = operation(
  { needs: ['invoice.reopen'], refuses: ['resource.not_found', 'state.changed', 'invoice.reopen.not_possible'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    await giveBackCredit(context, id)
    return await reopenInTransaction(context, { id })
  },
)
