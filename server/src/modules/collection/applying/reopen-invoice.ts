import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import {
  type Invoice,
  type InvoiceId,
  listCreditPayments,
  lockCollectables,
  reopenStepByStep,
  withdrawCollected,
} from '../../invoices/index.ts'
import type { Move } from '../payments/books.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import { lockPayment } from '../payments/received-payments.store.ts'
import { move, placeOf, tellOfMoves } from './place-of-money.ts'

/** Puts back to the buyer's credit what the service itself took from it for an invoice. It is used again when the invoice is finalised. */
async function giveBackCredit(context: Inside<TokenCaller>, id: InvoiceId): Promise<void> {
  const { tx, caller } = context
  const { tenant } = caller
  const taken = await listCreditPayments(tx, tenant, id)
  if (taken.length === 0) return
  // Received payments are locked before invoices, as by everybody who moves money.
  const payments = new Map<string, ReceivedPayment>()
  for (const receivedId of [...new Set(taken.map(({ receivedPaymentId }) => receivedPaymentId as string))].sort()) {
    const payment = await lockPayment(tx, tenant, receivedId as ReceivedPaymentId)
    if (payment) payments.set(receivedId, payment)
  }
  let [{ invoice } = { invoice: undefined }] = await lockCollectables(tx, tenant, [id])
  // Read again: what was withdrawn before the locks were held is not there any more.
  for (const { id: invoicePaymentId, receivedPaymentId, amountMinor } of await listCreditPayments(tx, tenant, id)) {
    const before = payments.get(receivedPaymentId as string)
    if (!before || !invoice) continue
    invoice = await withdrawCollected(context, await placeOf(context, tenant, before), invoice, invoicePaymentId)
    const moves: Move[] = [
      { type: 'withdraw', amountMinor, invoiceId: id, invoicePaymentId },
      { type: 'credit', amountMinor },
    ]
    const after = await move(context, tenant, before, moves)
    tellOfMoves(context, tenant, before, after, moves)
    payments.set(before.id, after)
  }
}

/** Makes a draft of an invoice again. What it took from the buyer's credit goes back there first. */
export const reopenInvoice = operation(
  { needs: ['invoice.reopen'], refuses: ['resource.not_found', 'invoice.reopen.not_possible'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    await giveBackCredit(context, id)
    return await reopenStepByStep(context, { id })
  },
)
