import { expect, test } from 'vitest'
import { insufficientCredits } from './insufficient-credits.ts'

test.each([
  ['2026-11-17T09:00:00Z', '2026-11-17T23:05:00.000Z', 50_700],
  ['2026-11-17T23:04:59.500Z', '2026-11-17T23:05:00.000Z', 1],
  ['2026-11-17T23:05:00Z', '2026-11-18T23:05:00.000Z', 86_400],
  ['2026-12-31T23:30:00Z', '2027-01-01T23:05:00.000Z', 84_900],
])('at %s the refusal in the sandbox says to wait until %s', (now, next, seconds) => {
  const refusal = insufficientCredits('invoice.submit', 'sandbox', 3n, new Date(now))
  expect(refusal.message).toBe(
    `Not enough credits: this costs 10 and 3 are left. The sandbox is refilled to 100,000 at ${next}.`,
  )
  expect(refusal.retryAfterSeconds).toBe(seconds)
})

test('the refusal in live mode says to buy credits', () => {
  const refusal = insufficientCredits('invoice.submit', 'live', 1_234n, new Date())
  expect(refusal.message).toBe(
    'Not enough credits: this costs 10 and 1,234 are left. Buy credits, or wait for the next credits of your plan.',
  )
  expect(refusal.retryAfterSeconds).toBeUndefined()
  expect(refusal.details?.map(({ message }) => message)).toEqual(['10 are needed', '1,234 are left'])
})
