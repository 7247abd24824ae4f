import { dayAfter } from '../../kernel/days.ts'
import { type DuePart, demandOn } from './due-part.ts'
import type { MinimumAmount, ReminderStep } from './reminder-plan.ts'

type Rule = Pick<ReminderStep, 'days' | 'since' | 'minimums'>

/** The facts that decide when a buyer is reminded of an invoice. Days are those of the organisation. */
export interface RemindableInvoice {
  /** what is not paid, oldest first: each part has the steps of its own due date */
  readonly parts: readonly DuePart[]
  readonly currency: string
  /** A buyer is never reminded on the day of issue or before. */
  readonly issuedOn: string
  /** by the plan or by hand */
  readonly lastRemindedOn: string | null
  readonly promisedOn: string | null
  /** the first day on which the plan covers the buyer; null if it always did */
  readonly coveredSince: string | null
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
 * The next reminder of an invoice, if the next run is on `runDay`. Of several steps whose days have passed, only the latest one of the plan
 * counts. A reminder on the day of a step or later stands for that step. The minimum of a step is for all that the mail asks for.
 */
export function nextReminder<Step extends Rule>(
  steps: readonly Step[],
  invoice: RemindableInvoice,
  runDay: string,
): ComingReminder<Step> | undefined {
  const { parts, currency, promisedOn } = invoice
  const first = firstDayOf(runDay, promisedOn)
  let next: ComingReminder<Step> | undefined
  for (const { dueDate } of parts)
    for (const step of steps) {
      const stepDay = dayAfter(dueDate, step.days)
      if (stepDay < step.since || !counts(stepDay, invoice)) continue
      const day = stepDay < first ? first : stepDay
      if (demandOn(parts, day) < leastOf(step.minimums, currency)) continue
      if (!next || day < next.day || (day === next.day && step.days > next.step.days)) next = { day, step }
    }
  return next
}

/** Whether a step of this day is for the buyer, and was not done before. */
function counts(stepDay: string, { issuedOn, lastRemindedOn, coveredSince }: RemindableInvoice): boolean {
  if (stepDay <= issuedOn || (coveredSince !== null && stepDay < coveredSince)) return false
  return lastRemindedOn === null || stepDay > lastRemindedOn
}
