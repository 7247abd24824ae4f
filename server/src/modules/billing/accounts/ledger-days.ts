import { businessDay } from '../../../kernel/days.ts'
import { type Fault, invalid } from '../../../kernel/refusals.ts'
import type { Span } from '../../credits/index.ts'

/** Ledger days are days in Lagos, which is UTC+1 all year. */
export const ledgerZone = 'Africa/Lagos'
export const aheadMs = 3_600_000
const offset = '+01:00'
const dayMs = 86_400_000
const longestDays = 366
const earliest = '2000-01-01'

export const dayOf = (instant: Date): string => businessDay(instant, ledgerZone)
const startOf = (day: string): Date => new Date(`${day}T00:00:00${offset}`)
const endOf = (day: string): Date => new Date(startOf(day).getTime() + dayMs)

export interface Days {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const backwards: Fault = { path: 'from', rule: 'order', message: 'must not be after to' }

/** Both days are included. A missing bound stays open. */
export function boundsOf({ from, to }: Days): Partial<Span> {
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
  const span: Span = { from: startOf(days.from), to: endOf(days.to) }
  const faults: Fault[] = []
  if (days.to < earliest) faults.push({ path: 'to', rule: 'minimum', message: `must not be before ${earliest}` })
  else if (days.from > days.to) faults.push(backwards)
  if (span.to.getTime() - span.from.getTime() > longestDays * dayMs)
    faults.push({ path: 'from', rule: 'span', message: `must be at most ${longestDays} days before to` })
  if (faults.length > 0) throw invalid(faults)
  return { days, span }
}

export const firstOfMonth = (today: string): string => `${today.slice(0, 8)}01`
export const thirtyDaysEndingOn = (today: string): string => dayOf(new Date(startOf(today).getTime() - 29 * dayMs))
