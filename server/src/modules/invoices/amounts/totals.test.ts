import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { type Decimal, parseDecimal } from '../../../kernel/decimal.ts'
import { spread } from '../../../kernel/spread.ts'
import { type DocumentAmounts, faultsOf, type LineAmounts, lineTotals, totalsOf } from './totals.ts'

const runs = { numRuns: casesToTry(512, 4096) }
const decimal = (text: string) => parseDecimal(text) as Decimal
const line = (quantity: string, unitPrice: string, more: Partial<LineAmounts> = {}): LineAmounts => ({
  quantity: decimal(quantity),
  unitPrice: decimal(unitPrice),
  discountMinor: 0n,
  feeMinor: 0n,
  taxCategory: 'STANDARD_VAT',
  taxRate: decimal('7.5'),
  ...more,
})
const exempt = { taxCategory: 'EXEMPTED', taxRate: decimal('0') }

describe('shares', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 30 })
  const amount = fc.bigInt({ min: 0n, max: 10n ** 16n })

  test('add up exactly, and each is less than one unit from its exact share', () => {
    fc.assert(
      fc.property(amount, weights, (total, parts) => {
        const shares = spread(total, parts)
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total)
        const all = parts.reduce((sum, part) => sum + part, 0n)
        if (all === 0n) return
        shares.forEach((share, at) => {
          const off = share * all - total * (parts[at] as bigint)
          expect(off > -all && off < all).toBe(true)
          if (parts[at] === 0n) expect(share).toBe(0n)
        })
      }),
      runs,
    )
  })

  test('never exceed the weights if the amount does not exceed their sum', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (parts, portion) => {
        const all = parts.reduce((sum, part) => sum + part, 0n)
        const total = (all * BigInt(Math.floor(portion * 1_000_000))) / 1_000_000n
        for (const [at, share] of spread(total, parts).entries()) expect(share <= (parts[at] as bigint)).toBe(true)
      }),
      runs,
    )
  })

  test('of equal remainders, the earlier gets the unit', () => {
    expect(spread(1n, [5n, 5n])).toEqual([1n, 0n])
    expect(spread(10n, [1n, 1n, 1n])).toEqual([4n, 3n, 3n])
    expect(spread(7n, [0n, 0n])).toEqual([7n, 0n])
    expect(spread(5n, [])).toEqual([])
  })
})

describe('a line', () => {
  test.each([
    ['1', '0.005', 1n],
    ['1', '0.0049', 0n],
    ['3', '33.3333', 10_000n],
    ['0.000001', '0.0001', 0n],
    ['2.5', '1.01', 253n],
    ['1000000', '99999999.9999', 9_999_999_999_990_000n],
  ])('%s at %s comes to %s minor units', (quantity, price, gross) => {
    expect(lineTotals(line(quantity, price)).grossMinor).toBe(gross)
  })

  test('subtracts its discount and adds its fee', () => {
    expect(lineTotals(line('2', '10', { discountMinor: 500n, feeMinor: 25n })).netMinor).toBe(1_525n)
  })
})

const amounts = fc.record({
  quantity: fc.bigInt({ min: 1n, max: 10n ** 9n }).map((units) => ({ units, scale: 6 })),
  unitPrice: fc.bigInt({ min: 0n, max: 10n ** 10n }).map((units) => ({ units, scale: 4 })),
  discount: fc.double({ min: 0, max: 1, noNaN: true }),
  feeMinor: fc.bigInt({ min: 0n, max: 10n ** 6n }),
  tax: fc.constantFrom(
    { taxCategory: 'STANDARD_VAT', taxRate: decimal('7.5') },
    { taxCategory: 'ZERO_VAT', taxRate: decimal('0') },
    { taxCategory: 'EXEMPTED', taxRate: decimal('0') },
    { taxCategory: 'REDUCED_VAT', taxRate: decimal('2.25') },
    { taxCategory: 'STANDARD_VAT', taxRate: decimal('5') },
  ),
})
const documents = fc
  .record({
    drawn: fc.array(amounts, { minLength: 1, maxLength: 40 }),
    allowance: fc.double({ min: 0, max: 1, noNaN: true }),
    chargeMinor: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  })
  .map(({ drawn, allowance, chargeMinor }): DocumentAmounts => {
    const share = (whole: bigint, part: number) => (whole * BigInt(Math.floor(part * 1000))) / 1000n
    const lines = drawn.map(({ quantity, unitPrice, discount, feeMinor, tax }): LineAmounts => {
      const bare = { quantity, unitPrice, discountMinor: 0n, feeMinor, ...tax }
      return { ...bare, discountMinor: share(lineTotals(bare).grossMinor, discount) }
    })
    const net = lines.map((line) => lineTotals(line)).reduce((sum, { netMinor }) => sum + netMinor, 0n)
    return { lines, allowanceMinor: share(net, allowance), chargeMinor }
  })

