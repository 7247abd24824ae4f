import { expect, test } from 'vitest'
import { businessDay } from './days.ts'

test('a business day begins at midnight where the business is, whatever was asked before', () => {
  const lagos = (instant: string) => businessDay(new Date(instant), 'Africa/Lagos')
  expect(lagos('2026-11-15T22:59:59.999Z')).toBe('2026-11-15')
  expect(lagos('2026-11-15T23:00:00Z')).toBe('2026-11-16')
  expect(businessDay(new Date('2026-11-15T23:00:00Z'), 'UTC')).toBe('2026-11-15')
  expect(lagos('2026-11-15T22:59:59Z')).toBe('2026-11-15')
  expect(lagos('2024-02-29T12:00:00Z')).toBe('2024-02-29')
})
