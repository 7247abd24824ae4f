import type { Caller } from '../../../kernel/callers.ts'
import type { InvoiceAmountsPayload, InvoicePayload } from '../../../kernel/event-payloads.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../../kernel/events.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { amountsPayload, dueMinor } from '../derived-statuses.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { invoicePayload } from '../invoice-events.ts'
import { findInvoice, saveProgress } from '../invoices.store.ts'
import { lockInOrder } from './collected-payments.store.ts'
import type { InvoicePayment, InvoicePaymentId } from './payment.ts'
import { insertPayment, lockPayment, saveReversed } from './payments.store.ts'
import { isPayable } from './payments.ts'

export { listOpenInvoices } from './collected-payments.store.ts'
export { listCreditPayments } from './payments.store.ts'

/** What collection needs to know of an invoice. */
export interface Collectable {
  readonly id: InvoiceId
  readonly invoice: Invoice
  readonly currency: string
  readonly dueMinor: bigint
  readonly isPayable: boolean
}

export const collectableOf = (invoice: Invoice): Collectable => ({
  id: invoice.id,
  invoice,
  currency: invoice.currency,
  dueMinor: dueMinor(invoice),
  isPayable: isPayable(invoice),
})

/** Locks invoices in the common order, and returns them in the requested order. */
export async function lockCollectables(tx: Tx, tenant: Tenant, ids: readonly InvoiceId[]): Promise<Collectable[]> {
  if (ids.length === 0) return []
  await lockInOrder(tx, tenant, ids)
  const found: Collectable[] = []
  for (const id of ids) {
    const invoice = await findInvoice(tx, tenant, id)
    if (invoice) found.push(collectableOf(invoice))
  }
  return found
}

type RecordContext = Pick<Inside<Caller>, 'tx' | 'now' | 'emit' | 'caller'>

/** The tenant of the invoices. The caller, such as a provider's notification, need not belong to it. */
export interface InvoiceOwner {
  readonly tenant: Tenant
  readonly country: string
}

/** The part of a transfer that an invoice shows. */
export interface CollectedMoney {
  readonly receivedPaymentId: string
  readonly amountMinor: bigint
  readonly paidOn: string
  readonly reference: string
  /** all of it comes from the buyer's credit, by our own decision */
  readonly fromCredit?: boolean
}

type PaidPayload = InvoicePayload & InvoiceAmountsPayload

function emitPaidEvent<Type extends 'invoice.payment_recorded' | 'invoice.payment_reversed' | 'invoice.paid'>(
  { emit }: RecordContext,
  { tenant, country }: InvoiceOwner,
  type: Type,
  invoice: Invoice,
  ...further: MorePayload<Type, PaidPayload>
): void {
  const about = { ...tenant, objectId: invoice.id, version: invoice.version }
  const payload: PaidPayload = { ...invoicePayload(invoice, country), ...amountsPayload(invoice) }
  emit<EventOf<'invoice'>>(type, about, payloadOf<Type, PaidPayload>(payload, further))
}

/** Records money from a bank transfer. The invoice must be locked, and the amount at most what is due. */
export async function recordCollected(
  context: RecordContext,
  owner: InvoiceOwner,
  before: Invoice,
  { receivedPaymentId, amountMinor, paidOn, reference, fromCredit = false }: CollectedMoney,
): Promise<{ readonly paymentId: InvoicePaymentId; readonly invoice: Invoice }> {
  const { tx, now, caller } = context
  const { kind, id } = actorOf(caller)
  const payment: InvoicePayment = {
    id: newId(),
    invoiceId: before.id,
    amountMinor,
    paidOn,
    method: 'bank_transfer',
    reference,
    recordedBy: { type: kind, id },
    recordedAt: now,
    reversedAt: null,
    receivedPaymentId,
    fromCredit,
  }
  await insertPayment(tx, owner.tenant, payment)
  const invoice = await saveProgress(tx, owner.tenant, {
    ...before,
    paidMinor: before.paidMinor + amountMinor,
    updatedAt: now,
  })
  const recorded = { paymentId: payment.id, amountMinor: Number(amountMinor), paidOn }
  emitPaidEvent(context, owner, 'invoice.payment_recorded', invoice, recorded)
  if (dueMinor(invoice) === 0n) emitPaidEvent(context, owner, 'invoice.paid', invoice)
  return { paymentId: payment.id, invoice }
}

/**
 * Takes back money from a bank transfer; the invoice must be locked. Returns the invoice without it, and the reversed
 * payment.
 */
export async function withdrawCollected(
  context: RecordContext,
  owner: InvoiceOwner,
  before: Invoice,
  paymentId: InvoicePaymentId,
): Promise<{ readonly payment: InvoicePayment; readonly invoice: Invoice }> {
  const { tx, now } = context
  const payment = await lockPayment(tx, owner.tenant, before.id, paymentId)
  if (!payment || payment.reversedAt) throw new Error('a payment that is withdrawn must be there')
  await saveReversed(tx, owner.tenant, paymentId, now)
  const invoice = await saveProgress(tx, owner.tenant, {
    ...before,
    paidMinor: before.paidMinor - payment.amountMinor,
    updatedAt: now,
  })
  emitPaidEvent(context, owner, 'invoice.payment_reversed', invoice, {
    paymentId,
    amountMinor: Number(payment.amountMinor),
  })
  return { payment, invoice }
}
