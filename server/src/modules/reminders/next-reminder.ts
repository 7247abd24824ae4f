import { dayAfter } from '../../kernel/days.ts'
import type { MinimumAmount, ReminderStep } from './reminder-plan.ts'

type Rule = Pick<ReminderStep, 'days' | 'since' | 'minimums'>

/** The facts that decide when a buyer is reminded of an invoice. Days are those of the organisation. */
export interface RemindableInvoice {
  readonly dueDate: string
  readonly dueMinor: bigint
  readonly currency: string
  /** A buyer is never reminded on the day of issue or before. */
  readonly issuedOn: string
  /** by the plan or by hand */
  readonly lastRemindedOn: string | null
  readonly promisedOn: string | null
}

export interface ComingReminder<Step extends Rule = ReminderStep> {
  readonly day: string
  readonly step: Step
}

export const leastOf = (minimums: readonly MinimumAmount[], currency: string): bigint =>
  minimums.find((minimum) => minimum.currency === currency)?.amountMinor ?? 0n

/** A promise to pay stops reminders until its day has passed. */
export const firstDayOf = (runDay: string, promisedOn: string | null): string =>
  promisedOn !== null && promisedOn >= runDay ? dayAfter(promisedOn) : runDay

/**
 * The next reminder of an invoice, if the next run is on `runDay`. Of several steps whose days have passed, only the
 * latest one counts. A reminder on the day of a step or later stands for that step.
 */
export function nextReminder<Step extends Rule>(
  steps: readonly Step[],
  invoice: RemindableInvoice,
  runDay: string,
): ComingReminder<Step> | undefined {
  const { dueDate, dueMinor, currency, issuedOn, lastRemindedOn, promisedOn } = invoice
  if (dueMinor <= 0n) return undefined
  const first = firstDayOf(runDay, promisedOn)
  let next: ComingReminder<Step> | undefined
  for (const step of steps) {
    const stepDay = dayAfter(dueDate, step.days)
    if (stepDay < step.since || stepDay <= issuedOn) continue
    if (lastRemindedOn !== null && stepDay <= lastRemindedOn) continue
    if (dueMinor < leastOf(step.minimums, currency)) continue
    const day = stepDay < first ? first : stepDay
    if (!next || day < next.day || (day === next.day && step.days > next.step.days)) next = { day, step }
  }
  return next
}
