import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { type BuyerId, findBuyer } from '../buyers/index.ts'
import { getOwnInvoice, type Invoice, type InvoiceId, sendingInvoices } from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { demandOn, openPartsOf } from './due-part.ts'
import { type HeldBackReason, heldBackBy } from './held-back.ts'
import { nextReminder, type RemindableInvoice } from './next-reminder.ts'
import { type BuyerChoice, coveredSince, type ReminderPlan, type ReminderStep, suggestedPlan } from './reminder-plan.ts'
import {
  findPlan,
  listNothing,
  listUpcoming,
  noPause,
  type ReminderPause,
  readFacts,
  readMoneyLeft,
  readSetting,
  type UpcomingReminder,
} from './reminders.store.ts'
import { nextRunDay } from './run-time.ts'
import { listSent, type SentFilter, type SentReminder, wasRemindedOn } from './sent-reminders.store.ts'

type Context = Outside<TokenCaller>

/** The saved plan, or the plan that the editor begins with. */
export interface ShownPlan extends Pick<ReminderPlan, 'isOn' | 'hour' | 'buyers' | 'nextAt'> {
  readonly steps: readonly Omit<ReminderStep, 'since'>[]
  /** 0 if no plan was saved */
  readonly version: number
  readonly updatedAt: Date | null
  readonly zone: string
}

export const getPlan = reading(
  { needs: ['invoice.read'], refuses: ['jurisdiction.unsupported'] },
  async ({ db, caller, ports }: Context): Promise<ShownPlan> => {
    const { zone } = jurisdictionOf(ports, caller)
    const plan = await findPlan(db, caller.tenant)
    if (plan) return { ...plan, zone }
    const { days, ...rest } = suggestedPlan
    const steps = days.map((day) => ({ days: day, minimums: [], templates: [] }))
    return { ...rest, steps, nextAt: null, version: 0, updatedAt: null, zone }
  },
)

/** The coming reminders of the plan: each invoice with its next reminder. */
export const listUpcomingReminders = reading(
  { needs: ['invoice.read', 'buyer.read'], refuses: ['jurisdiction.unsupported'] },
  async ({ db, caller, ports, now }: Context, page: PageRequest): Promise<Page<UpcomingReminder>> => {
    const { zone } = jurisdictionOf(ports, caller)
    const plan = await findPlan(db, caller.tenant)
    if (!plan?.nextAt) return listNothing(page)
    return await listUpcoming(db, caller.tenant, { plan, zone, day: nextRunDay(now, plan.nextAt, zone) }, page)
  },
)

export const listSentReminders = reading(
  { needs: ['invoice.read'], refuses: [] },
  (
    { db, caller }: Context,
    { page, ...filter }: SentFilter & { readonly page: PageRequest },
  ): Promise<Page<SentReminder>> => listSent(db, caller.tenant, filter, page),
)

/** The reasons against a reminder of an invoice, the next reminder, and those that were sent. */
export interface InvoiceReminders {
  readonly pause: ReminderPause
  readonly heldBack: HeldBackReason | null
  readonly next: { readonly day: string; readonly stepDays: number } | null
  readonly sent: readonly SentReminder[]
}

/** The newest reminders that are shown with an invoice. */
const mostShown = 50

export async function invoiceReminders(
  { db, caller, ports, now }: Pick<Context, 'db' | 'caller' | 'ports' | 'now'>,
  invoice: Invoice,
): Promise<InvoiceReminders> {
  const { tenant } = caller
  const { id, buyerId } = invoice
  const { zone } = jurisdictionOf(ports, caller)
  const today = businessDay(now, zone)
  const { lastRemindedOn, ...pause } = (await readFacts(db, tenant, [id])).get(id) ?? {
    ...noPause,
    lastRemindedOn: null,
  }
  const plan = await findPlan(db, tenant)
  const setting = buyerId === null ? undefined : await readSetting(db, tenant, buyerId)
  const stopped = heldBackBy(invoice, {
    plan,
    choice: setting?.choice ?? 'by_plan',
    email: await sendingInvoices.addressOfBuyer(db, tenant, invoice),
    isDisputed: pause.disputedAt !== null,
    promisedOn: pause.promisedOn,
    today,
  })
  const { rows: sent } = await listSent(db, tenant, { invoiceId: id }, { page: 1, limit: mostShown })
  const isComing = stopped === null || stopped === 'promised'
  if (!isComing || !plan?.nextAt || !invoice.finalisedAt || buyerId === null || !setting)
    return { pause, heldBack: stopped, next: null, sent }
  const runDay = nextRunDay(now, plan.nextAt, zone)
  const isTaken = await wasRemindedOn(db, tenant, buyerId, runDay)
  const parts = openPartsOf(invoice)
  const facts: RemindableInvoice = {
    parts,
    currency: invoice.currency,
    issuedOn: businessDay(invoice.finalisedAt, zone),
    lastRemindedOn,
    promisedOn: pause.promisedOn,
    coveredSince: coveredSince(plan, setting),
  }
  const firstDay = isTaken ? dayAfter(runDay) : runDay
  const next = nextReminder(plan.steps, facts, firstDay)
  if (next) {
    const money = (await readMoneyLeft(db, tenant, [id])).get(id) ?? 0n
    if (money >= demandOn(parts, next.day)) return { pause, heldBack: 'covered', next: null, sent }
    return { pause, heldBack: stopped, next: { day: next.day, stepDays: next.step.days }, sent }
  }
  const anyAmount = plan.steps.map((step) => ({ ...step, minimums: [] }))
  const isSmall = nextReminder(anyAmount, facts, firstDay) !== undefined
  return { pause, heldBack: isSmall ? 'below_minimum' : 'no_step_left', next: null, sent }
}

export const getInvoiceReminders = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found', 'jurisdiction.unsupported'] },
  async (context: Context, { id }: { readonly id: InvoiceId }): Promise<InvoiceReminders> =>
    await invoiceReminders(context, await getOwnInvoice(context.db, context.caller.tenant, id)),
)

export const getBuyerChoice = reading(
  { needs: ['buyer.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Context, { id }: { readonly id: BuyerId }): Promise<BuyerChoice> => {
    if (!(await findBuyer(db, caller.tenant, id))) throw refuse('resource.not_found')
    return (await readSetting(db, caller.tenant, id)).choice
  },
)
