import { describe, expect, test } from 'vitest'
import type { AttemptCounter } from './attempt-counters.store.ts'
import { afterWrongTry, attemptLimits } from './attempt-limits.ts'

const start = Date.parse('2026-05-04T10:00:00Z')
const hours = 3600_000
const fresh: AttemptCounter = { network: '', wrong: 0, beganAt: new Date(start), lockouts: 0, lockedUntil: null }

/** A guesser who tries as soon as allowed, for a span of time: number of attempts and time waited. */
function knockFor(bound: (typeof attemptLimits)['password']['together'], spanMs: number, everyMs = 1000) {
  let row = fresh
  let now = start
  const waits: number[] = []
  let tries = 0
  while (now < start + spanMs) {
    row = afterWrongTry(row, bound, new Date(now))
    tries++
    const until = row.lockedUntil?.getTime() ?? 0
    if (until > now) waits.push((until - now) / hours)
    now = Math.max(now + everyMs, until)
  }
  return { tries, waits }
}

const { together } = attemptLimits.reset_password

describe('six digits', () => {
  test('allow twenty tries, and then one after 1, 2, 4 … hours, up to a day', () => {
    const { tries, waits } = knockFor(together, 24 * hours)
    expect(waits).toEqual([1, 2, 4, 8, 16])
    expect(tries).toBe(24)
  })

  test('allow about twenty tries a day over any time', () => {
    const { tries, waits } = knockFor(together, 365 * 24 * hours)
    expect(tries / 365).toBeLessThan(21)
    expect(Math.max(...waits)).toBe(24)
    expect(waits.at(-1)).toBe(24)
  })

  test('a count lasts a day', () => {
    let row = fresh
    for (let tries = 0; tries < 19; tries++) row = afterWrongTry(row, together, new Date(start))
    expect(row).toMatchObject({ wrong: 19, lockedUntil: null })
    expect(afterWrongTry(row, together, new Date(start + 24 * hours - 1)).lockedUntil).not.toBeNull()
    expect(afterWrongTry(row, together, new Date(start + 24 * hours))).toMatchObject({ wrong: 1, lockedUntil: null })
  })

  test('after a day without a lock, the waits start again at one hour', () => {
    const closed = { ...fresh, wrong: 20, lockouts: 4, lockedUntil: new Date(start + 8 * hours) }
    const nextDay = (quiet: number) => {
      const now = new Date(start + 8 * hours + quiet)
      let row = { ...closed, beganAt: new Date(start) }
      for (let tries = 0; tries < 20; tries++) row = afterWrongTry(row, together, now) as typeof row
      return ((row.lockedUntil as Date).getTime() - now.getTime()) / hours
    }
    expect(nextDay(23 * hours)).toBe(16)
    expect(nextDay(24 * hours)).toBe(1)
  })
})

test('an invitation allows ten tries an hour per network, and ten thousand a day in total', () => {
  const { perNetwork, together } = attemptLimits.invitation
  expect(knockFor(perNetwork as typeof together, 24 * hours).tries).toBeLessThanOrEqual(240)
  const week = knockFor(together, 7 * 24 * hours, 1).tries
  expect(week / 32 ** 8).toBeLessThan(1 / 15_000_000)
})
