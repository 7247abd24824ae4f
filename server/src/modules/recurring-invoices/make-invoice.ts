import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay, startOfDay } from '../../kernel/days.ts'
import { type Wording, wordingOf } from '../../kernel/languages/wording.ts'
import { invalid, Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { tryPart } from '../../platform/operations/try-part.ts'
import { findBuyer } from '../buyers/index.ts'
import {
  createInvoice,
  type DraftInput,
  finaliseInTransaction,
  type InvoiceId,
  sendingInvoices,
} from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { submitInTransaction } from '../submissions/index.ts'
import { dayNumber, daysAfter, occurrence, periodOf, type Recurrence } from './calendar.ts'
import { faultsOfFilled, templateFor } from './placeholders.ts'
import {
  capabilitiesOf,
  type InvoiceTemplate,
  longestWaitMs,
  mayPass,
  type Policy,
  type RecurringRun,
  type RecurringScheduleId,
  type ScheduleContent,
} from './recurring-schedule.ts'
import {
  findRun,
  getContent,
  lockFreeSchedule,
  lockSchedule,
  type NewRun,
  type NextPeriod,
  type StoredRun,
  type StoredSchedule,
  saveRun,
  saveSchedule,
} from './recurring-schedules.store.ts'
import { emitScheduleEvent } from './schedule-events.ts'

type Context = Inside<TokenCaller>

/** The period with this number, if the rule has one. Its invoice is due when its day begins. */
export function nextPeriod(recurrence: Recurrence, nth: number, zone: string): NextPeriod {
  const nextOn = occurrence(recurrence, nth) ?? null
  return { nextNumber: nth, nextOn, nextAt: nextOn === null ? null : startOfDay(nextOn, zone) }
}

/** The words of a buyer. Invoices without a saved buyer have the standard language. */
export async function wordingFor(db: Queryable, tenant: Tenant, { buyerId }: InvoiceTemplate): Promise<Wording> {
  return wordingOf(buyerId == null ? undefined : (await findBuyer(db, tenant, buyerId))?.language)
}

/** The invoice of a period. Its saved items give the prices of the day on which it is made. */
export function draftFor(
  { template, dueInDays }: ScheduleContent,
  { recurrence, nth, wording }: { readonly recurrence: Recurrence; readonly nth: number; readonly wording: Wording },
): DraftInput {
  const issueDate = dayNumber(recurrence, nth)
  return {
    ...templateFor(template, periodOf(recurrence, nth), wording),
    type: 'standard',
    issueDate,
    dueDate: dueInDays === null ? null : daysAfter(issueDate, dueInDays),
  }
}

const outside = (context: Context) => ({ ...context, db: context.tx, throttle: async () => {} })

async function finaliseAndSubmit(context: Context, id: InvoiceId) {
  await finaliseInTransaction(context, { id })
  return await submitInTransaction(context, { id })
}

/** The steps after the creation of an invoice. With `submit_and_send`, the mail follows the acceptance. */
const follow: Readonly<Record<Policy, (context: Context, id: InvoiceId) => Promise<unknown>>> = {
  draft: async () => undefined,
  finalise: (context, id) => finaliseInTransaction(context, { id }),
  submit: finaliseAndSubmit,
  submit_and_send: finaliseAndSubmit,
  send: async (context, id) => {
    await finaliseInTransaction(context, { id })
    return await (await sendingInvoices.sendInvoice.prepare(outside(context), { id }))(context)
  },
}

async function createAndFollow(context: Context, content: ScheduleContent, recurrence: Recurrence, nth: number) {
  const wording = await wordingFor(context.tx, context.caller.tenant, content.template)
  const draft = draftFor(content, { recurrence, nth, wording })
  const faults = faultsOfFilled(draft)
  if (faults.length > 0) throw invalid(faults)
  const made = await createInvoice.fallback(context, await createInvoice.plan(outside(context), draft))
  if (made instanceof Refusal) throw made
  const followed = await follow[content.policy](context, made.id)
  if (followed instanceof Refusal) throw followed
  return { id: made.id, number: made.number }
}

/** Somebody may buy credits meanwhile, and the limit of mails counts hours. */
const retryAfterMs = 60 * 60_000

type Period = Pick<NewRun, 'day' | 'number'> & {
  /** what came of the period until now */
  readonly run: StoredRun | undefined
  /** whether it waits if the reason of a refusal may pass */
  readonly mayWait: boolean
}

/**
 * Makes the invoice of a period, or keeps the reason why it was refused. Returns when a period that waits is tried again. The caller holds
 * the lock of the schedule.
 */
async function makePeriod(context: Context, schedule: StoredSchedule, period: Period): Promise<Date | undefined> {
  const { tx, caller, now } = context
  const { id, recurrence } = schedule
  const { day, number, run, mayWait } = period
  const content = await getContent(tx, caller.tenant, id, day)
  const made = await tryPart(context, (inner) => createAndFollow(inner, content, recurrence, number))
  // Another request changed something at the same moment. Thrown, it makes the runner repeat the whole period.
  if (made instanceof Refusal && made.refusal === 'state.changed') throw made
  const days = { day, ...periodOf(recurrence, number) }
  if (made instanceof Refusal) {
    const { refusal, message, details = [] } = made
    const refused = { refusal, message, details }
    const payload = { ...days, reason: refusal, message }
    const waitingSince = run?.waitingSince ?? now
    if (mayWait && mayPass(refusal) && now.getTime() - waitingSince.getTime() < longestWaitMs) {
      await saveRun(tx, caller.tenant, id, { day, number, outcome: 'waiting', refused, waitingSince }, now)
      if (run?.outcome !== 'waiting')
        emitScheduleEvent(context, 'recurring_schedule.period_waiting', caller.tenant, schedule, payload)
      return new Date(now.getTime() + retryAfterMs)
    }
    await saveRun(tx, caller.tenant, id, { day, number, outcome: 'failed', refused }, now)
    emitScheduleEvent(context, 'recurring_schedule.period_failed', caller.tenant, schedule, payload)
    return undefined
  }
  const isSentLater = content.policy === 'submit_and_send'
  await saveRun(tx, caller.tenant, id, { day, number, outcome: 'made', invoice: made, isSentLater }, now)
  const payload = { ...days, invoiceId: made.id, invoiceNumber: made.number }
  emitScheduleEvent(context, 'recurring_schedule.invoice_made', caller.tenant, schedule, payload)
  return undefined
}

/** Goes to the next period, or ends the schedule after its last one. */
async function advance(context: Context, schedule: StoredSchedule, zone: string): Promise<void> {
  const { tx, caller, now } = context
  const next = nextPeriod(schedule.recurrence, schedule.nextNumber + 1, zone)
  const status = next.nextOn === null ? 'ended' : schedule.status
  await saveSchedule(tx, caller.tenant, schedule.id, { ...schedule, ...next, status }, now)
  if (status === 'ended')
    emitScheduleEvent(context, 'recurring_schedule.ended', caller.tenant, {
      ...schedule,
      ...next,
      status,
      version: schedule.version + 1,
    })
}

interface DueRef {
  readonly id: RecurringScheduleId
}

/** The next period of a schedule that a worker may take now; `undefined` if there is none. */
async function lockDue(context: Context, { id }: DueRef) {
  const { tx, caller, now, ports } = context
  const schedule = await lockFreeSchedule(tx, caller.tenant, id)
  if (schedule?.status !== 'active' || schedule.nextOn === null || !schedule.nextAt || schedule.nextAt > now)
    return undefined
  const { zone } = jurisdictionOf(ports, caller)
  return { schedule, zone, day: schedule.nextOn, number: schedule.nextNumber }
}

/**
 * Makes the next period of a schedule, in one transaction with its invoice and its result. So a crash leaves either
 * both or none, and a period never gets two invoices. Returns false if there was nothing to do.
 */
export const makeNextPeriod = operation(
  { needs: [], refuses: ['state.changed', 'jurisdiction.unsupported'] },
  async (context: Context, ref: DueRef): Promise<boolean> => {
    const due = await lockDue(context, ref)
    if (!due) return false
    const { schedule, zone, day, number } = due
    const { tx, caller, now } = context
    const { id, recurrence, catchUp } = schedule
    const after = occurrence(recurrence, number + 1)
    const isLatest = after === undefined || startOfDay(after, zone) > now
    const isMissed = (catchUp === 'latest' && !isLatest) || (catchUp === 'none' && day < businessDay(now, zone))
    const run = await findRun(tx, caller.tenant, schedule, day)
    let retryAt: Date | undefined
    if (!run && isMissed) await saveRun(tx, caller.tenant, id, { day, number, outcome: 'missed' }, now)
    // Other results are final: the period was skipped, or somebody made its invoice while it waited.
    else if (!run || run.outcome === 'waiting')
      retryAt = await makePeriod(context, schedule, { day, number, run, mayWait: true })
    if (retryAt) await saveSchedule(tx, caller.tenant, id, { ...schedule, nextAt: retryAt }, now)
    else await advance(context, schedule, zone)
    return true
  },
)

const ourFailure = {
  refusal: 'internal.failure',
  message: 'Something went wrong on our side, and nothing was made. Run this period again.',
  details: [],
} as const

/** Records that a period failed through our own fault after all repetitions, so that the schedule can go on. */
export const saveOurFailure = operation(
  { needs: [], refuses: ['jurisdiction.unsupported'] },
  async (context: Context, ref: DueRef): Promise<void> => {
    const due = await lockDue(context, ref)
    if (!due) return
    const { schedule, zone, day, number } = due
    const { tx, caller, now } = context
    await saveRun(tx, caller.tenant, ref.id, { day, number, outcome: 'failed', refused: ourFailure }, now)
    const payload = {
      day,
      ...periodOf(schedule.recurrence, number),
      reason: ourFailure.refusal,
      message: ourFailure.message,
    }
    emitScheduleEvent(context, 'recurring_schedule.period_failed', caller.tenant, schedule, payload)
    await advance(context, schedule, zone)
  },
)

/**
 * Makes a period that waits, failed, was missed or was skipped, with the content of its day. It needs the permissions for what the schedule
 * does.
 */
export const runPeriodAgain = operation(
  {
    needs: ['invoice.create'],
    refuses: [
      'resource.not_found',
      'request.invalid',
      'jurisdiction.unsupported',
      'recurring_schedule.period_made',
      'auth.capability_missing',
      'state.changed',
    ],
  },
  async (context: Context, { id, day }: DueRef & { readonly day: string }): Promise<RecurringRun> => {
    const { tx, caller, ports, now } = context
    const schedule = await lockSchedule(tx, caller.tenant, id)
    const run = schedule && (await findRun(tx, caller.tenant, schedule, day))
    if (!run) throw refuse('resource.not_found')
    if (run.outcome === 'made') throw refuse('recurring_schedule.period_made')
    const today = businessDay(now, jurisdictionOf(ports, caller).zone)
    if (day > today)
      throw invalid([{ path: 'day', rule: 'range', message: `must not be after today, ${today}; take back its skip` }])
    const { policy } = await getContent(tx, caller.tenant, id, day)
    if (!capabilitiesOf[policy].every((needed) => caller.capabilities.has(needed)))
      throw refuse('auth.capability_missing')
    await makePeriod(context, schedule, { day, number: run.number, run, mayWait: run.outcome === 'waiting' })
    return (await findRun(tx, caller.tenant, schedule, day)) as RecurringRun
  },
)
