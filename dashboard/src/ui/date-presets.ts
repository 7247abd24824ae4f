import { dayText, today } from './dates.ts'

/** Days such as 2026-11-15, both inclusive. An absent end is open. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** `month` counts from 0 and may exceed its year. Day 0 is the last day of the month before. */
const day = (year: number, month: number, date: number): string =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)

/** Frequent periods, as seen from the given day. */
export function presetsAt(now: string = today()): readonly (readonly [name: string, range: Required<DayRange>])[] {
  const [year = 0, month = 1, date = 1] = now.split('-').map(Number)
  const monthIndex = month - 1
  const quarter = monthIndex - (monthIndex % 3)
  return [
    ['Today', { from: now, to: now }],
    ['Last 30 days', { from: day(year, monthIndex, date - 29), to: now }],
    ['This month', { from: day(year, monthIndex, 1), to: day(year, month, 0) }],
    ['Last month', { from: day(year, monthIndex - 1, 1), to: day(year, monthIndex, 0) }],
    ['This quarter', { from: day(year, quarter, 1), to: day(year, quarter + 3, 0) }],
    ['This year', { from: day(year, 0, 1), to: day(year, 11, 31) }],
  ]
}

/** The name of the period, or its days. `undefined` if both ends are open. */
export function rangeText({ from, to }: DayRange): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `until ${dayText(to)}`
  if (to === undefined) return `from ${dayText(from)}`
  const preset = presetsAt().find(([, range]) => range.from === from && range.to === to)
  if (preset) return preset[0]
  return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`
}
