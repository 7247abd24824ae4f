import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spansOf } from './day-spans.ts'

const dayAt = (at: number): string => new Date(Date.UTC(2023, 11, 1) + at * 86_400_000).toISOString().slice(0, 10)
const days = fc.integer({ min: 0, max: 1500 }).map(dayAt)

test('a range is split into whole months and the days at its ends, without overlap', () => {
  fc.assert(
    fc.property(fc.option(days, { nil: undefined }), fc.option(days, { nil: undefined }), days, (one, other, day) => {
      const [from, to] = one && other && one > other ? [other, one] : [one, other]
      const spans = spansOf({ from, to })
      const isIn = ({ span, from: first, until }: (typeof spans)[number]) => {
        const since = span === 'day' ? day : `${day.slice(0, 7)}-01`
        return (first === undefined || since >= first) && (until === undefined || since < until)
      }
      const isAsked = (from === undefined || day >= from) && (to === undefined || day <= to)
      expect(spans.filter(isIn)).toHaveLength(isAsked ? 1 : 0)
    }),
  )
})

test('whole months stay whole', () => {
  expect(spansOf({})).toEqual([{ span: 'month' }])
  expect(spansOf({ from: '2026-02-01', to: '2026-04-30' })).toEqual([
    { span: 'month', from: '2026-02-01', until: '2026-05-01' },
  ])
  expect(spansOf({ from: '2025-12-31', to: '2026-01-31' })).toEqual([
    { span: 'day', from: '2025-12-31', until: '2026-01-01' },
    { span: 'month', from: '2026-01-01', until: '2026-02-01' },
  ])
})
