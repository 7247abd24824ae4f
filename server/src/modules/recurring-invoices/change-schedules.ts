import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { farDayFaults } from '../../kernel/far-days.ts'
import { newId } from '../../kernel/ids.ts'
import { type Fault, invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { createInvoice, type DraftInput } from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { numberFrom, occurrence, type Recurrence } from './calendar.ts'
import { draftFor, nextPeriod, wordingFor } from './make-invoice.ts'
import { faultsOfFilled } from './placeholders.ts'
import {
  capabilitiesOf,
  type NewSchedule,
  type RecurringSchedule,
  type RecurringScheduleId,
  type ScheduleContent,
} from './recurring-schedule.ts'
import {
  countSchedules,
  deleteSkip,
  failWaiting,
  findSchedule,
  insertSchedule,
  lockSchedule,
  type NextPeriod,
  readOpenPeriods,
  type StoredSchedule,
  saveContent,
  saveRun,
  saveSchedule,
} from './recurring-schedules.store.ts'
import { emitScheduleEvent } from './schedule-events.ts'

/** More schedules than a business has contracts that it bills from one place. */
const mostSchedules = 20_000

type Context = Inside<TokenCaller>
export interface ScheduleRef {
  readonly id: RecurringScheduleId
}

const zoneOf = ({ ports, caller }: Context): string => jurisdictionOf(ports, caller).zone
const todayIn = (context: Context): string => businessDay(context.now, zoneOf(context))

async function lockOwn({ tx, caller }: Context, { id }: ScheduleRef): Promise<StoredSchedule> {
  const found = await lockSchedule(tx, caller.tenant, id)
  if (!found) throw refuse('resource.not_found')
  return found
}

/** All names of months are in so many periods of a monthly schedule. */
const periodsToFill = 12

/** Faults that the invoice of the first period would have, such as an unknown buyer, are found now. */
async function checkContent(context: Context, content: ScheduleContent, recurrence: Recurrence): Promise<void> {
  const outside = { ...context, db: context.tx, throttle: async () => {} }
  const wording = await wordingFor(context.tx, context.caller.tenant, content.template)
  const drafts = Array.from({ length: periodsToFill }, (_, nth) => draftFor(content, { recurrence, nth, wording }))
  const tooLong = drafts.flatMap(faultsOfFilled)
  if (tooLong.length > 0) throw invalid([...new Map(tooLong.map((fault) => [fault.path, fault])).values()])
  await createInvoice.plan(outside, drafts[0] as DraftInput)
}

const needsByPolicy = {
  all: ['invoice.create'] as const,
  oneOf: [],
  by: ({ policy }: { policy: ScheduleContent['policy'] }) => capabilitiesOf[policy],
}
const draftRefusals = [
  'request.invalid',
  'jurisdiction.unsupported',
  'invoice.item_unknown',
  'invoice.item_archived',
] as const

/** Starts to make invoices by a rule of the calendar. */
export const createSchedule = operation(
  { needs: needsByPolicy, refuses: [...draftRefusals, 'recurring_schedule.too_many'] },
  async (context: Context, sent: NewSchedule): Promise<RecurringSchedule> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { recurrence } = sent
    const today = todayIn(context)
    const far = farDayFaults({ startsOn: recurrence.startsOn, until: recurrence.until })
    if (far.length > 0) throw invalid(far)
    if (recurrence.startsOn < today)
      throw invalid([{ path: 'startsOn', rule: 'range', message: `must not be before today, ${today}` }])
    if (occurrence(recurrence, 0) === undefined)
      throw invalid([{ path: 'until', rule: 'range', message: 'must not be before the first invoice' }])
    await checkContent(context, sent, recurrence)
    if ((await countSchedules(tx, tenant)) >= mostSchedules) throw refuse('recurring_schedule.too_many')
    const id = newId<'recurring-schedule'>()
    const schedule = { ...sent, id, status: 'active', createdAt: now } as const
    await insertSchedule(tx, tenant, schedule, nextPeriod(recurrence, 0, zoneOf(context)), caller)
    return await savedAs(context, id, 'recurring_schedule.created')
  },
)

