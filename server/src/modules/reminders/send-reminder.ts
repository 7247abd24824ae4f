import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type Buyer, lockBuyerShared } from '../buyers/index.ts'
import { mails } from '../documents/index.ts'
import { type Invoice, type InvoiceId, linkForBuyer, lockOwnInvoice, sendingInvoices } from '../invoices/index.ts'
import { preparedMessages } from '../messages/index.ts'
import { letterheads } from '../organisations/index.ts'
import { partToPay } from './due-part.ts'
import { type HeldBackReason, heldBackBy } from './held-back.ts'
import { leastOf } from './next-reminder.ts'
import { countryOf } from './remind-by-plan.ts'
import { isListed, reminderMail, type ShownInvoice, shownInvoice } from './reminder-mail.ts'
import type { BuyerSetting, ReminderPlan, ReminderStep, ReminderTemplate } from './reminder-plan.ts'
import {
  lockPlanShared,
  noPause,
  type ReminderFacts,
  readFacts,
  readMoneyLeft,
  readSetting,
} from './reminders.store.ts'
import type { RemindedInvoice, ReminderMailRef } from './send-reminder-job.ts'
import { lockRemindersOfMail, type SentReminder, saveNotSent, saveRecipient } from './sent-reminders.store.ts'

type Context = Inside<SystemCaller>

/** The invoice, locked; `undefined` if it was deleted. */
export async function lockIfThere({ tx }: Context, tenant: Tenant, id: InvoiceId): Promise<Invoice | undefined> {
  try {
    return (await lockOwnInvoice(tx, tenant, id)).invoice
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
    throw error
  }
}

interface Stopping {
  readonly reminder: SentReminder
  readonly invoice: Invoice | undefined
  readonly country: string
  readonly reason: HeldBackReason
  readonly mayHaveArrived: boolean
}

/** Writes into the history of an invoice why the mail left it out. */
export async function stopReminder(context: Context, tenant: Tenant, stopping: Stopping): Promise<void> {
  const { reminder, invoice, country, reason, mayHaveArrived } = stopping
  await saveNotSent(context.tx, tenant, reminder.id, { reason, mayHaveArrived })
  const { recipient: to, stepDays } = reminder
  if (invoice)
    sendingInvoices.emitNotReminded(context, tenant, invoice, country, { to, stepDays, reason, mayHaveArrived })
}

interface Now {
  readonly plan: ReminderPlan | undefined
  readonly buyer: Buyer | undefined
  readonly setting: BuyerSetting
  readonly facts: ReadonlyMap<InvoiceId, ReminderFacts>
  readonly moneyLeft: ReadonlyMap<InvoiceId, bigint>
  readonly today: string
}

/** The step of a reminder that is still wanted, or the reason against it. */
function stepOrReason(
  { invoiceId, buyerId, stepDays, dueDate }: SentReminder,
  invoice: Invoice | undefined,
  { plan, buyer, setting, facts, moneyLeft, today }: Now,
): ReminderStep | HeldBackReason {
  if (!buyer) return 'no_buyer'
  if (!invoice || invoice.buyerId !== buyerId) return 'not_owed'
  const { promisedOn, disputedAt } = facts.get(invoiceId) ?? noPause
  const email = buyer.email ?? undefined
  const isDisputed = disputedAt !== null
  const reason = heldBackBy(invoice, { plan, choice: setting.choice, email, isDisputed, promisedOn, today })
  if (reason) return reason
  const part = partToPay(invoice, today)
  // The instalment of the reminder is paid. A later one has steps of its own.
  if (!part || (dueDate !== null && part.dueDate > dueDate)) return 'nothing_due'
  if ((moneyLeft.get(invoiceId) ?? 0n) >= part.dueMinor) return 'covered'
  const step = plan?.steps.find(({ days }) => days === stepDays)
  if (!step) return 'no_step_left'
  return part.dueMinor < leastOf(step.minimums, invoice.currency) ? 'below_minimum' : step
}

const templateFor = ({ templates }: ReminderStep, language: string): ReminderTemplate | undefined =>
  templates.find((template) => template.language === language) ?? templates.find(({ language }) => language === null)

