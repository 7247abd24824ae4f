import { expect, test } from 'vitest'
import { daysOf, periodAfter, periodsBetween } from './tax-periods.ts'

test.each([
  ['2026-01', '2026-01-01', '2026-01-31'],
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2100-02', '2100-02-01', '2100-02-28'],
  ['2000-02', '2000-02-01', '2000-02-29'],
  ['1999-12', '1999-12-01', '1999-12-31'],
])('%s lasts from %s to %s', (period, from, to) => {
  expect(daysOf(period)).toEqual({ from, to })
})

test('months follow each other over the end of a year', () => {
  expect(periodAfter('2026-12')).toBe('2027-01')
  expect(periodAfter('2027-01', -1)).toBe('2026-12')
  expect(periodAfter('2026-05', 20)).toBe('2028-01')
  expect(periodsBetween('2026-11', '2027-02', 10)).toEqual(['2027-02', '2027-01', '2026-12', '2026-11'])
  expect(periodsBetween('2020-01', '2027-02', 2)).toEqual(['2027-02', '2027-01'])
  expect(periodsBetween('2027-03', '2027-02', 2)).toEqual([])
})
