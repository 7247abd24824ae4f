import { expect, test } from 'vitest'
import { minorRateOf, rateOf } from './exchange-rate.ts'
import { faultsOf } from './exchange-rates.ts'
import { daysOf, periodAfter, periodsBetween } from './tax-periods.ts'

test.each([
  ['2026-01', '2026-01-01', '2026-01-31'],
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2100-02', '2100-02-01', '2100-02-28'],
  ['2000-02', '2000-02-01', '2000-02-29'],
  ['1999-12', '1999-12-01', '1999-12-31'],
])('%s lasts from %s to %s', (period, from, to) => {
  expect(daysOf(period)).toEqual({ from, to })
})

test('months follow each other over the end of a year', () => {
  expect(periodAfter('2026-12')).toBe('2027-01')
  expect(periodAfter('2027-01', -1)).toBe('2026-12')
  expect(periodAfter('2026-05', 20)).toBe('2028-01')
  expect(periodsBetween('2026-11', '2027-02', 10)).toEqual(['2027-02', '2027-01', '2026-12', '2026-11'])
  expect(periodsBetween('2020-01', '2027-02', 2)).toEqual(['2027-02', '2027-01'])
  expect(periodsBetween('2027-03', '2027-02', 2)).toEqual([])
})

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

test('every wrong rate is named', () => {
  const day = '2026-10-01'
  const rates = [
    { currency: 'USD', day, rate: '1500' },
    { currency: 'USD', day, rate: '1501' },
    { currency: 'NGN', day, rate: '1' },
    { currency: 'EUR', day, rate: '0.00' },
  ]
  expect(faultsOf(rates, 'NGN').map(({ path, rule }) => [path, rule])).toEqual([
    ['rates[1].day', 'unique'],
    ['rates[2].currency', 'foreign'],
    ['rates[3].rate', 'positive'],
  ])
})
