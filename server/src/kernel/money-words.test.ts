import { expect, test } from 'vitest'
import { moneyInWords } from './money-words.ts'

test.each([
  [209_626n, 'NGN', 'NGN 2,096.26'],
  [5n, 'USD', 'USD 0.05'],
  [0n, 'EUR', 'EUR 0.00'],
  [-123_456_789n, 'GBP', 'GBP -1,234,567.89'],
  [1_500n, 'JPY', 'JPY 1,500'],
  [1_500n, 'KWD', 'KWD 1.500'],
  [900_719_925_474_099_312n, 'NGN', 'NGN 9,007,199,254,740,993.12'],
])('%s minor units of %s are %s', (minor, currency, words) => {
  expect(moneyInWords(minor, currency)).toBe(words)
})
