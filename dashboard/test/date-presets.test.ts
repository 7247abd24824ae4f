import { expect, test } from 'vitest'
import { presetsAt, rangeText } from '../src/ui/date-presets.ts'
import { learnBusinessTime, today } from '../src/ui/dates.ts'

const at = (now: string) => Object.fromEntries(presetsAt(now))

test('periods begin and end with their months, also at the turn of a year', () => {
  expect(at('2026-01-15')).toEqual({
    Today: { from: '2026-01-15', to: '2026-01-15' },
    'Last 30 days': { from: '2025-12-17', to: '2026-01-15' },
    'This month': { from: '2026-01-01', to: '2026-01-31' },
    'Last month': { from: '2025-12-01', to: '2025-12-31' },
    'This quarter': { from: '2026-01-01', to: '2026-03-31' },
    'This year': { from: '2026-01-01', to: '2026-12-31' },
  })
  expect(at('2028-03-31')['Last month']).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(at('2026-11-18')['This quarter']).toEqual({ from: '2026-10-01', to: '2026-12-31' })
})

test('a period has its name, and other days are written out', () => {
  expect(rangeText({})).toBeUndefined()
  expect(rangeText(presetsAt()[2]?.[1] ?? {})).toBe('This month')
  expect(rangeText({ from: '2020-02-01' })).toBe('from 1 Feb 2020')
  expect(rangeText({ to: '2020-02-01' })).toBe('until 1 Feb 2020')
  expect(rangeText({ from: '2020-02-01', to: '2020-02-03' })).toBe('1 Feb 2020 – 3 Feb 2020')
})

test('today is the day of the organisation, also in a sandbox that was moved forward', () => {
  const lateInLondon = Date.parse('2026-11-18T23:30:00Z')
  learnBusinessTime({ timeZone: 'Africa/Lagos', aheadSeconds: 0 })
  expect(today(lateInLondon)).toBe('2026-11-19')
  learnBusinessTime({ timeZone: 'Europe/London', aheadSeconds: 0 })
  expect(today(lateInLondon)).toBe('2026-11-18')
  learnBusinessTime({ timeZone: 'Africa/Lagos', aheadSeconds: 30 * 86_400 })
  expect(today(lateInLondon)).toBe('2026-12-19')
})
