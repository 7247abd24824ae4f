import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervals } from '../../catalogue/index.ts'
import { addMonths, periodOf, windowAt, windowsOf } from './periods.ts'

const at = (text: string) => new Date(text)
const iso = (date: Date) => date.toISOString().slice(0, 16)
/** Local time in Lagos. */
const local = (date: Date) => new Date(date.getTime() + 3_600_000)

const anchors = fc.date({ min: at('1999-01-01'), max: at('2120-01-01'), noInvalidDate: true })
const interval = fc.constantFrom(...intervals)
const number = fc.integer({ min: 1, max: 60 })
/** Prints the seed of a failure. */
const check = <Values extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Values>) =>
  fc.assert(property, { numRuns: 500 })

test.each([
  ['2025-01-31T10:00', 1, '2025-02-28T10:00'],
  ['2024-01-31T10:00', 1, '2024-02-29T10:00'],
  ['2024-02-29T10:00', 12, '2025-02-28T10:00'],
  ['2024-02-29T10:00', 48, '2028-02-29T10:00'],
  ['2099-12-29T23:59', 2, '2100-02-27T23:59'],
  // Half an hour after midnight in Lagos: the last of January, the first of February, and the last of a short month.
  ['2025-01-30T23:30', 1, '2025-02-27T23:30'],
  ['2025-01-31T23:30', 1, '2025-02-28T23:30'],
  ['2024-02-28T23:30', 12, '2025-02-27T23:30'],
  ['2025-01-30T00:00', 1, '2025-02-28T00:00'],
  ['2025-01-30T00:00', 2, '2025-03-30T00:00'],
  ['2025-03-31T23:59', 1, '2025-04-30T23:59'],
  ['2025-12-31T08:30', 1, '2026-01-31T08:30'],
  ['2025-12-15T08:30', 13, '2027-01-15T08:30'],
  ['2025-05-31T08:30', 0, '2025-05-31T08:30'],
])('%s and %i months is %s', (from, months, to) => {
  expect(iso(addMonths(at(`${from}Z`), months))).toBe(to)
})

test('added months keep the anchor’s day, or use the last day of a short month', () => {
  check(
    fc.property(anchors, fc.integer({ min: 0, max: 1200 }), (anchor, months) => {
      const [began, moved] = [local(anchor), local(addMonths(anchor, months))]
      const distance =
        (moved.getUTCFullYear() - began.getUTCFullYear()) * 12 + moved.getUTCMonth() - began.getUTCMonth()
      expect(distance).toBe(months)
      expect(moved.getTime() % 86_400_000).toBe(began.getTime() % 86_400_000)
      const tomorrow = new Date(moved.getTime() + 86_400_000)
      if (moved.getUTCDate() !== began.getUTCDate()) expect(tomorrow.getUTCDate()).toBe(1)
      expect(moved.getUTCDate()).toBeLessThanOrEqual(began.getUTCDate())
    }),
  )
})

test('the 31st returns after each short month', () => {
  const ends = Array.from({ length: 6 }, (_, n) => periodOf(at('2024-12-31T12:00Z'), 'monthly', n + 1).endsAt)
  expect(ends.map((end) => iso(end).slice(5, 10))).toEqual(['01-31', '02-28', '03-31', '04-30', '05-31', '06-30'])
  expect(iso(periodOf(at('2024-02-29T12:00Z'), 'yearly', 4).endsAt)).toBe('2028-02-29T12:00')
})

test('each period starts at the end of the previous one, and the first at the anchor', () => {
  check(
    fc.property(anchors, interval, number, (anchor, kind, n) => {
      expect(periodOf(anchor, kind, 1).startsAt).toEqual(anchor)
      expect(periodOf(anchor, kind, n + 1).startsAt).toEqual(periodOf(anchor, kind, n).endsAt)
    }),
  )
})

test('the months of a period cover it exactly: one for a month, twelve for a year', () => {
  check(
    fc.property(anchors, interval, number, (anchor, kind, n) => {
      const period = periodOf(anchor, kind, n)
      const windows = windowsOf(anchor, kind, n)
      expect(windows).toHaveLength(kind === 'monthly' ? 1 : 12)
      const edges = [period.startsAt, ...windows.map(({ endsAt }) => endsAt)]
      expect(windows.map(({ startsAt }) => startsAt)).toEqual(edges.slice(0, -1))
      expect(edges.at(-1)).toEqual(period.endsAt)
      for (const { startsAt, endsAt } of windows) expect(startsAt < endsAt).toBe(true)
    }),
  )
})

test('every moment of a period is in exactly one of its months, and no other moment is in any', () => {
  check(
    fc.property(anchors, interval, number, fc.double({ min: 0, max: 1, noNaN: true }), (anchor, kind, n, share) => {
      const { startsAt, endsAt } = periodOf(anchor, kind, n)
      const length = endsAt.getTime() - startsAt.getTime()
      const moment = new Date(startsAt.getTime() + Math.floor(share * (length - 1)))
      const holding = windowsOf(anchor, kind, n).filter((w) => w.startsAt <= moment && moment < w.endsAt)
      expect(holding).toEqual([windowAt(anchor, kind, n, moment)])
      expect(windowAt(anchor, kind, n, new Date(startsAt.getTime() - 1))).toBeUndefined()
      expect(windowAt(anchor, kind, n, endsAt)).toBeUndefined()
    }),
  )
})
