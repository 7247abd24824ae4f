import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { type Fault, invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { leastOf } from './next-reminder.ts'
import { placeholders, unknownPlaceholders } from './placeholders.ts'
import type { ShownPlan } from './read-reminders.ts'
import type { BuyerScope, NewStep, ReminderPlan, ReminderStep } from './reminder-plan.ts'
import { lockPlan, savePlan as writePlan } from './reminders.store.ts'
import { nextRunAfter } from './run-time.ts'

export interface NewPlan {
  readonly isOn: boolean
  readonly hour: number
  readonly buyers: BuyerScope
  readonly steps: readonly NewStep[]
  /** refuses if the plan was changed since; unchecked if absent */
  readonly version?: number | undefined
}

const knownOnes = placeholders.map((name) => `{${name}}`).join(', ')

export function placeholderFaults(path: string, text: string): Fault[] {
  return unknownPlaceholders(text).map((unknown) => ({
    path,
    rule: 'placeholder',
    message: `${unknown} is no placeholder; use ${knownOnes}`,
  }))
}

/** Rules that a schema cannot express. */
function faultsOf({ isOn, steps }: NewPlan): Fault[] {
  const faults: Fault[] = []
  if (isOn && steps.length === 0)
    faults.push({ path: 'steps', rule: 'required', message: 'must have a step before reminders can be switched on' })
  for (const [nth, { days, minimums, templates }] of steps.entries()) {
    const path = `steps[${nth}]`
    if (steps.findIndex((step) => step.days === days) < nth)
      faults.push({ path: `${path}.days`, rule: 'unique', message: `must not be ${days} again: another step has it` })
    for (const [at, { currency }] of minimums.entries())
      if (minimums.findIndex((minimum) => minimum.currency === currency) < at)
        faults.push({
          path: `${path}.minimumAmounts[${at}].currency`,
          rule: 'unique',
          message: `must not be ${currency} again`,
        })
    for (const [at, { language, subject, body }] of templates.entries()) {
      const place = `${path}.templates[${at}]`
      if (templates.findIndex((template) => template.language === language) < at)
        faults.push({
          path: `${place}.language`,
          rule: 'unique',
          message: 'must not repeat the language of another template',
        })
      faults.push(...placeholderFaults(`${place}.subject`, subject), ...placeholderFaults(`${place}.body`, body))
    }
  }
  return faults
}

/** Whether a step reminds of smaller amounts than before. */
const isLower = (before: ReminderStep, { minimums }: NewStep): boolean =>
  before.minimums.some(({ currency, amountMinor }) => leastOf(minimums, currency) < amountMinor)

/** A step keeps its first day as long as the plan stays on. New steps, and those with a lower minimum, count from today. */
const sinceOf = (before: ReminderPlan | undefined, isOn: boolean, sent: NewStep, today: string): string => {
  const known = before?.steps.find((step) => step.days === sent.days)
  return before?.isOn && isOn && known && !isLower(known, sent) ? known.since : today
}

/** Buyers who are covered from now on get no steps of days that have passed. */
const everyoneSinceOf = (before: ReminderPlan | undefined, { isOn, buyers }: NewPlan, today: string): string | null => {
  if (!before?.isOn || !isOn) return null
  return before.buyers === 'chosen' && buyers === 'all' ? today : before.everyoneSince
}

/** Saves the whole plan. Debts whose steps passed before the plan was switched on are not reminded of. */
export const savePlan = operation(
  {
    needs: ['invoice.send_to_buyer'],
    refuses: ['request.invalid', 'jurisdiction.unsupported', 'version.stale', 'state.changed'],
  },
  async (context: Inside<TokenCaller>, sent: NewPlan): Promise<ShownPlan> => {
    const { tx, caller, ports, now, emit } = context
    const { tenant } = caller
    const { zone } = jurisdictionOf(ports, caller)
    const faults = faultsOf(sent)
    if (faults.length > 0) throw invalid(faults)
    const before = await lockPlan(tx, tenant)
    if (sent.version !== undefined && sent.version !== (before?.version ?? 0)) throw refuse('version.stale')
    const { isOn, hour, buyers } = sent
    const today = businessDay(now, zone)
    const steps = sent.steps
      .map((step): ReminderStep => ({ ...step, since: sinceOf(before, isOn, step, today) }))
      .toSorted((one, other) => one.days - other.days)
    const nextAt = isOn ? nextRun(before, sent, now, zone) : null
    const everyoneSince = everyoneSinceOf(before, sent, today)
    const plan = { isOn, hour, buyers, everyoneSince, steps, nextAt, updatedAt: now }
    const known = { id: before?.id ?? newId<'reminder-plan'>(), createdAt: before?.createdAt ?? now }
    const saved = await writePlan(tx, tenant, { ...known, ...plan }, before?.version ?? 0)
    if (!saved) throw refuse('state.changed')
    const { organisationId, mode } = tenant
    emit(
      'reminder_plan.updated',
      { organisationId, mode, objectId: saved.id, version: saved.version },
      { planId: saved.id, on: isOn, hour, buyers, stepDays: steps.map(({ days }) => days) },
    )
    return { ...saved, zone }
  },
)

/** A run that is going on continues: changing the words does not end it. */
function nextRun(before: ReminderPlan | undefined, { hour }: NewPlan, now: Date, zone: string): Date {
  const isRunning = before?.nextAt && before.nextAt <= now && before.hour === hour
  return isRunning && before.nextAt ? before.nextAt : nextRunAfter(now, hour, zone)
}
