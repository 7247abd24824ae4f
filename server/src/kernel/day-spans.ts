import { businessDay } from './days.ts'

/** Days as `2026-01-31`, both included. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const day = (year: number, month: number, date: number): string =>
  businessDay(new Date(Date.UTC(year, month - 1, date)), 'UTC')

/** First day of the month of a day, and of the month after. */
function monthOf(text: string): { readonly first: string; readonly next: string } {
  const [year, month] = text.split('-').map(Number) as [number, number]
  return { first: day(year, month, 1), next: day(year, month + 1, 1) }
}

export interface Span {
  readonly span: 'day' | 'month'
  /** Included; `to` is excluded. */
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** Whole months in a range and the single days at its ends. A range of any length yields at most two months of days. */
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
