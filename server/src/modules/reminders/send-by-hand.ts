import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { mails } from '../documents/index.ts'
import { derivedStatuses, type Invoice, type InvoiceId, linkForBuyer, sendingInvoices } from '../invoices/index.ts'
import { preparedMessages } from '../messages/index.ts'
import { type HeldBackReason, isStopped } from './held-back.ts'
import { countryOf } from './remind-by-plan.ts'
import { noPause, readFacts, readSetting } from './reminders.store.ts'
import { lockIfThere, stopReminder } from './send-reminder.ts'
import { lockReminderByHand, saveRecipient } from './sent-reminders.store.ts'

const tenantOf = ({ organisationId, mode }: EventNotice): Tenant => ({ organisationId, mode: mode as Mode })

/** `undefined` if the document was deleted or cannot be shown any more. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<mails.PreparedMail | undefined> {
  const ref = { ...tenantOf(notice), id: notice.objectId as InvoiceId }
  try {
    return await mails.prepareMail(context, ref, { to: '', isReminder: true, isRevised: false })
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
    throw error
  }
}

/** Why the buyer is not to be reminded by hand any more; null if the reminder is still wanted. */
async function reasonAgainst(
  tx: Queryable,
  tenant: Tenant,
  invoice: Invoice,
  today: string,
): Promise<HeldBackReason | null> {
  const { id, status, buyerId } = invoice
  if (status === 'draft') return 'not_issued'
  if (!sendingInvoices.canBeShown(invoice)) return 'not_owed'
  if (derivedStatuses.dueMinor(invoice) <= 0n) return 'nothing_due'
  const { disputedAt, promisedOn } = (await readFacts(tx, tenant, [id])).get(id) ?? noPause
  if (isStopped({ disputedAt }, today)) return 'disputed'
  if (isStopped({ promisedOn }, today)) return 'promised'
  const choice = buyerId === null ? undefined : (await readSetting(tx, tenant, buyerId)).choice
  return isStopped({ choice }, today) ? 'buyer_never' : null
}

/**
 * Decides again, before each attempt, whether the buyer is still to be reminded by hand, and writes the mail. Returns the id of the message, or
 * `undefined` if nothing is to be sent.
 */
export const prepareByHand = preparedOperation(
  { needs: [], refuses: ['jurisdiction.unsupported', 'document.not_drawn'] },
  prepare,
  async (
    context: Inside<SystemCaller>,
    notice: EventNotice,
    prepared: mails.PreparedMail | undefined,
  ): Promise<string | undefined> => {
    const { tx, now, ports } = context
    const tenant = tenantOf(notice)
    const id = notice.objectId as InvoiceId
    const reminder = await lockReminderByHand(tx, tenant, id, notice.objectVersion ?? 0)
    const place = await countryOf({ db: tx, ports }, tenant)
    if (!place || reminder?.notSentReason) return undefined
    const invoice = await lockIfThere(context, tenant, id)
    const cause = `invoice-sent:${notice.eventId}`
    const message = await preparedMessages.lock(context, cause)
    if (message?.isSent) return undefined
    const today = businessDay(now, place.zone)
    const to = invoice && (await sendingInvoices.addressOfBuyer(tx, tenant, invoice))
    const reason = invoice
      ? ((await reasonAgainst(tx, tenant, invoice, today)) ?? (to ? null : 'no_email'))
      : 'not_owed'
    if (reason && reminder) {
      const mayHaveArrived = (message?.openAttempts ?? 0) > 0
      await stopReminder(context, tenant, { reminder, invoice, country: place.country, reason, mayHaveArrived })
    }
    if (reason || !to || !prepared || !(await mails.mayBeMailed({ db: tx, ports }, tenant, to))) {
      await preparedMessages.withdraw(context, message)
      return undefined
    }
    if (reminder) await saveRecipient(tx, tenant, [reminder.id], to)
    const mail = mails.documentMail(prepared, await linkForBuyer(context, tenant, id))
    return await preparedMessages.beginAttempt(context, { cause, channel: 'email', to, ...mail }, message)
  },
)
