import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { checkedMinor, moneyInWords } from '../../../kernel/money-words.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import { type Inside, type Outside, operation, reading, statement } from '../../../platform/operations/operation.ts'
import { amountsPayload, dueMinor, unsettledMinor } from '../derived-statuses.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { emitInvoiceEvent, type InvoiceEvent, newInvoiceEvent } from '../invoice-events.ts'
import { findInvoice, findToChange, saveProgress } from '../invoices.store.ts'
import { lockOwnInvoice, writeLocked } from '../lock-invoice.ts'
import type { InvoicePayment, InvoicePaymentId, PaymentInput, PaymentPlan } from './payment.ts'
import { listPayments, lockPayment, recordPayments, saveReversed } from './payments.store.ts'

export const isPayable = ({ type, status }: Invoice): boolean =>
  type !== 'credit_note' && !['draft', 'cancelled'].includes(status)

/** The invoice with one more payment and its events, or a refusal. */
async function planPayment(
  { db, caller, now }: Pick<Outside<TokenCaller>, 'db' | 'caller' | 'now'>,
  input: PaymentInput,
): Promise<PaymentPlan> {
  const { id: invoiceId, amount, ...sent } = input
  const before = await findToChange(db, caller.tenant, invoiceId)
  if (!before) throw refuse('resource.not_found')
  if (!isPayable(before)) throw refuse('invoice.pay.not_payable')
  const due = unsettledMinor(before)
  const amountMinor = checkedMinor('amount', amount, before.currency)
  if (amountMinor > due)
    throw refuse('invoice.pay.too_much', {
      details: [
        { path: 'amount', rule: 'due', message: `must be at most ${moneyInWords(due, before.currency)}, which is due` },
      ],
    })
  const { kind, id } = actorOf(caller)
  const payment: InvoicePayment = {
    ...sent,
    amountMinor,
    id: newId(),
    invoiceId,
    recordedBy: { type: kind, id },
    recordedAt: now,
    reversedAt: null,
    receivedPaymentId: null,
    fromCredit: false,
  }
  const paidMinor = before.paidMinor + payment.amountMinor
  const after: Invoice = { ...before, paidMinor, updatedAt: now, version: before.version + 1 }
  const amounts = amountsPayload(after)
  const recorded = { paymentId: payment.id, amountMinor: Number(payment.amountMinor), paidOn: payment.paidOn }
  const events: InvoiceEvent[] = [
    newInvoiceEvent(caller, 'invoice.payment_recorded', after, { ...recorded, ...amounts }),
  ]
  if (dueMinor(after) === 0n) events.push(newInvoiceEvent(caller, 'invoice.paid', after, amounts))
  return { before, after, events, payment, sent: input }
}

const recordedPayment = ({ payment, after }: PaymentPlan) => ({ payment, invoice: after })

/** Records a buyer's payment, up to the amount due. The invoice is `paid` once nothing is due. */
export const recordPayment = statement(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'request.invalid', 'invoice.pay.not_payable', 'invoice.pay.too_much'],
  },
  {
    plan: planPayment,
    conflictKey: ({ before }) => before.id,
    write: recordPayments,
    returning: [],
    replyHasNoSecret: true,
    output: recordedPayment,
    fallback: async (context: Inside<TokenCaller>, { sent }) => {
      await lockOwnInvoice(context.tx, context.caller.tenant, sent.id)
      const plan = await planPayment({ ...context, db: context.tx }, sent)
      await writeLocked(context, recordPayments, plan)
      return recordedPayment(plan)
    },
  },
)

/** Reverses a recorded payment; it stays in the list, marked as reversed. */
export const reversePayment = operation(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'invoice.payment_reversed', 'invoice.payment_collected'],
  },
  async (context: Inside<TokenCaller>, { id, paymentId }: { id: InvoiceId; paymentId: InvoicePaymentId }) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    const payment = await lockPayment(tx, tenant, id, paymentId)
    if (!payment) throw refuse('resource.not_found')
    if (payment.reversedAt) throw refuse('invoice.payment_reversed')
    if (payment.receivedPaymentId) throw refuse('invoice.payment_collected')
    await saveReversed(tx, tenant, paymentId, now)
    const after = await saveProgress(tx, tenant, {
      ...invoice,
      paidMinor: invoice.paidMinor - payment.amountMinor,
      updatedAt: now,
    })
    const payload = { paymentId, amountMinor: Number(payment.amountMinor) }
    emitInvoiceEvent(context, 'invoice.payment_reversed', tenant, after, { ...payload, ...amountsPayload(after) })
    return { payment: { ...payment, reversedAt: now }, invoice: after }
  },
)

/** All recorded payments, reversed ones included, oldest first. */
export const listInvoicePayments = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: InvoiceId }) => {
    if (!(await findInvoice(db, caller.tenant, id))) throw refuse('resource.not_found')
    return await listPayments(db, caller.tenant, id)
  },
)
