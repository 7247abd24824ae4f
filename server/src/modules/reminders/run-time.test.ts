import { expect, test } from 'vitest'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import { nextRunAfter, runOn } from './run-time.ts'

test.each([
  'Africa/Lagos',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Europe/Lisbon',
  // Their clocks skip midnight.
  'America/Santiago',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
])('in %s, a plan runs once on each day, at every hour', (zone) => {
  for (const hour of [0, 1, 2, 3, 9, 23]) {
    let at = nextRunAfter(new Date('2026-01-01T00:00:00Z'), hour, zone)
    for (let nth = 0; nth < 400; nth++) {
      const day = businessDay(at, zone)
      expect(at.getTime()).toBe(runOn(day, hour, zone).getTime())
      const next = nextRunAfter(at, hour, zone)
      expect(businessDay(next, zone), `${day} at ${hour}`).toBe(dayAfter(day))
      at = next
    }
  }
})
