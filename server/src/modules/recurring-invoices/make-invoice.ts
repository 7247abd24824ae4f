import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay, startOfDay } from '../../kernel/days.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { tryPart } from '../../platform/operations/try-part.ts'
import {
  createInvoice,
  type DraftInput,
  finaliseInTransaction,
  type InvoiceId,
  manyInvoices,
} from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { submitInTransaction } from '../submissions/index.ts'
import { dayNumber, daysAfter, occurrence, periodOf, type Recurrence } from './calendar.ts'
import { templateFor } from './placeholders.ts'
import {
  capabilitiesOf,
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

/** The invoice of a period. Its saved items give the prices of the day on which it is made. */
export function draftFor({ template, dueInDays }: ScheduleContent, recurrence: Recurrence, nth: number): DraftInput {
  const issueDate = dayNumber(recurrence, nth)
  return {
    ...templateFor(template, periodOf(recurrence, nth)),
    type: 'standard',
    issueDate,
    dueDate: dueInDays === null ? null : daysAfter(issueDate, dueInDays),
  }
}

const outside = (context: Context) => ({ ...context, db: context.tx, throttle: async () => {} })

/** The steps after the creation of an invoice. */
const follow: Readonly<Record<Policy, (context: Context, id: InvoiceId) => Promise<unknown>>> = {
  draft: async () => undefined,
  finalise: (context, id) => finaliseInTransaction(context, { id }),
  submit: async (context, id) => {
    await finaliseInTransaction(context, { id })
    return await submitInTransaction(context, { id })
  },
  send: async (context, id) => {
    await finaliseInTransaction(context, { id })
    return await (await manyInvoices.sendInvoice.prepare(outside(context), { id }))(context)
  },
}

async function createAndFollow(context: Context, content: ScheduleContent, recurrence: Recurrence, nth: number) {
  const made = await createInvoice.fallback(
    context,
    await createInvoice.plan(outside(context), draftFor(content, recurrence, nth)),
  )
  if (made instanceof Refusal) throw made
  const followed = await follow[content.policy](context, made.id)
  if (followed instanceof Refusal) throw followed
  return { id: made.id, number: made.number }
}

/** Makes the invoice of a period, or keeps the reason why it was refused. The caller holds the lock of the schedule. */
async function makePeriod(
  context: Context,
  schedule: StoredSchedule,
  { day, number }: Pick<NewRun, 'day' | 'number'>,
): Promise<void> {
  const { tx, caller, now } = context
  const { id, recurrence } = schedule
  const content = await getContent(tx, caller.tenant, id, day)
  const made = await tryPart(context, (inner) => createAndFollow(inner, content, recurrence, number))
  // Another request changed something at the same moment. Thrown, it makes the runner repeat the whole period.
  if (made instanceof Refusal && made.refusal === 'state.changed') throw made
  const period = periodOf(recurrence, number)
  if (made instanceof Refusal) {
    const { refusal, message, details = [] } = made
    await saveRun(
      tx,
      caller.tenant,
      id,
      { day, number, outcome: 'failed', refused: { refusal, message, details } },
      now,
    )
    const payload = { day, ...period, reason: refusal, message }
    emitScheduleEvent(context, 'recurring_schedule.period_failed', caller.tenant, schedule, payload)
    return
  }
  await saveRun(tx, caller.tenant, id, { day, number, outcome: 'made', invoice: made }, now)
  const payload = { day, ...period, invoiceId: made.id, invoiceNumber: made.number }
  emitScheduleEvent(context, 'recurring_schedule.invoice_made', caller.tenant, schedule, payload)
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
  if (schedule?.status !== 'active' || schedule.nextOn === null) return undefined
  const { zone } = jurisdictionOf(ports, caller)
  if (startOfDay(schedule.nextOn, zone) > now) return undefined
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
    // A period that was skipped has a result already.
    if (!(await findRun(tx, caller.tenant, schedule, day))) {
      if (isMissed) await saveRun(tx, caller.tenant, id, { day, number, outcome: 'missed' }, now)
      else await makePeriod(context, schedule, { day, number })
    }
    await advance(context, schedule, zone)
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

/** Makes a period that failed, was missed or was skipped. It needs the permissions for what the schedule does. */
export const runPeriodAgain = operation(
  {
    needs: ['invoice.create'],
    refuses: ['resource.not_found', 'recurring_schedule.period_made', 'auth.capability_missing', 'state.changed'],
  },
  async (context: Context, { id, day }: DueRef & { readonly day: string }): Promise<RecurringRun> => {
    const { tx, caller } = context
    const schedule = await lockSchedule(tx, caller.tenant, id)
    const run = schedule && (await findRun(tx, caller.tenant, schedule, day))
    if (!run) throw refuse('resource.not_found')
    if (run.outcome === 'made') throw refuse('recurring_schedule.period_made')
    const { policy } = await getContent(tx, caller.tenant, id, day)
    if (!capabilitiesOf[policy].every((needed) => caller.capabilities.has(needed)))
      throw refuse('auth.capability_missing')
    await makePeriod(context, schedule, { day, number: run.number })
    return (await findRun(tx, caller.tenant, schedule, day)) as RecurringRun
  },
)
