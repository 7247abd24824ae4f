import { expect, test } from 'vitest'
import { sourceOfRefund } from './refund-source.ts'

test('the day of a payout is in the time zone of the country', () => {
  const settledAt = new Date('2026-11-15T23:30:00Z')
  expect(sourceOfRefund({ provider: 'monnify' }, settledAt, 'Africa/Lagos')).toContain('on 2026-11-16,')
  expect(sourceOfRefund({ provider: 'monnify' }, settledAt, 'Africa/Accra')).toContain('on 2026-11-15,')
})
