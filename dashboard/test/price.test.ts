import { expect, test } from 'vitest'
import { majorOf, minorOf } from '../src/features/items/price.ts'
import { decimalOf, money, priceText, minorOf as wholeMinorOf } from '../src/ui/money.ts'

test.each([
  ['195000.5', '1950.005'],
  ['5', '0.05'],
  ['750000', '7500'],
  ['0', '0'],
])('%s minor units are %s, and back', (minor, major) => {
  expect(majorOf(minor)).toBe(major)
  expect(minorOf(major)).toBe(minor)
})

test('typed amounts may have commas and a currency sign, and other text is left for the service to refuse', () => {
  expect(minorOf('₦1,950.50')).toBe('195050')
  expect(minorOf('a lot')).toBe('alot')
  expect(priceText('1950.005', 'NGN')).toBe('₦1,950.005')
  expect(priceText('7500', 'NGN')).toBe('₦7,500.00')
})

// The service uses hundredths for every currency: 1,000 yen are 100000.
test.each(['NGN', 'JPY', 'XOF', 'KWD'])('amounts in %s are hundredths', (currency) => {
  expect(money(100_000, currency)).toMatch(/1,000\.00$/)
  expect(decimalOf(100_000)).toBe('1000.00')
  expect(wholeMinorOf('1,000')).toBe(100_000)
})
