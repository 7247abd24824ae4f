import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../kernel/refusals.ts'
import { type AskedMove, after, endOfMove, furthestAheadDays, longestMoveDays, type Span } from './move.ts'

const at = (text: string) => new Date(text)

test.each<[string, Span, string]>([
  ['2026-03-01T10:00:00Z', { days: 1 }, '2026-03-02T10:00:00.000Z'],
  ['2026-03-01T10:00:00Z', { weeks: 1, hours: 2, minutes: 30 }, '2026-03-08T12:30:00.000Z'],
  ['2026-01-31T10:00:00Z', { months: 1 }, '2026-02-28T10:00:00.000Z'],
  ['2027-12-31T10:00:00Z', { months: 2 }, '2028-02-29T10:00:00.000Z'],
  ['2026-11-30T23:59:59Z', { months: 12, days: 1 }, '2027-12-01T23:59:59.000Z'],
])('%s and %j is %s', (from, span, to) => {
  expect(after(at(from), span).toISOString()).toBe(to)
})

const now = at('2026-06-01T00:00:00Z')
const real = at('2026-03-01T00:00:00Z')
test.each<[string, AskedMove, string, RegExp]>([
  ['the past', { to: at('2026-05-31T23:59:59Z') }, 'to', /never goes backwards/],
  ['the same moment', { to: now }, 'to', /never goes backwards/],
  ['no span', { by: {} }, 'by', /never goes backwards/],
  ['more than a year', { by: { months: 12, days: 2 } }, 'by', /at most 366 days/],
])('a move to %s is refused', (_, asked, path, message) => {
  const move = () => endOfMove(now, real, asked)
  expect(move).toThrow(Refusal)
  try {
    move()
  } catch (error) {
    expect((error as Refusal).details).toEqual([
      expect.objectContaining({ path, message: expect.stringMatching(message) }),
    ])
  }
})

test('a sandbox is never further ahead than two years', () => {
  const day = 24 * 3600_000
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: longestMoveDays }), { maxLength: 8 }), (moves) => {
      let time = real
      for (const days of moves)
        try {
          const end = endOfMove(time, real, { by: { days } })
          expect(end.getTime()).toBe(time.getTime() + days * day)
          time = end
        } catch {
          expect(time.getTime() + days * day).toBeGreaterThan(real.getTime() + furthestAheadDays * day)
        }
      expect(time.getTime() - real.getTime()).toBeLessThanOrEqual(furthestAheadDays * day)
    }),
  )
})
