import { businessDay } from './days.ts'

/** Days as `2026-01-31`, both included. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const day = (year: number, month: number, date: number): string =>
  businessDay(new Date(Date.UTC(year, month - 1, date)), 'UTC')

/** The first days of the month that a day is in, and of the next one. */
function monthOf(text: string): { readonly first: string; readonly next: string } {
  const [year, month] = text.split('-').map(Number) as [number, number]
  return { first: day(year, month, 1), next: day(year, month + 1, 1) }
}

export interface Span {
  readonly span: 'day' | 'month'
  /** not before this day, and before that one */
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** The whole months in a range, and the days that are left at its ends: however long it is, two months of days at most. */
export function spansOf({ from, to }: DayRange): Span[] {
  const spans: Span[] = []
  const [first, last] = [from === undefined ? undefined : monthOf(from), to === undefined ? undefined : monthOf(to)]
  const [year, month, date] = (to ?? '').split('-').map(Number) as [number, number, number]
  const until = to === undefined ? undefined : day(year, month, date + 1)
  if (first && last && first.first === last.first) return [{ span: 'day', from, until }]
  const beginsInside = first !== undefined && from !== first.first
  const endsInside = last !== undefined && until !== last.next
  if (first && beginsInside) spans.push({ span: 'day', from, until: first.next })
  if (last && endsInside) spans.push({ span: 'day', from: last.first, until })
  spans.push({ span: 'month', from: beginsInside ? first?.next : from, until: endsInside ? last?.first : until })
  return spans
}
