import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { derivedStatuses, type Invoice, type InvoiceId, lockOwnInvoice, sendingInvoices } from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { isStopped } from './held-back.ts'
import { readFacts, readSetting } from './reminders.store.ts'
import { claimDay, insertSent } from './sent-reminders.store.ts'

/**
 * Reminds the buyer of one invoice now: the same mail as that of the invoice, with words that depend on how late the
 * payment is. It is no step of the plan, but a dispute, a promise and a buyer who gets no reminders stop it too. The plan sends nothing to this
 * buyer on the same day.
 */
export const remindBuyer = operation(
  {
    needs: ['invoice.send_to_buyer'],
    refuses: [
      'resource.not_found',
      'jurisdiction.unsupported',
      'invoice.send.not_finalised',
      'invoice.send.no_email',
      'invoice.remind.nothing_due',
      'invoice.remind.held_back',
      'limit.document_mails',
      'limit.mails',
    ],
  },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { tx, caller, ports, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    const dueMinor = derivedStatuses.dueMinor(invoice)
    if (sendingInvoices.canBeShown(invoice) && dueMinor === 0n) throw refuse('invoice.remind.nothing_due')
    const day = businessDay(now, jurisdictionOf(ports, caller).zone)
    const facts = (await readFacts(tx, tenant, [id])).get(id)
    const setting = invoice.buyerId === null ? undefined : await readSetting(tx, tenant, invoice.buyerId)
    if (isStopped({ ...facts, choice: setting?.choice }, day)) throw refuse('invoice.remind.held_back')
    // First the day of the buyer, then the count of mails, as in a reminder of the plan. Otherwise the two could wait for each other.
    if (invoice.buyerId !== null) await claimDay(tx, tenant, invoice.buyerId, day)
    const sent = await sendingInvoices.sendToBuyer(context, invoice, { reminder: true })
    await insertSent(tx, tenant, [
      {
        id: newId(),
        invoiceId: id,
        invoiceNumber: invoice.number,
        buyerId: invoice.buyerId,
        day,
        stepDays: null,
        recipient: (await sendingInvoices.addressOfBuyer(tx, tenant, invoice)) ?? '',
        dueMinor,
        currency: invoice.currency,
        dueDate: invoice.dueDate,
        sentAt: now,
        invoiceVersion: sent.version,
      },
    ])
    return sent
  },
)
