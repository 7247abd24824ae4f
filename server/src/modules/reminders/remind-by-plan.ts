import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { turnOf } from '../../platform/jobs/turns.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { type BuyerId, lockBuyerShared } from '../buyers/index.ts'
import { mails } from '../documents/index.ts'
import { type Invoice, lockOwnInvoice, sendingInvoices } from '../invoices/index.ts'
import { mailLimits } from '../messages/index.ts'
import { findOrganisation } from '../organisations/index.ts'
import { type DuePart, openPartsOf, partToPay } from './due-part.ts'
import { heldBackBy } from './held-back.ts'
import { nextReminder } from './next-reminder.ts'
import { coveredSince, mostInvoicesOfMail } from './reminder-plan.ts'
import {
  findNextReminderDay,
  findPlan,
  listBuyersToRemind,
  listInvoicesToRemind,
  listTenantsWithDueReminders,
  lockPlan,
  lockPlanShared,
  noPause,
  type Run,
  readFacts,
  readMoneyLeft,
  readSetting,
  saveNextRun,
} from './reminders.store.ts'
import { nextRunAfter, runOn } from './run-time.ts'
import { type RemindedInvoice, sendReminderJob } from './send-reminder-job.ts'
import { claimDay, insertSent, wasRemindedOn } from './sent-reminders.store.ts'

type Context = Inside<SystemCaller>
const ours = { needs: [], refuses: [] } as const

const tenantsAtOnce = 1_000
/** A second or two of work, so that other organisations do not wait long for their turn. */
const buyersAtOnce = 20
const hourMs = 60 * 60_000

export const findTenantsWithDueReminders = reading(
  ours,
  ({ db, realNow }: Outside<SystemCaller>, after: Tenant | undefined): Promise<readonly Tenant[]> =>
    listTenantsWithDueReminders(db, after, realNow, tenantsAtOnce),
)

export async function countryOf(
  { db, ports }: Pick<Outside<SystemCaller>, 'db' | 'ports'>,
  { organisationId }: Tenant,
): Promise<{ readonly country: string; readonly zone: string } | undefined> {
  const country = (await findOrganisation(db, organisationId))?.country
  const jurisdiction = country === undefined ? undefined : ports.jurisdictions.of(country)
  return country === undefined || !jurisdiction ? undefined : { country, zone: jurisdiction.zone }
}

/**
 * The first run after a moment that has somebody to remind, if nothing else happens before. A sandbox that is moved forward goes there, and not
 * to the hour of each day.
 */
export async function findNextRunAt(
  db: Queryable,
  tenant: Tenant,
  after: Date,
  ports: Ports,
): Promise<Date | undefined> {
  const plan = await findPlan(db, tenant)
  const place = plan?.nextAt && (await countryOf({ db, ports }, tenant))
  if (!plan?.nextAt || !place) return undefined
  const { zone } = place
  const first = plan.nextAt > after ? plan.nextAt : nextRunAfter(after, plan.hour, zone)
  const run = { plan, day: businessDay(first, zone), zone }
  const day = await findNextReminderDay(db, tenant, run)
  if (day === undefined) return undefined
  return day === run.day ? first : runOn(day, plan.hour, zone)
}

interface TenantRun extends Run {
  readonly country: string
}

/**
 * The run of a tenant that is due now. Undefined before the hour of the day: after an outage over midnight nobody is
 * reminded at night.
 */
async function runOf(context: Outside<SystemCaller> | Context, tenant: Tenant): Promise<TenantRun | undefined> {
  const db = 'tx' in context ? context.tx : context.db
  const plan = 'tx' in context ? await lockPlanShared(context.tx, tenant) : await findPlan(db, tenant)
  const place = plan?.nextAt && (await countryOf({ db, ports: context.ports }, tenant))
  if (!plan?.nextAt || !place || plan.nextAt > context.now) return undefined
  const day = businessDay(context.now, place.zone)
  return context.now < runOn(day, plan.hour, place.zone) ? undefined : { plan, day, ...place }
}

/** The next buyers of a run, in the order of their ids. Empty if no run is due. */
export const readBuyersToRemind = reading(
  ours,
  async (
    context: Outside<SystemCaller>,
    { after, ...tenant }: Tenant & { readonly after: BuyerId | undefined },
  ): Promise<readonly BuyerId[]> => {
    const run = await runOf(context, tenant)
    return run ? await listBuyersToRemind(context.db, tenant, run, after, buyersAtOnce) : []
  },
)

/** Ends the run of a day, or continues it later. */
export const endRun = operation(
  ours,
  async (
    context: Context,
    { retryMs, ...tenant }: Tenant & { readonly retryMs: number | undefined },
  ): Promise<void> => {
    const { tx, now } = context
    const plan = await lockPlan(tx, tenant)
    const place = await countryOf({ db: tx, ports: context.ports }, tenant)
    if (!plan?.nextAt || plan.nextAt > now) return
    const isDone = retryMs === undefined && place !== undefined
    await saveNextRun(
      tx,
      tenant,
      isDone ? nextRunAfter(now, plan.hour, place.zone) : new Date(now.getTime() + (retryMs ?? hourMs)),
    )
  },
)

