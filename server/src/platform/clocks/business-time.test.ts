import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownTime, type TestClock, workTime } from './business-time.ts'

const at = (text: string) => new Date(text)
const hour = 3600_000
const offset = { ms: hour, reachedAt: at('2026-03-01T10:00:00Z') }
const next = { ms: 48 * hour, reachedAt: at('2026-03-03T10:00:00Z'), from: at('2026-03-01T10:00:02Z') }
const moving: TestClock = { offset, next: undefined, moment: at('2026-03-02T00:00:00Z') }
const ending: TestClock = { offset, next, moment: undefined }

test.each<[string, TestClock | undefined, string, string, string]>([
  ['without a clock', undefined, '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
  [
    'ahead',
    { offset, next: undefined, moment: undefined },
    '2026-03-01T10:00:00Z',
    '2026-03-01T11:00:00.000Z',
    '2026-03-01T11:00:00.000Z',
  ],
  [
    'the real clock was set back',
    { offset, next: undefined, moment: undefined },
    '2026-03-01T08:00:00Z',
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T10:00:00.000Z',
  ],
  ['a move is under way', moving, '2026-03-01T10:00:00Z', '2026-03-01T11:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  [
    'a new offset does not count yet',
    ending,
    '2026-03-01T10:00:01Z',
    '2026-03-01T11:00:01.000Z',
    '2026-03-03T10:00:01.000Z',
  ],
  ['a new offset counts', ending, '2026-03-01T10:00:02Z', '2026-03-03T10:00:02.000Z', '2026-03-03T10:00:02.000Z'],
])('the time of a sandbox: %s', (_, clock, real, shown, work) => {
  expect(shownTime(clock, at(real), at(real)).toISOString()).toBe(shown)
  expect(workTime(clock, at(real)).toISOString()).toBe(work)
})

test('no time is before an earlier one, on any node, if offsets only grow', () => {
  fc.assert(
    fc.property(
      fc.nat(731 * 24 * hour),
      fc.nat(366 * 24 * hour),
      fc.array(fc.nat(10_000), { minLength: 2, maxLength: 20 }),
      (before, further, waits) => {
        const start = at('2026-01-01T00:00:00Z')
        const reachedAt = new Date(start.getTime() + before)
        const ms = before + further
        const clock: TestClock = {
          offset: { ms: before, reachedAt },
          next: { ms, reachedAt: new Date(reachedAt.getTime() + further), from: new Date(start.getTime() + 2_000) },
          moment: undefined,
        }
        // After the end the next offset is the only one: some nodes have read that already, and others have not.
        const ended: TestClock = {
          offset: { ms, reachedAt: clock.next?.reachedAt as Date },
          next: undefined,
          moment: undefined,
        }
        let real = start.getTime()
        let latest = 0
        for (const [turn, wait] of waits.entries()) {
          real += wait
          const now = new Date(real)
          const known = now >= (clock.next?.from as Date) && turn % 2 === 0 ? ended : clock
          const shown = shownTime(known, now, now).getTime()
          expect(shown).toBeGreaterThanOrEqual(latest)
          latest = shown
        }
      },
    ),
  )
})
