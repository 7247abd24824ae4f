import { expect, test } from 'vitest'
import { taxRateOn } from './tax-rates.ts'

test.each([
  ['STANDARD_VAT', '1993-12-31', undefined],
  ['STANDARD_VAT', '2020-01-31', '5'],
  ['STANDARD_VAT', '2020-02-01', '7.5'],
  ['STANDARD_VAT', '2026-11-15', '7.5'],
  ['ZERO_VAT', '2026-11-15', '0'],
  ['WITHHOLDING_TAX', '2026-11-15', undefined],
])('the rate of %s on %s is %s', (category, day, percent) => {
  expect(taxRateOn(category, day)).toBe(percent)
})