type ChangeEvent = `recurring_schedule.${'created' | 'updated' | 'paused' | 'resumed' | 'ended'}`

async function savedAs(context: Context, id: RecurringScheduleId, type: ChangeEvent): Promise<RecurringSchedule> {
  const saved = (await findSchedule(context.tx, context.caller.tenant, id)) as StoredSchedule
  emitScheduleEvent(context, type, context.caller.tenant, saved)
  return saved
}

const nextOf = (context: Context, { recurrence, nextNumber, nextOn }: StoredSchedule): NextPeriod =>
  nextOn === null ? { nextNumber, nextOn, nextAt: null } : nextPeriod(recurrence, nextNumber, zoneOf(context))

/** More planned changes than a contract has. */
const mostPlannedChanges = 24

export interface ScheduleChange extends ScheduleRef, ScheduleContent {
  /** The contents count for periods from this day on. If absent: from the next one, and for periods before it that were refused. */
  readonly fromDay?: string | undefined
}

function faultsOfChange({ recurrence, nextOn, changesOn }: StoredSchedule, fromDay: string | undefined): Fault[] {
  const faults = [...farDayFaults({ changeFrom: fromDay })]
  const add = (message: string) => faults.push({ path: 'changeFrom', rule: 'range', message })
  if (fromDay === undefined) return faults
  if (fromDay < recurrence.startsOn) add(`must not be before the first day of the schedule, ${recurrence.startsOn}`)
  const isPlanned = nextOn !== null && fromDay > nextOn
  if (isPlanned && changesOn.length >= mostPlannedChanges && !changesOn.includes(fromDay))
    add(`must be the day of a planned change: there are ${mostPlannedChanges} already`)
  return faults
}

/** Changes the content of a schedule from a day on. Existing invoices stay as they are, and so do changes that are planned for later days. */
export const changeContent = operation(
  { needs: needsByPolicy, refuses: [...draftRefusals, 'resource.not_found', 'recurring_schedule.ended'] },
  async (context: Context, { id, fromDay, ...content }: ScheduleChange): Promise<RecurringSchedule> => {
    const { tx, caller, now } = context
    const schedule = await lockOwn(context, { id })
    const { nextOn } = schedule
    const open = await readOpenPeriods(tx, caller.tenant, id)
    const first = fromDay ?? open.firstRefused ?? nextOn
    // The content of a schedule that has ended can be corrected for periods that have no invoice.
    if (first === null || (nextOn === null && !open.hasAny)) throw refuse('recurring_schedule.ended')
    const faults = faultsOfChange(schedule, fromDay)
    if (faults.length > 0) throw invalid(faults)
    await checkContent(context, content, schedule.recurrence)
    await saveContent(tx, caller.tenant, id, { fromDay: first, nextOn }, content)
    await saveSchedule(tx, caller.tenant, id, { ...schedule, ...nextOf(context, schedule) }, now)
    return await savedAs(context, id, 'recurring_schedule.updated')
  },
)

const changing = { needs: ['invoice.create'] as const }

export const pauseSchedule = operation(
  { ...changing, refuses: ['resource.not_found', 'recurring_schedule.not_active'] },
  async (context: Context, ref: ScheduleRef): Promise<RecurringSchedule> => {
    const schedule = await lockOwn(context, ref)
    if (schedule.status !== 'active') throw refuse('recurring_schedule.not_active')
    const change = { ...schedule, ...nextOf(context, schedule), status: 'paused' } as const
    await saveSchedule(context.tx, context.caller.tenant, ref.id, change, context.now)
    return await savedAs(context, ref.id, 'recurring_schedule.paused')
  },
)

