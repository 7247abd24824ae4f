import { expect, test } from 'vitest'
import {
  decimalOf,
  decimalOfMinorText,
  learnDecimals,
  minorOf,
  minorTextOf,
  money,
  plainNumber,
  priceText,
} from '../src/ui/money.ts'

test.each([
  ['195000.5', '1950.005'],
  ['5', '0.05'],
  ['750000', '7500.00'],
  ['0', '0.00'],
])('%s minor units are %s, and back', (minor, major) => {
  expect(decimalOfMinorText(minor, 'NGN')).toBe(major)
  expect(minorTextOf(major, 'NGN')).toBe(minor)
})

test('typed amounts may have commas and a currency sign, and other text is left for the service to refuse', () => {
  expect(minorTextOf('₦1,950.50', 'NGN')).toBe('195050')
  expect(minorTextOf('€ 1,950.50', 'EUR')).toBe('195050')
  expect(minorTextOf('a lot', 'NGN')).toBe('alot')
  expect(priceText('1950.005', 'NGN')).toBe('₦1,950.005')
  expect(priceText('7500', 'NGN')).toBe('₦7,500.00')
})

test.each([
  ['1,950.50', '1950.50'],
  ['1,950', '1950'],
  ['12,345,678', '12345678'],
  ['12,50', '12.50'],
  ['12,5', '12.5'],
  ['0,125', '0.125'],
  ['0,5', '0.5'],
  ['1.950,50', '1950.50'],
  ['₦ 12,50', '12.50'],
  ['1 950,50', '1950.50'],
  ['12.50', '12.50'],
])('the typed number %s is %s', (typed, number) => {
  expect(plainNumber(typed)).toBe(number)
})

test.each(['01,950', '1,95,0', '12,3456', '1,950,5', '1,2,3', ',5', '1,,000'])(
  'the typed number %s is not guessed',
  (typed) => {
    expect(plainNumber(typed)).toBe(typed)
    expect(minorOf(typed, 'NGN')).toBeUndefined()
  },
)

test('the minus sign stands apart from the currency sign', () => {
  expect(money(-3_081_666, 'NGN')).toBe('\u2212\u202f₦30,816.66')
})

test('an amount is shown without a sign while a person still types the currency', () => {
  expect(money(100_000, 'NG')).toBe('1,000.00')
})

test.each([
  ['NGN', 2, 100_000, /1,000\.00$/, '1000.00', '100000.5', '1000.005'],
  ['JPY', 0, 1_000, /1,000$/, '1000', '1000.5', '1000.5'],
  ['KWD', 3, 1_000_000, /1,000\.000$/, '1000.000', '1000000.5', '1000.0005'],
])('amounts in %s have %i decimals, as the service says', (code, decimals, minor, shown, decimal, minorText, price) => {
  learnDecimals([{ code, decimals }])
  expect(money(minor, code)).toMatch(shown)
  expect(decimalOf(minor, code)).toBe(decimal)
  expect(decimalOf(-minor, code)).toBe(`-${decimal}`)
  expect(minorOf('1,000', code)).toBe(minor)
  expect(minorOf(`1.${'1'.repeat(decimals + 1)}`, code)).toBeUndefined()
  expect(decimalOfMinorText(minorText, code)).toBe(price)
  expect(minorTextOf(price, code)).toBe(minorText)
})
