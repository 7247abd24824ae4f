import { expect, test } from 'vitest'
import { businessDay, dayAfter, startOfDay } from '../../kernel/days.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { accountPeriod, lastOfMonth } from './account-period.ts'

test.each([
  ['2026-11-15', '2026-11-30'],
  ['2026-02-01', '2026-02-28'],
  ['2028-02-29', '2028-02-29'],
  ['2026-12-31', '2026-12-31'],
])('the month of %s ends on %s', (day, last) => expect(lastOfMonth(day)).toBe(last))

test.each([
  [{}, '2026-11-01', '2026-11-30'],
  [{ from: '2026-10-10' }, '2026-10-10', '2026-10-31'],
  [{ to: '2026-10-10' }, '2026-10-01', '2026-10-10'],
  [{ from: '2025-01-01', to: '2026-01-01' }, '2025-01-01', '2026-01-01'],
])('%j is the period from %s to %s', (asked, from, to) => {
  expect(accountPeriod(asked, new Date('2026-11-15T09:00:00Z'), 'Africa/Lagos')).toMatchObject({ from, to })
})

test.each([
  ['that ends before it begins', { from: '2026-11-02', to: '2026-11-01' }],
  ['that begins in the year 1', { from: '0001-01-01' }],
  ['that begins in the year 99', { from: '0099-01-01', to: '2026-01-01' }],
  ['that ends in the year 1', { to: '0001-01-01' }],
  ['that ends in the year 9999', { from: '2026-11-01', to: '9999-12-31' }],
])('a period %s is refused', (_, asked) => {
  expect(() => accountPeriod(asked, new Date(), 'Africa/Lagos')).toThrow(Refusal)
})

test('the longest period has all days from 1900 to 2999', () => {
  const asked = { from: '1900-01-01', to: '2999-12-31' }
  const { startsAt, endsAt } = accountPeriod(asked, new Date(), 'Africa/Lagos')
  expect([startsAt.getUTCFullYear(), endsAt.getUTCFullYear()]).toEqual([1899, 2999])
})

// Clocks of Cairo and Beirut skip midnight in spring, and those of Havana show it twice in autumn.
const zones = [
  'Africa/Lagos',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Havana',
  'Europe/London',
  'Pacific/Apia',
  'Asia/Kathmandu',
]

test.each(zones)('in %s every day of three years begins where the day before ends', (zone) => {
  let day = '2024-01-01'
  for (let nth = 0; nth < 3 * 366; nth++) {
    const start = startOfDay(day, zone)
    expect(businessDay(start, zone)).toBe(day)
    expect(businessDay(new Date(start.getTime() - 60_000), zone)).toBe(dayAfter(day, -1))
    day = dayAfter(day)
  }
})
