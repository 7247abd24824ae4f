import { expect, test } from 'vitest'
import { majorOf, minorOf, priceText } from '../src/features/items/price.ts'

test.each([
  ['195000.5', 'NGN', '1950.005'],
  ['5', 'NGN', '0.05'],
  ['750000', 'NGN', '7500'],
  ['1200', 'JPY', '1200'],
  ['1', 'KWD', '0.001'],
  ['0', 'NGN', '0'],
])('%s of %s is %s, and back', (minor, currency, major) => {
  expect(majorOf(minor, currency)).toBe(major)
  expect(minorOf(major, currency)).toBe(minor)
})

test('what is typed may have commas and the sign; what is no number is left for the service to refuse', () => {
  expect(minorOf('₦1,950.50', 'NGN')).toBe('195050')
  expect(minorOf('a lot', 'NGN')).toBe('alot')
  expect(priceText('195000.5', 'NGN')).toBe('₦1,950.005')
  expect(priceText('750000', 'NGN')).toBe('₦7,500.00')
})