describe('a document', () => {
  test('adds up, whatever it contains', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(faultsOf(document)).toEqual([])
        const totals = totalsOf(document)
        const { lines, groups, netMinor, taxMinor, payableMinor } = totals
        expect(lines.reduce((sum, one) => sum + one.netMinor, 0n)).toBe(netMinor)
        expect(groups.reduce((sum, one) => sum + one.taxMinor, 0n)).toBe(taxMinor)
        expect(payableMinor).toBe(netMinor - document.allowanceMinor + document.chargeMinor + taxMinor)
        for (const group of groups) {
          expect(group.taxableMinor).toBe(group.netMinor - group.allowanceMinor + group.chargeMinor)
          // Within half a minor unit of the exact tax.
          const exact = group.taxableMinor * group.rate.units
          const scale = 10n ** BigInt(group.rate.scale + 2)
          const off = group.taxMinor * scale - exact
          expect((off < 0n ? -off : off) * 2n <= scale).toBe(true)
        }
      }),
      runs,
    )
  })

  test('has the same amounts in any order of its lines', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const turned = totalsOf({ ...document, lines: document.lines.toReversed() })
        const { lines: _, ...straight } = totalsOf(document)
        const { lines: __, ...reversed } = turned
        expect(reversed).toEqual(straight)
      }),
      { numRuns: 1000 },
    )
  })

  test('distributes its allowance over its tax groups', () => {
    const { groups, taxMinor, payableMinor } = totalsOf({
      lines: [line('1', '100'), line('1', '200', exempt), line('3', '0.10')],
      allowanceMinor: 1_000n,
      chargeMinor: 0n,
    })
    expect(
      groups.map(({ category, netMinor, allowanceMinor, taxableMinor, taxMinor }) => [
        category,
        netMinor,
        allowanceMinor,
        taxableMinor,
        taxMinor,
      ]),
    ).toEqual([
      ['EXEMPTED', 20_000n, 666n, 19_334n, 0n],
      ['STANDARD_VAT', 10_030n, 334n, 9_696n, 727n],
    ])
    expect([taxMinor, payableMinor]).toEqual([727n, 29_757n])
  })

  test('separates the rates of one category, and treats 7.5 and 7.50 as equal', () => {
    const old = { taxRate: decimal('5') }
    const same = { taxRate: decimal('7.50') }
    const { groups } = totalsOf({
      lines: [line('1', '10'), line('1', '10', old), line('1', '10', same)],
      allowanceMinor: 0n,
      chargeMinor: 0n,
    })
    expect(groups.map(({ rate, netMinor }) => [rate.units, netMinor])).toEqual([
      [5n, 1_000n],
      [75n, 2_000n],
    ])
  })

  test('lists every fault with its place', () => {
    const over = line('1', '1', { discountMinor: 101n })
    const lines = [line('1', '1'), over, { ...over, feeMinor: 50n }]
    expect(faultsOf({ lines, allowanceMinor: 1_000n, chargeMinor: 0n }).map(({ path }) => path)).toEqual([
      'lineItems[1].discountAmount',
      'lineItems[2].discountAmount',
      'allowanceAmount',
    ])
  })

  test('of five hundred lines equals the sum of its lines', () => {
    const lines = Array.from({ length: 500 }, (_, at) => line(String(at + 1), '0.3333'))
    const { netMinor, taxMinor } = totalsOf({ lines, allowanceMinor: 0n, chargeMinor: 0n })
    expect(netMinor).toBe(lines.map((line) => lineTotals(line)).reduce((sum, one) => sum + one.netMinor, 0n))
    expect(taxMinor).toBe((netMinor * 75n + 500n) / 1000n)
  })
})
