import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { type Decimal, parseDecimal } from '../../kernel/decimal.ts'
import { faultsOf, type LineAmounts, totalsOf } from '../invoices/amounts/totals.ts'
import { divided } from './deposit.ts'

const runs = { numRuns: casesToTry(256, 4096) }
const decimal = (text: string) => parseDecimal(text) as Decimal
const line = (netMinor: bigint, taxRate: string, taxCategory = `RATE_${taxRate}`): LineAmounts => ({
  quantity: decimal('1'),
  unitPrice: { units: netMinor, scale: 2 },
  discountMinor: 0n,
  feeMinor: 0n,
  taxCategory,
  taxRate: decimal(taxRate),
})

/** The deposit and the final invoice as documents of the invoices module. */
function documentsOf(lines: readonly LineAmounts[], allowanceMinor: bigint, chargeMinor: bigint, wantedMinor: bigint) {
  const amounts = { lines, allowanceMinor, chargeMinor }
  const totals = totalsOf(amounts)
  const parts = divided({ ...totals, taxGroups: totals.groups }, wantedMinor)
  if (!parts) return { totals, parts }
  const ofDeposit = totals.groups.flatMap(({ category, rate }, at) => {
    const net = parts.depositNetsMinor[at] as bigint
    return net === 0n ? [] : [{ ...line(net, '0', category), taxRate: rate }]
  })
  const rest = { ...amounts, allowanceMinor: parts.restAllowanceMinor }
  expect(faultsOf(rest)).toEqual([])
  const deposit = totalsOf({ lines: ofDeposit, allowanceMinor: 0n, chargeMinor: 0n })
  return { totals, parts, deposit, final: totalsOf(rest) }
}

const minor = fc.bigInt({ min: 1n, max: 10n ** 12n })
const lines = fc.array(
  fc.record({ net: minor, rate: fc.constantFrom('0', '7.5', '5', '10', '20', '12.3456', '0.0001', '100') }),
  { minLength: 1, maxLength: 8 },
)
const part = fc.integer({ min: 1, max: 99 })

test('a deposit and its final invoice add up to the quote, to the last minor unit', () => {
  fc.assert(
    fc.property(lines, part, part, fc.bigInt({ min: 0n, max: 10n ** 9n }), (rows, percent, discount, charge) => {
      const sent = rows.map(({ net, rate }) => line(net, rate))
      const netMinor = rows.reduce((sum, { net }) => sum + net, 0n)
      const allowanceMinor = (netMinor * BigInt(discount)) / 400n
      const { payableMinor } = totalsOf({ lines: sent, allowanceMinor, chargeMinor: charge })
      const wanted = (payableMinor * BigInt(percent)) / 100n
      const { totals, parts, deposit, final } = documentsOf(sent, allowanceMinor, charge, wanted)
      if (!parts || !deposit || !final) return
      expect(deposit.payableMinor).toBe(parts.depositMinor)
      expect(final.payableMinor).toBe(parts.restMinor)
      expect(deposit.payableMinor + final.payableMinor).toBe(payableMinor)
      const off = parts.depositMinor > wanted ? parts.depositMinor - wanted : wanted - parts.depositMinor
      expect(off).toBeLessThanOrEqual(BigInt(2 * totals.groups.length + 2))
    }),
    runs,
  )
})

test('every usual quote can be divided', () => {
  const usual = fc.array(
    fc.record({ net: fc.bigInt({ min: 10_000n, max: 10n ** 10n }), rate: fc.constantFrom('0', '7.5', '20') }),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(usual, part, (rows, percent) => {
      const sent = rows.map(({ net, rate }) => line(net, rate))
      const { payableMinor } = totalsOf({ lines: sent, allowanceMinor: 0n, chargeMinor: 0n })
      expect(documentsOf(sent, 0n, 0n, (payableMinor * BigInt(percent)) / 100n).parts).toBeDefined()
    }),
    runs,
  )
})

test.each([
  ['half of a taxed total', [[1_000_000n, '7.5']], 537_500n, 537_500n],
  ['a round amount', [[10_000_000n, '7.5']], 5_000_000n, 5_000_000n],
  ['an amount that no net reaches with its tax', [[10_000_000n, '7.5']], 5_000_007n, undefined],
  [
    'taxed and exempt lines',
    [
      [1_000_000n, '7.5'],
      [333_333n, '0'],
    ],
    400_001n,
    400_001n,
  ],
] as const)('%s', (_, rows, wanted, exact) => {
  const { parts, totals } = documentsOf(
    rows.map(([net, rate]) => line(net, rate)),
    0n,
    0n,
    wanted,
  )
  expect(parts && parts.depositMinor + parts.restMinor).toBe(totals.payableMinor)
  if (exact !== undefined) expect(parts?.depositMinor).toBe(exact)
})

test.each([
  ['nothing', 0n],
  ['the whole total', 1_075_000n],
  ['more than the total', 2_000_000n],
])('no deposit of %s', (_, wanted) => {
  expect(documentsOf([line(1_000_000n, '7.5')], 0n, 0n, wanted).parts).toBeUndefined()
})

test('no deposit of more than the quote without its charges', () => {
  const divide = (wanted: bigint) => documentsOf([line(100n, '0')], 0n, 600n, wanted).parts
  expect(divide(350n)).toBeUndefined()
  expect(divide(80n)).toMatchObject({ depositMinor: 80n, restMinor: 620n })
})
