import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { ReminderPayload, UnsentReminderPayload } from '../../../kernel/reminder-payloads.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { findBuyer } from '../../buyers/index.ts'
import { mailLimits } from '../../messages/index.ts'
import { type Delivery, deliveries, type Invoice, type InvoiceId } from '../invoice.ts'
import { emitInvoiceEvent, invoicePayload } from '../invoice-events.ts'
import { saveProgress } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'

/** The further of two deliveries. */
export const further = (a: Delivery, b: Delivery): Delivery => (deliveries.indexOf(a) <= deliveries.indexOf(b) ? a : b)

/** May be shown to the buyer: issued, and neither rejected nor cancelled. */
export const canBeShown = ({ status }: Pick<Invoice, 'status'>): boolean =>
  !['draft', 'rejected', 'cancelled'].includes(status)

/** Sends an invoice to its buyer. Each call emits an event, and a consumer writes the mail. */
export const sendInvoice = operation(
  {
    needs: ['invoice.send_to_buyer'],
    refuses: [
      'resource.not_found',
      'invoice.send.not_finalised',
      'invoice.send.no_email',
      'limit.document_mails',
      'limit.mails',
    ],
  },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { invoice } = await lockOwnInvoice(context.tx, context.caller.tenant, id)
    return await sendToBuyer(context, invoice)
  },
)

/** The current address of the buyer: it may have changed, or been removed, since the document was issued. That of the document without a saved buyer. */
export async function addressOfBuyer(db: Queryable, tenant: Tenant, invoice: Invoice): Promise<string | undefined> {
  const buyer = invoice.buyerId === null ? undefined : await findBuyer(db, tenant, invoice.buyerId)
  return (buyer ?? invoice.buyerCopy)?.email ?? undefined
}

const asMailed = (invoice: Invoice, now: Date): Invoice => ({
  ...invoice,
  sentAt: now,
  delivery: further(invoice.delivery, 'sent_email'),
  updatedAt: now,
})

/** Saves that a mail of the reminder plan led the buyer to an invoice. */
export async function saveReminded(
  { tx, now, emit }: Inside<Caller>,
  tenant: Tenant,
  invoice: Invoice,
  country: string,
  reminder: ReminderPayload,
): Promise<void> {
  const sent = await saveProgress(tx, tenant, asMailed(invoice, now))
  emit(
    'invoice.reminder_sent',
    { ...tenant, objectId: sent.id, version: sent.version },
    { ...invoicePayload(sent, country), ...reminder },
  )
}

/** Emits that a mail left out the reminder of an invoice. */
export function emitNotReminded(
  { emit }: Inside<Caller>,
  tenant: Tenant,
  invoice: Invoice,
  country: string,
  reminder: UnsentReminderPayload,
): void {
  emit(
    'invoice.reminder_not_sent',
    { ...tenant, objectId: invoice.id, version: invoice.version },
    { ...invoicePayload(invoice, country), ...reminder },
  )
}

/** The caller holds the lock of the invoice. A reminder is the same mail with other words. */
export async function sendToBuyer(
  context: Inside<TokenCaller>,
  invoice: Invoice,
  more: { readonly reminder?: true } = {},
): Promise<Invoice> {
  const { tx, caller, now } = context
  const { tenant } = caller
  if (!canBeShown(invoice)) throw refuse('invoice.send.not_finalised')
  const email = await addressOfBuyer(tx, tenant, invoice)
  if (!email) throw refuse('invoice.send.no_email')
  await mailLimits.countDocumentMail(context, tenant, invoice.id, email)
  const sent = await saveProgress(tx, tenant, asMailed(invoice, now))
  emitInvoiceEvent(context, 'invoice.sent', tenant, sent, { to: email, ...more })
  return sent
}
