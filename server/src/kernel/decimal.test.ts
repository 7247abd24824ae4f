import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  atScale,
  type Decimal,
  decimalOfNumber,
  divideRounded,
  parseDecimal,
  roundedTo,
  spelled,
  tenTo,
  times,
  trimmed,
} from './decimal.ts'

const runs = { numRuns: 4096 }
const big = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
const scale = fc.nat(12)

test('a formatted decimal is parsed again', () => {
  fc.assert(
    fc.property(big, scale, (units, places) => {
      expect(parseDecimal(spelled(units, places))).toEqual({ units, scale: places })
    }),
    runs,
  )
})

test.each(['', '-', '.5', '5.', '+5', '1e3', '0x10', ' 1', '1,000', '١', 'NaN', 'Infinity', '--1', '1.2.3'])(
  '%j is not a plain decimal',
  (text) => expect(parseDecimal(text)).toBeUndefined(),
)

test('a number keeps its digits', () => {
  expect(decimalOfNumber(0.1)).toEqual({ units: 1n, scale: 1 })
  expect(decimalOfNumber(1e21)).toEqual({ units: 10n ** 21n, scale: 0 })
  expect(decimalOfNumber(1.5e-7)).toEqual({ units: 15n, scale: 8 })
  expect(decimalOfNumber(-2.5e25)).toEqual({ units: -25n * 10n ** 24n, scale: 0 })
  expect(decimalOfNumber(Number.NaN)).toBeUndefined()
  expect(decimalOfNumber(Number.POSITIVE_INFINITY)).toBeUndefined()
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const { units, scale: places } = decimalOfNumber(value) as Decimal
      expect(Number(spelled(units, places)) === value).toBe(true)
    }),
    runs,
  )
})

test('rounding is half away from zero', () => {
  expect([5n, -5n, 15n, -15n, 4n, 14n, 6n].map((value) => divideRounded(value, 10n))).toEqual([
    1n,
    -1n,
    2n,
    -2n,
    0n,
    1n,
    1n,
  ])
  expect([1n, 2n, -1n, -2n].map((value) => divideRounded(value, 3n))).toEqual([0n, 1n, 0n, -1n])
  fc.assert(
    fc.property(big, fc.bigInt({ min: 1n, max: 10n ** 9n }), (dividend, divisor) => {
      const quotient = divideRounded(dividend, divisor)
      const error = dividend - quotient * divisor
      const twice = (error < 0n ? -error : error) * 2n
      expect(twice <= divisor).toBe(true)
      // At the midpoint, rounding goes away from zero.
      if (twice === divisor) expect(error === 0n || error < 0n === dividend > 0n).toBe(true)
      expect(divideRounded(-dividend, divisor)).toBe(-quotient)
    }),
    runs,
  )
})

test('a change of scale is exact, or fails', () => {
  expect(atScale({ units: 1250n, scale: 3 }, 2)).toBe(125n)
  expect(atScale({ units: 1255n, scale: 3 }, 2)).toBeUndefined()
  fc.assert(
    fc.property(big, scale, scale, (units, from, to) => {
      const exact = atScale({ units, scale: from }, to)
      const rounded = roundedTo({ units, scale: from }, to)
      if (exact !== undefined) expect(rounded).toBe(exact)
      else expect(rounded * tenTo(from - to)).not.toBe(units)
      const short = trimmed({ units, scale: from })
      expect(short.units * tenTo(from - short.scale)).toBe(units)
    }),
    runs,
  )
})

test('a product has the decimals of both', () => {
  expect(times({ units: 15n, scale: 1 }, { units: 25n, scale: 2 })).toEqual({ units: 375n, scale: 3 })
})
