import { expect, test } from 'vitest'
import { businessDay, dayAfter, instantAt, startOfDay } from './days.ts'

test('a business day starts at midnight in the time zone of the business', () => {
  const lagos = (instant: string) => businessDay(new Date(instant), 'Africa/Lagos')
  expect(lagos('2026-11-15T22:59:59.999Z')).toBe('2026-11-15')
  expect(lagos('2026-11-15T23:00:00Z')).toBe('2026-11-16')
  expect(businessDay(new Date('2026-11-15T23:00:00Z'), 'UTC')).toBe('2026-11-15')
  expect(lagos('2026-11-15T22:59:59Z')).toBe('2026-11-15')
  expect(lagos('2024-02-29T12:00:00Z')).toBe('2024-02-29')
})

test.each([
  ['2026-11-14', '10:00:00', 'Africa/Lagos', '2026-11-14T09:00:00.000Z'],
  ['2026-11-14', '23:59:59', 'UTC', '2026-11-14T23:59:59.000Z'],
  ['2026-07-01', '00:30:00', 'Europe/Berlin', '2026-06-30T22:30:00.000Z'],
  ['2026-10-25', '12:00:00', 'Europe/Berlin', '2026-10-25T11:00:00.000Z'],
  // While it is computed, the clock shows the year 10000.
  ['9999-12-31', '23:59:59', 'Africa/Lagos', '9999-12-31T22:59:59.000Z'],
])('%s %s in %s is %s', (day, time, zone, instant) => {
  expect(instantAt(day, time, zone).toISOString()).toBe(instant)
})

test('changes of the clock are respected, in any order of calls', () => {
  const berlin = (time: string) => instantAt('2026-10-25', time, 'Europe/Berlin').toISOString()
  const asked = ['04:00:00', '00:30:00', '04:00:00', '00:30:30', '00:30:00']
  expect(asked.map(berlin)).toEqual([
    '2026-10-25T03:00:00.000Z',
    '2026-10-24T22:30:00.000Z',
    '2026-10-25T03:00:00.000Z',
    '2026-10-24T22:30:30.000Z',
    '2026-10-24T22:30:00.000Z',
  ])
  expect(instantAt('2026-10-25', '00:30:00', 'Africa/Lagos').toISOString()).toBe('2026-10-24T23:30:00.000Z')
})

test('years before 1000 have four digits, and their days follow each other', () => {
  expect(businessDay(new Date('0001-01-01T12:00:00Z'), 'UTC')).toBe('0001-01-01')
  expect(dayAfter('0999-12-31')).toBe('1000-01-01')
  expect(startOfDay('0001-01-02', 'UTC').toISOString()).toBe('0001-01-02T00:00:00.000Z')
})
