import { businessDay, instantAt } from '../../../kernel/days.ts'
import { type Fault, invalid } from '../../../kernel/refusals.ts'
import { billingZone } from '../../catalogue/index.ts'
import type { ledgerEntries } from '../../credits/index.ts'

const dayMs = 86_400_000
const longestDays = 366
/** No entry is older or later, and time zones have no rules for days far away. */
const earliest = '2000-01-01'
const latest = '9000-01-01'

export const dayOf = (instant: Date): string => businessDay(instant, billingZone)
const near = (day: string): string => (day < earliest ? earliest : day > latest ? latest : day)
const startOf = (day: string): Date => instantAt(near(day), '00:00:00', billingZone)
const endOf = (day: string): Date => new Date(instantAt(near(day), '23:59:59.999', billingZone).getTime() + 1)
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

export interface Days {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const backwards: Fault = { path: 'from', rule: 'order', message: 'must not be after to' }

/** Both days are included. A missing bound stays open. */
export function boundsOf({ from, to }: Days): Partial<ledgerEntries.Span> {
  if (from !== undefined && to !== undefined && from > to) throw invalid([backwards])
  return {
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { to: endOf(to) }),
  }
}

/** Both days are included. The default for `to` is today, and for `from` it is `standardFrom(to)`. */
export function spanOf({ from, to }: Days, now: Date, standardFrom: (today: string) => string) {
  const today = dayOf(now)
  const days = { from: from ?? standardFrom(to ?? today), to: to ?? today }
  const span: ledgerEntries.Span = { from: startOf(days.from), to: endOf(days.to) }
  const faults: Fault[] = []
  if (days.to < earliest) faults.push({ path: 'to', rule: 'minimum', message: `must not be before ${earliest}` })
  else if (days.from > days.to) faults.push(backwards)
  if (daysBetween(days.from, days.to) >= longestDays)
    faults.push({ path: 'from', rule: 'span', message: `must be at most ${longestDays} days before to` })
  if (faults.length > 0) throw invalid(faults)
  return { days, span }
}

export const firstOfMonth = (today: string): string => `${today.slice(0, 8)}01`
export const thirtyDaysEndingOn = (today: string): string => dayOf(new Date(startOf(today).getTime() - 29 * dayMs))