interface DueInvoice extends RemindedInvoice {
  readonly part: DuePart
}

/** Locks the invoices of the reminder and decides again: a buyer may have paid or disputed one meanwhile. */
async function lockDue(context: Context, tenant: Tenant, run: TenantRun, buyerId: BuyerId) {
  const { tx } = context
  const { plan, day: today, zone } = run
  const ids = await listInvoicesToRemind(tx, tenant, run, buyerId, mostInvoicesOfMail)
  const locked: Invoice[] = []
  // One order of locks for all. The order of the mail is that of the list.
  for (const id of ids.toSorted()) locked.push((await lockOwnInvoice(tx, tenant, id)).invoice)
  const buyer = await lockBuyerShared(tx, tenant, buyerId)
  if (!buyer) return undefined
  const facts = await readFacts(tx, tenant, ids)
  const setting = await readSetting(tx, tenant, buyerId)
  const moneyLeft = await readMoneyLeft(tx, tenant, ids)
  const due = ids.flatMap((id): DueInvoice[] => {
    const invoice = locked.find((one) => one.id === id)
    const part = invoice && partToPay(invoice, today)
    if (!invoice || !part || invoice.buyerId !== buyerId || !invoice.finalisedAt) return []
    const { promisedOn, lastRemindedOn, disputedAt } = facts.get(id) ?? { ...noPause, lastRemindedOn: null }
    const email = buyer.email ?? undefined
    const isDisputed = disputedAt !== null
    if (heldBackBy(invoice, { plan, choice: setting.choice, email, isDisputed, promisedOn, today })) return []
    // A buyer whose money is here, although no invoice has taken it yet, is not reminded of invoices that it covers.
    if ((moneyLeft.get(id) ?? 0n) >= part.dueMinor) return []
    const next = nextReminder(
      plan.steps,
      {
        parts: openPartsOf(invoice),
        currency: invoice.currency,
        issuedOn: businessDay(invoice.finalisedAt, zone),
        lastRemindedOn,
        promisedOn,
        coveredSince: coveredSince(plan, setting),
      },
      today,
    )
    return next?.day === today ? [{ invoice, step: next.step, part }] : []
  })
  return { buyer, due }
}

/** The words of the mail are written when it is sent, from what is due then. */
async function queueMail(context: Context, tenant: Tenant, day: string, { id, to }: { id: BuyerId; to: string }) {
  const { tx, ports } = context
  if (!(await mails.mayBeMailed({ db: tx, ports }, tenant, to))) return
  // The key of buyer and day limits them. In a sandbox that is moved forward, many days pass on one real day.
  await mailLimits.countDocumentMail(context, tenant, `reminders of ${id} on ${day}`, to)
  context.enqueue(sendReminderJob, { ...tenant, buyerId: id, day }, { turn: turnOf(tenant) })
}

/**
 * Reminds one buyer of everything that is due for a reminder today, in one mail. One transaction checks everything anew,
 * takes the key of (buyer, day), writes the history of each invoice and enqueues the job of the mail. So a crash leaves all of it or
 * none, and two workers cannot remind twice. Returns whether a reminder was sent.
 */
export const remindByPlan = operation(
  { needs: [], refuses: ['resource.not_found', 'limit.mails', 'limit.document_mails'] },
  async (context: Context, { buyerId, ...tenant }: Tenant & { readonly buyerId: BuyerId }): Promise<boolean> => {
    const { tx, now } = context
    const run = await runOf(context, tenant)
    if (!run || (await wasRemindedOn(tx, tenant, buyerId, run.day))) return false
    const found = await lockDue(context, tenant, run, buyerId)
    const oldest = found?.due[0]?.invoice
    const to = found?.buyer.email
    if (!found || !oldest || !to) return false
    // Invoices are locked before this key, as in a reminder by hand.
    if (!(await claimDay(tx, tenant, buyerId, run.day))) return false
    const { buyer, due } = found
    await queueMail(context, tenant, run.day, { id: buyer.id, to })
    const sent = due.map(({ invoice, step, part }) => ({
      id: newId(),
      invoiceId: invoice.id,
      invoiceNumber: invoice.number,
      buyerId,
      day: run.day,
      stepDays: step.days,
      recipient: to,
      ...part,
      currency: invoice.currency,
      sentAt: now,
      invoiceVersion: null,
    }))
    await insertSent(tx, tenant, sent)
    for (const [nth, { invoice }] of due.entries()) {
      const { stepDays, dueMinor } = sent[nth] as (typeof sent)[number]
      const reminder = { to, stepDays, dueMinor: Number(dueMinor), invoicesInMail: due.length }
      await sendingInvoices.saveReminded(context, tenant, invoice, run.country, reminder)
    }
    return true
  },
)
