import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { findBuyer } from '../../buyers/index.ts'
import { countDocumentMail } from '../../messages/index.ts'
import { dueMinor } from '../derived-statuses.ts'
import { type Delivery, deliveries, type Invoice, type InvoiceId } from '../invoice.ts'
import { emitInvoiceEvent } from '../invoice-events.ts'
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

/** Reminds the buyer of the amount due: the same mail with other words, which depend on how late the payment is. */
export const remindBuyer = operation(
  {
    needs: ['invoice.send_to_buyer'],
    refuses: [
      'resource.not_found',
      'invoice.send.not_finalised',
      'invoice.send.no_email',
      'invoice.remind.nothing_due',
      'limit.document_mails',
      'limit.mails',
    ],
  },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { invoice } = await lockOwnInvoice(context.tx, context.caller.tenant, id)
    if (canBeShown(invoice) && dueMinor(invoice) === 0n) throw refuse('invoice.remind.nothing_due')
    return await sendToBuyer(context, invoice, { reminder: true })
  },
)

async function sendToBuyer(
  context: Inside<TokenCaller>,
  invoice: Invoice,
  more: { readonly reminder?: true } = {},
): Promise<Invoice> {
  const { tx, caller, now } = context
  const { tenant } = caller
  if (!canBeShown(invoice)) throw refuse('invoice.send.not_finalised')
  // The address may have been added after the copy was made.
  const buyer = invoice.buyerId === null ? undefined : await findBuyer(tx, tenant, invoice.buyerId)
  const email = buyer?.email ?? invoice.buyerCopy?.email
  if (!email) throw refuse('invoice.send.no_email')
  await countDocumentMail(context, tenant, invoice.id, email)
  const sent = await saveProgress(tx, tenant, {
    ...invoice,
    sentAt: now,
    delivery: further(invoice.delivery, 'sent_email'),
    updatedAt: now,
  })
  emitInvoiceEvent(context, 'invoice.sent', tenant, sent, { to: email, ...more })
  return sent
}
