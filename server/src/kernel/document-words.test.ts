import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDecimal } from './decimal.ts'
import { amount, countryName, dayInWords, momentInWords, money, quantity, unitPrice } from './document-words.ts'

const decimal = (text: string) => parseDecimal(text) ?? expect.fail()

describe('figures', () => {
  test.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [99_999n, '999.99'],
    [100_000n, '1,000.00'],
    [-5n, '−0.05'],
    [-123_456_789n, '−1,234,567.89'],
    [99_999_999_999_999_999n, '999,999,999,999,999.99'],
  ])('the amount %s is %s', (minor, text) => {
    expect(amount(minor, 'NGN')).toBe(text)
  })

  test.each([
    [123_450n, 'NGN', '₦1,234.50'],
    [-123_450n, 'USD', '−$1,234.50'],
    [1n, 'EUR', '€0.01'],
    [-123_456n, 'GBP', '−£1,234.56'],
    [100n, 'GHS', 'GHS\u00a01.00'],
    [-100n, 'XAF', '−XAF\u00a0100'],
    [100n, 'toString', 'toString\u00a01.00'],
  ])('the money %s %s is %s', (minor, currency, text) => {
    expect(money(minor, currency)).toBe(text)
  })

  test('have a comma before each three digits, and none elsewhere', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (minor) => {
        const text = money(minor, 'NGN')
        expect(text).toMatch(/^₦\d{1,3}(,\d{3})*\.\d{2}$/)
        expect(BigInt(text.replace(/[₦,.]/g, ''))).toBe(minor)
      }),
    )
  })

  test.each([
    ['12.000', '12'],
    ['8.50', '8.5'],
    ['1234567.000001', '1,234,567.000001'],
    ['0.5', '0.5'],
    ['-0.5', '−0.5'],
    ['1000', '1,000'],
  ])('the quantity %s is %s', (text, written) => {
    expect(quantity(decimal(text))).toBe(written)
  })

  test.each([
    ['12', '12.00'],
    ['1200.5', '1,200.50'],
    ['0.123400', '0.1234'],
    ['78500.000', '78,500.00'],
  ])('the unit price %s is %s, with or without its currency', (text, written) => {
    expect(unitPrice(decimal(text), 'NGN')).toBe(written)
    expect(unitPrice(decimal(text), 'NGN', { withSign: true })).toBe(`₦${written}`)
  })
})

test('valid days are written in words', () => {
  expect(dayInWords('2026-01-31')).toBe('31 January 2026')
  expect(dayInWords('2024-12-01')).toBe('1 December 2024')
  expect(dayInWords('2026-13-01')).toBe('2026-13-01')
  expect(dayInWords('soon')).toBe('soon')
  const moment = new Date('2026-12-31T23:05:09.123Z')
  expect(momentInWords(moment)).toBe('31 December 2026, 23:05 UTC')
  expect(momentInWords(moment, 'Africa/Lagos')).toBe('1 January 2027, 00:05 Lagos time')
})

test('known country codes are written as names', () => {
  expect(countryName('NG')).toBe('Nigeria')
  expect(countryName('Ghana')).toBe('Ghana')
  expect(countryName('XQ')).toBe('XQ')
})