/** The step whose day is the furthest after the due date gives the words. */
const latestStepOf = (due: readonly RemindedInvoice[]): ReminderStep =>
  due.map(({ step }) => step).reduce((latest, step) => (step.days > latest.days ? step : latest))

async function mailOf(
  context: Context,
  tenant: Tenant,
  { buyer, due, today }: { readonly buyer: Buyer; readonly due: readonly RemindedInvoice[]; readonly today: string },
) {
  const wording = wordingOf(buyer.language)
  const shown: ShownInvoice[] = []
  for (const [nth, { invoice }] of due.entries()) {
    const link = isListed(nth) ? await linkForBuyer(context, tenant, invoice.id) : undefined
    shown.push(shownInvoice(invoice, { unnamedSeller: wording.say('mail.unnamed_seller'), link, today }))
  }
  const [first, ...others] = shown as [ShownInvoice, ...ShownInvoice[]]
  const { invoice: oldest } = due[0] as RemindedInvoice
  return reminderMail({
    mode: tenant.mode,
    invoices: [first, ...others],
    seller: oldest.sellerCopy,
    buyer: buyer.name,
    letterhead: await letterheads.getLetterheadOfDocument(context.tx, tenant.organisationId, oldest.letterheadCopy),
    template: templateFor(latestStepOf(due), wording.language),
    wording,
    today,
  })
}

const isStep = (one: ReminderStep | HeldBackReason): one is ReminderStep => typeof one !== 'string'

/**
 * Decides again, before each attempt, which invoices of a queued mail the buyer is still to be reminded of, and writes the mail with them.
 * Returns the id of the message, or `undefined` if nothing is to be sent. Locks: the reminders of the mail, the plan, the invoices by their
 * ids, the buyer, the message.
 */
export const prepareReminder = operation(
  { needs: [], refuses: ['resource.not_found'] },
  async (context: Context, { buyerId, day, ...tenant }: ReminderMailRef): Promise<string | undefined> => {
    const { tx, now, ports } = context
    const queued = await lockRemindersOfMail(tx, tenant, buyerId, day)
    const place = await countryOf({ db: tx, ports }, tenant)
    if (!place) return undefined
    const plan = await lockPlanShared(tx, tenant)
    const waiting = queued.filter(({ notSentReason }) => notSentReason === null)
    const ids = waiting.map(({ invoiceId }) => invoiceId)
    const invoices = new Map<InvoiceId, Invoice | undefined>()
    for (const id of ids.toSorted()) invoices.set(id, await lockIfThere(context, tenant, id))
    const buyer = await lockBuyerShared(tx, tenant, buyerId)
    const cause = `reminder:${tenant.organisationId}:${tenant.mode}:${buyerId}:${day}`
    const message = await preparedMessages.lock(context, cause)
    if (message?.isSent) return undefined
    const facts = {
      plan,
      buyer,
      setting: await readSetting(tx, tenant, buyerId),
      facts: await readFacts(tx, tenant, ids),
      moneyLeft: await readMoneyLeft(tx, tenant, ids),
      today: businessDay(now, place.zone),
    }
    const mayHaveArrived = (message?.openAttempts ?? 0) > 0
    const due: (RemindedInvoice & { readonly reminderId: string })[] = []
    for (const reminder of waiting) {
      const invoice = invoices.get(reminder.invoiceId)
      const found = stepOrReason(reminder, invoice, facts)
      if (!isStep(found))
        await stopReminder(context, tenant, {
          reminder,
          invoice,
          country: place.country,
          reason: found,
          mayHaveArrived,
        })
      else if (invoice) due.push({ invoice, step: found, reminderId: reminder.id })
    }
    const to = buyer?.email
    if (due.length === 0 || !buyer || !to || !(await mails.mayBeMailed({ db: tx, ports }, tenant, to))) {
      await preparedMessages.withdraw(context, message)
      return undefined
    }
    const reminderIds = due.map(({ reminderId }) => reminderId)
    await saveRecipient(tx, tenant, reminderIds, to)
    const mail = await mailOf(context, tenant, { buyer, due, today: facts.today })
    return await preparedMessages.beginAttempt(context, { cause, channel: 'email', to, ...mail }, message)
  },
)
