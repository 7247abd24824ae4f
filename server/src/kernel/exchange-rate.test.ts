import { expect, test } from 'vitest'
import { homeTaxFrom, homeTaxOf, minorRateOf, rateOf, storedHomeTax } from './exchange-rate.ts'

test.each([
  ['USD', 'NGN', '1536.25', '1536.25'],
  ['JPY', 'NGN', '10.5', '1050'],
  ['KWD', 'NGN', '5012.75', '501.275'],
  ['USD', 'JPY', '150', '1.5'],
  ['USD', 'NGN', '1500.000', '1500'],
])('a rate from %s to %s of %s is %s between minor units', (currency, home, rate, minor) => {
  expect(minorRateOf({ currency, rate }, home)).toBe(minor)
  expect(Number(rateOf(currency, minor, home))).toBe(Number(rate))
})

test.each([
  ['each group is rounded by itself', 'USD', [1n, 1n], '0.5', 2n],
  ['halves are rounded away from zero', 'USD', [-1n, 3n], '0.5', 1n],
  ['currencies without decimals', 'JPY', [100n], '10.5', 105_000n],
  ['nothing', 'USD', [], '1536.25', 0n],
])('the tax in the home currency: %s', (_, currency, taxes, rate, expected) => {
  const taxGroups = taxes.map((taxMinor) => ({ taxMinor }))
  const tax = homeTaxOf({ currency, taxGroups }, { rate, day: '2026-01-14', source: 'table' }, 'NGN')
  expect(tax).toEqual({ currency: 'NGN', taxMinor: expected, rate, day: '2026-01-14', source: 'table' })
  expect(homeTaxFrom(JSON.parse(JSON.stringify(storedHomeTax(tax, currency))))).toEqual(tax)
})
