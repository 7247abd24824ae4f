import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, Refusal } from '../../../kernel/refusals.ts'
import { listEventData } from '../../../platform/events/event-data.store.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { tryPart } from '../../../platform/operations/try-part.ts'
import { mailLimits } from '../../messages/index.ts'
import type { Invoice } from '../invoice.ts'
import { emitInvoiceEvent } from '../invoice-events.ts'
import { saveProgress } from '../invoices.store.ts'
import { further } from './send-invoice.ts'

/** More addresses than one document is sent to. */
const mostAddresses = 20

/** The draft was sent or shared and then reopened, so other people have an earlier version. */
export const hasEarlierVersion = ({ sentAt, sharedAt }: Pick<Invoice, 'sentAt' | 'sharedAt'>): boolean =>
  sentAt !== null || sharedAt !== null

/** Every address that the document was sent to, once each. */
async function addressesOf({ tx, caller }: Inside<TokenCaller>, { id, buyerCopy }: Invoice): Promise<string[]> {
  const payload = await listEventData(tx, caller.tenant, id, 'invoice.sent', mostAddresses)
  const sent = new Set(payload.map(({ to }) => to))
  // Events are deleted after a time, so the buyer's address stands in for them.
  if (sent.size === 0 && buyerCopy?.email) sent.add(buyerCopy.email)
  return [...sent]
}

/**
 * Mails an issued document to everybody who got its earlier version by mail; the link shows the new version. The
 * limits on mails apply. An address beyond a limit is named in `warnings`, and the document is issued nevertheless.
 */
export async function sendAgain(
  context: Inside<TokenCaller>,
  issued: Invoice,
): Promise<{ readonly invoice: Invoice; readonly warnings: readonly Fault[] }> {
  const { tx, caller, now } = context
  const { tenant } = caller
  const addresses = issued.sentAt ? await addressesOf(context, issued) : []
  const warnings: Fault[] = []
  const sent: string[] = []
  for (const to of addresses) {
    const counted = await tryPart(context, (inner) => mailLimits.countDocumentMail(inner, tenant, issued.id, to))
    if (counted instanceof Refusal)
      warnings.push({
        path: 'sentAt',
        rule: 'limit',
        message: `the new version was not sent to ${to}: ${counted.message}`,
      })
    else sent.push(to)
  }
  const delivery = issued.sharedAt ? further(issued.delivery, 'shared_link') : issued.delivery
  const invoice = await saveProgress(tx, tenant, {
    ...issued,
    sentAt: sent.length > 0 ? now : issued.sentAt,
    delivery: issued.sentAt ? further(delivery, 'sent_email') : delivery,
    updatedAt: now,
  })
  for (const to of sent) emitInvoiceEvent(context, 'invoice.sent', tenant, invoice, { to, revised: true })
  return { invoice, warnings }
}
