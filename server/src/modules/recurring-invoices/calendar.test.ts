import { describe, expect, test } from 'vitest'
import { seeded } from '../../../../test/harness/chance.ts'
import { dayNumber, daysAfter, numberFrom, occurrence, periodOf, type Recurrence } from './calendar.ts'

const rule = (more: Partial<Recurrence>): Recurrence => ({
  unit: 'month',
  every: 1,
  startsOn: '2026-01-01',
  dayOfMonth: null,
  until: null,
  count: null,
  billing: 'in_advance',
  ...more,
})
const days = (one: Recurrence, many: number) => Array.from({ length: many }, (_, nth) => occurrence(one, nth))

test.each<[string, Partial<Recurrence>, (string | undefined)[]]>([
  [
    'monthly on the 31st',
    { startsOn: '2026-01-31', dayOfMonth: 31 },
    ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
  ],
  ['monthly on the 30th of a leap year', { startsOn: '2028-01-30' }, ['2028-01-30', '2028-02-29', '2028-03-30']],
  ['monthly, the day of this month is over', { startsOn: '2026-11-15', dayOfMonth: 1 }, ['2026-12-01', '2027-01-01']],
  ['monthly, the day of this month comes', { startsOn: '2026-11-15', dayOfMonth: 31 }, ['2026-11-30', '2026-12-31']],
  ['every three months', { startsOn: '2026-11-30', every: 3 }, ['2026-11-30', '2027-02-28', '2027-05-30']],
  [
    'every three months, the day of this month is over',
    { startsOn: '2026-01-15', dayOfMonth: 1, every: 3 },
    ['2026-02-01', '2026-05-01', '2026-08-01'],
  ],
  ['every two weeks', { unit: 'week', every: 2, startsOn: '2026-12-21' }, ['2026-12-21', '2027-01-04', '2027-01-18']],
  [
    'quarter ends',
    { unit: 'quarter_end', startsOn: '2026-11-15' },
    ['2026-12-31', '2027-03-31', '2027-06-30', '2027-09-30', '2027-12-31'],
  ],
  ['quarter ends from a quarter end', { unit: 'quarter_end', startsOn: '2026-06-30' }, ['2026-06-30', '2026-09-30']],
  [
    'yearly on 29 February',
    { unit: 'year', startsOn: '2028-02-29' },
    ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  ],
  ['until a day', { startsOn: '2026-01-01', until: '2026-02-01' }, ['2026-01-01', '2026-02-01', undefined]],
  ['a number of times', { startsOn: '2026-01-01', count: 2 }, ['2026-01-01', '2026-02-01', undefined]],
])('%s', (_, more, expected) => {
  expect(days(rule(more), expected.length)).toEqual(expected)
})

test.each<[Partial<Recurrence>, number, string, string]>([
  [{ startsOn: '2026-11-01' }, 0, '2026-11-01', '2026-11-30'],
  [{ startsOn: '2026-11-30', dayOfMonth: 31, billing: 'in_arrears' }, 0, '2026-11-01', '2026-11-30'],
  [{ startsOn: '2027-02-28', dayOfMonth: 31, billing: 'in_arrears' }, 1, '2027-03-01', '2027-03-31'],
  [{ unit: 'quarter_end', startsOn: '2026-12-01', billing: 'in_arrears' }, 0, '2026-10-01', '2026-12-31'],
  [{ unit: 'quarter_end', startsOn: '2026-12-01' }, 0, '2027-01-01', '2027-03-31'],
  [{ unit: 'week', startsOn: '2026-12-28' }, 0, '2026-12-28', '2027-01-03'],
  [{ unit: 'year', startsOn: '2028-02-29' }, 0, '2028-02-29', '2029-02-27'],
])('%j: invoice %i is for %s to %s', (more, nth, from, to) => {
  expect(periodOf(rule(more), nth)).toEqual({ from, to })
})

describe('of random rules', () => {
  const chance = seeded(7)
  const any = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  const rules = Array.from({ length: 300 }, () =>
    rule({
      unit: any(['week', 'month', 'quarter_end', 'year'] as const),
      every: 1 + Math.floor(chance() * 6),
      startsOn: daysAfter('2023-01-01', Math.floor(chance() * 3000)),
      dayOfMonth: any([null, 1, 15, 28, 29, 30, 31]),
      billing: any(['in_advance', 'in_arrears'] as const),
    }),
  )

  test('days rise and none is before the start', () => {
    for (const one of rules) {
      expect(dayNumber(one, 0) >= one.startsOn).toBe(true)
      for (let nth = 1; nth < 40; nth++) expect(dayNumber(one, nth) > dayNumber(one, nth - 1)).toBe(true)
    }
  })

  test('periods follow each other without a gap', () => {
    for (const one of rules)
      for (let nth = 1; nth < 40; nth++) expect(periodOf(one, nth).from).toBe(daysAfter(periodOf(one, nth - 1).to, 1))
  })

  test('the first day from any day on is found', () => {
    for (const one of rules) {
      const day = daysAfter(one.startsOn, Math.floor(chance() * 5000))
      const nth = numberFrom(one, day)
      expect(dayNumber(one, nth) >= day).toBe(true)
      if (nth > 0) expect(dayNumber(one, nth - 1) < day).toBe(true)
    }
  })
})

test.each(['week', 'month', 'quarter_end', 'year'] as const)('the search for a day ends, by %s', (unit) => {
  const one = rule({ unit, startsOn: '2026-11-30' })
  expect(numberFrom(one, '0001-01-01')).toBe(0)
  const last = numberFrom(one, '9999-12-31')
  expect(dayNumber(one, last) === '9999-12-31' || dayNumber(one, last).length > 10).toBe(true)
  expect(dayNumber(one, last - 1) < '9999-12-31').toBe(true)
  expect(numberFrom(one, '9999-99-99')).toBeLessThan(2 ** 20)
})