/** Continues with the first period from today on. Periods of the pause get no invoice. */
export const resumeSchedule = operation(
  { ...changing, refuses: ['resource.not_found', 'recurring_schedule.not_paused'] },
  async (context: Context, ref: ScheduleRef): Promise<RecurringSchedule> => {
    const schedule = await lockOwn(context, ref)
    if (schedule.status !== 'paused') throw refuse('recurring_schedule.not_paused')
    const { recurrence, nextNumber } = schedule
    const nth = Math.max(nextNumber, numberFrom(recurrence, todayIn(context)))
    const next = nextPeriod(recurrence, nth, zoneOf(context))
    const status = next.nextOn === null ? 'ended' : 'active'
    await failWaiting(context.tx, context.caller.tenant, ref.id, next.nextOn)
    await saveSchedule(context.tx, context.caller.tenant, ref.id, { ...schedule, ...next, status }, context.now)
    return await savedAs(context, ref.id, 'recurring_schedule.resumed')
  },
)

/** Ends the schedule. Its invoices stay. */
export const endSchedule = operation(
  { ...changing, refuses: ['resource.not_found', 'recurring_schedule.ended'] },
  async (context: Context, ref: ScheduleRef): Promise<RecurringSchedule> => {
    const schedule = await lockOwn(context, ref)
    if (schedule.status === 'ended') throw refuse('recurring_schedule.ended')
    const change = { ...schedule, nextOn: null, nextAt: null, status: 'ended' } as const
    await failWaiting(context.tx, context.caller.tenant, ref.id, null)
    await saveSchedule(context.tx, context.caller.tenant, ref.id, change, context.now)
    return await savedAs(context, ref.id, 'recurring_schedule.ended')
  },
)

/** How far ahead a period can be skipped, in periods. */
const skippableAhead = 120
const comingNumbers = (first: number) => Array.from({ length: skippableAhead }, (_, ahead) => first + ahead)

/** Leaves out one period that has not come yet. */
export const skipPeriod = operation(
  { ...changing, refuses: ['resource.not_found', 'request.invalid', 'recurring_schedule.ended'] },
  async (context: Context, { id, day }: ScheduleRef & { readonly day: string }): Promise<RecurringSchedule> => {
    const { tx, caller, now } = context
    const schedule = await lockOwn(context, { id })
    const { recurrence, nextNumber, nextOn } = schedule
    if (nextOn === null) throw refuse('recurring_schedule.ended')
    const number = comingNumbers(nextNumber).find((nth) => occurrence(recurrence, nth) === day)
    if (number === undefined)
      throw invalid([
        { path: 'day', rule: 'unknown', message: 'must be a coming day of this schedule; read its preview' },
      ])
    await saveRun(tx, caller.tenant, id, { day, number, outcome: 'skipped' }, now)
    await saveSchedule(tx, caller.tenant, id, { ...schedule, ...nextOf(context, schedule) }, now)
    return await savedAs(context, id, 'recurring_schedule.updated')
  },
)

/** Takes back the skip of a period that has not come yet. */
export const unskipPeriod = operation(
  { ...changing, refuses: ['resource.not_found', 'request.invalid', 'recurring_schedule.ended'] },
  async (context: Context, { id, day }: ScheduleRef & { readonly day: string }): Promise<RecurringSchedule> => {
    const { tx, caller, now } = context
    const schedule = await lockOwn(context, { id })
    if (schedule.nextOn === null) throw refuse('recurring_schedule.ended')
    const isTakenBack = day >= schedule.nextOn && (await deleteSkip(tx, caller.tenant, id, day))
    if (!isTakenBack)
      throw invalid([
        { path: 'day', rule: 'unknown', message: 'must be a coming day that was skipped; read the preview' },
      ])
    await saveSchedule(tx, caller.tenant, id, { ...schedule, ...nextOf(context, schedule) }, now)
    return await savedAs(context, id, 'recurring_schedule.updated')
  },
)
