import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { type Decimal, parseDecimal } from '../../../kernel/decimal.ts'
import { type LineAmounts, lineTotals, type TaxGroup, totalsOf } from '../amounts/totals.ts'
import type { InvoiceLine } from '../invoice.ts'
import { type CreditTotals, creditOfAmount, creditOfRest } from './credit.ts'
import { faultsOfCredit, leftToCredit, roundingOfLines } from './left-to-credit.ts'

const runs = { numRuns: casesToTry(512, 4096) }
const decimal = (text: string) => parseDecimal(text) as Decimal
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

function line(amounts: LineAmounts, more: Partial<InvoiceLine> = {}): InvoiceLine {
  return {
    itemId: null,
    description: 'Cement',
    itemName: null,
    hsnCode: '2523.29',
    serviceCode: null,
    productCategory: null,
    unitCode: 'XBG',
    ...amounts,
    ...lineTotals(amounts),
    ...more,
  }
}
const vat = { taxCategory: 'STANDARD_VAT', taxRate: decimal('7.5') }
const free = { taxCategory: 'EXEMPTED', taxRate: decimal('0') }
const none = { discountMinor: 0n, feeMinor: 0n }
const priced = (
  price: string,
  tax: Pick<LineAmounts, 'taxCategory' | 'taxRate'> = vat,
  more: Partial<InvoiceLine> = {},
) => line({ quantity: decimal('1'), unitPrice: decimal(price), ...none, ...tax }, more)

function invoiceOf(lines: readonly InvoiceLine[], allowanceMinor = 0n, chargeMinor = 0n) {
  const { groups, payableMinor } = totalsOf({ lines, allowanceMinor, chargeMinor })
  return { number: 'INV000001', currency: 'NGN', lines, taxGroups: groups, payableMinor, allowanceMinor, chargeMinor }
}
type Original = ReturnType<typeof invoiceOf>
const noteOf = ({ totals, roundingMinor }: CreditTotals) => ({
  taxGroups: totals.groups,
  payableMinor: totals.payableMinor + roundingMinor,
  roundingMinor,
})
type Note = ReturnType<typeof noteOf>

const lines = fc
  .record({
    quantity: fc.bigInt({ min: 1n, max: 10n ** 7n }).map((units) => ({ units, scale: 3 })),
    unitPrice: fc.bigInt({ min: 0n, max: 10n ** 8n }).map((units) => ({ units, scale: 4 })),
    feeMinor: fc.bigInt({ min: 0n, max: 1000n }),
    tax: fc.constantFrom(
      vat,
      free,
      { ...vat, taxRate: decimal('5') },
      { taxCategory: 'REDUCED', taxRate: decimal('2.25') },
    ),
  })
  .map(({ quantity, unitPrice, feeMinor, tax }) => line({ quantity, unitPrice, discountMinor: 0n, feeMinor, ...tax }))

const thousandths = fc.integer({ min: 0, max: 1000 }).map(BigInt)
const invoices = fc
  .record({
    lines: fc.array(lines, { minLength: 1, maxLength: 6 }),
    allowance: thousandths,
    chargeMinor: fc.bigInt({ min: 0n, max: 10_000n }),
  })
  .map((drawn) => {
    const net = sum(drawn.lines.map(({ netMinor }) => netMinor))
    return invoiceOf(drawn.lines, (net * drawn.allowance) / 1000n, drawn.chargeMinor)
  })

/** A request: part of what is left, a few minor units, a line, or the rest. */
const wishes = fc.oneof(
  fc.record({ kind: fc.constant('part' as const), size: thousandths }),
  fc.record({ kind: fc.constant('few' as const), size: fc.bigInt({ min: 1n, max: 20n }) }),
  fc.record({ kind: fc.constant('line' as const), size: thousandths }),
  fc.record({ kind: fc.constant('rest' as const), size: fc.constant(0n) }),
)
type CreditWish = { kind: 'part' | 'few' | 'line' | 'rest'; size: bigint }

/** A note with one line in the tax group that has most left, as a caller would send it. */
function ofLine(original: Original, notes: readonly Note[], size: bigint): CreditTotals {
  const { groups } = leftToCredit(original, notes)
  const most = groups.reduce((a, b) => (a.taxableMinor >= b.taxableMinor ? a : b))
  const sent = line({
    quantity: decimal('1'),
    unitPrice: { units: (most.taxableMinor * size) / 1000n, scale: 2 },
    ...none,
    taxCategory: most.category,
    taxRate: most.rate,
  })
  const totals = totalsOf({ lines: [sent], allowanceMinor: 0n, chargeMinor: 0n })
  const roundingMinor = roundingOfLines(leftToCredit(original, notes), { ...totals, taxGroups: totals.groups })
  return { lines: [sent], totals, roundingMinor }
}

/** The note for a request; `undefined` if it would be refused. */
function grant(original: Original, notes: readonly Note[], { kind, size }: CreditWish): CreditTotals | undefined {
  const left = leftToCredit(original, notes)
  if (left.payableMinor <= 0n) return undefined
  if (kind === 'rest') return creditOfRest(original, left, notes.length === 0)
  if (kind === 'line') {
    return ofLine(original, notes, size)
  }
  const amount = kind === 'few' ? size : (left.payableMinor * size) / 1000n
  if (amount === 0n || amount > left.payableMinor) return undefined
  const credit = creditOfAmount(original, left, amount)
  expect(noteOf(credit).payableMinor).toBe(amount)
  return credit
}

const creditedOf = (notes: readonly Note[], { category, rate }: TaxGroup) =>
  notes
    .flatMap(({ taxGroups }) => taxGroups)
    .filter((group) => group.category === category && group.rate.units === rate.units)

/**
 * Twice the limit of a note's rounding: two units for each tax group, and half a unit for each earlier note of lines.
 */
const twiceTheBound = (groups: number, notesOfLines: number) => BigInt(groups * (4 + notesOfLines))
const magnitude = (amount: bigint) => (amount < 0n ? -amount : amount)

describe('for any sequence of notes', () => {
  test('credits never exceed the invoice, in total and in each tax group, and rounding stays small', () => {
    fc.assert(
      fc.property(invoices, fc.array(wishes, { maxLength: 12 }), (original, asked) => {
        const notes: Note[] = []
        let ofLines = 0
        for (const wish of asked) {
          const credit = grant(original, notes, wish)
          if (!credit) continue
          const note = noteOf(credit)
          expect(faultsOfCredit(leftToCredit(original, notes), note, 'NGN')).toEqual([])
          expect(credit.lines.length).toBeGreaterThan(0)
          expect(magnitude(note.roundingMinor) * 2n <= twiceTheBound(original.taxGroups.length, ofLines)).toBe(true)
          notes.push(note)
          if (wish.kind === 'line') ofLines++
        }
        expect(sum(notes.map(({ payableMinor }) => payableMinor)) <= original.payableMinor).toBe(true)
        for (const group of original.taxGroups)
          expect(sum(creditedOf(notes, group).map(({ taxableMinor }) => taxableMinor)) <= group.taxableMinor).toBe(true)
      }),
      runs,
    )
  })

  test('crediting the rest leaves exactly zero, in total and in each tax group', () => {
    fc.assert(
      fc.property(invoices, fc.array(wishes, { maxLength: 6 }), (original, asked) => {
        const notes: Note[] = []
        for (const wish of asked) {
          const credit = grant(original, notes, wish)
          if (credit) notes.push(noteOf(credit))
        }
        const rest = grant(original, notes, { kind: 'rest', size: 0n })
        const left = leftToCredit(original, rest ? [...notes, noteOf(rest)] : notes)
        expect(left.payableMinor).toBe(0n)
        if (rest) expect(left.groups.filter(({ taxableMinor }) => taxableMinor !== 0n)).toEqual([])
      }),
      runs,
    )
  })

  test('crediting one minor unit at a time uses the invoice up without growing rounding', () => {
    const original = invoiceOf([priced('2.00')])
    const notes: Note[] = []
    for (let at = 0; at < 215; at++) {
      const credit = creditOfAmount(original, leftToCredit(original, notes), 1n)
      expect(credit.lines).toHaveLength(1)
      expect(magnitude(credit.roundingMinor) <= 1n).toBe(true)
      notes.push(noteOf(credit))
    }
    expect(leftToCredit(original, notes)).toMatchObject({ payableMinor: 0n, groups: [{ taxableMinor: 0n }] })
  })
})

describe('a full credit', () => {
  test('of an invoice without notes repeats its lines, its allowance and its total', () => {
    fc.assert(
      fc.property(invoices, (original) => {
        const { lines, totals, roundingMinor } = creditOfRest(original, leftToCredit(original, []), true)
        expect(lines).toEqual(original.lines)
        expect({
          allowanceMinor: totals.allowanceMinor,
          chargeMinor: totals.chargeMinor,
          groups: totals.groups,
          payable: totals.payableMinor,
        }).toEqual({
          allowanceMinor: original.allowanceMinor,
          chargeMinor: original.chargeMinor,
          groups: original.taxGroups,
          payable: original.payableMinor,
        })
        expect(roundingMinor).toBe(0n)
      }),
      runs,
    )
  })

  test('of an invoice with notes has a line for each tax group with a rest, with the codes of its largest line', () => {
    const original = invoiceOf([
      priced('100.00', vat, { hsnCode: '2523.29', productCategory: 'Cement' }),
      priced('900.00', vat, { hsnCode: null, serviceCode: '6201', productCategory: 'Programs' }),
      priced('50.00', free),
    ])
    const first = creditOfAmount(original, leftToCredit(original, []), 10_000n)
    const rest = creditOfRest(original, leftToCredit(original, [noteOf(first)]), false)
    expect(
      rest.lines.map(({ taxCategory, hsnCode, serviceCode, productCategory }) => [
        taxCategory,
        hsnCode,
        serviceCode,
        productCategory,
      ]),
    ).toEqual([
      ['EXEMPTED', '2523.29', null, null],
      ['STANDARD_VAT', null, '6201', 'Programs'],
    ])
    expect(rest.lines[0]).toMatchObject({ description: 'Credit on INV000001', unitCode: 'C62', itemId: null })
  })
})

describe('an amount', () => {
  const mixed = invoiceOf([priced('1000.00'), priced('500.00', free)])

  test('is distributed over all tax groups in proportion', () => {
    // 1,575.00 are payable: 1,075.00 with tax, 500.00 exempt.
    const { totals, roundingMinor } = creditOfAmount(mixed, leftToCredit(mixed, []), 15_750n)
    expect(totals.groups.map(({ category, taxableMinor, taxMinor }) => [category, taxableMinor, taxMinor])).toEqual([
      ['EXEMPTED', 5_000n, 0n],
      ['STANDARD_VAT', 10_000n, 750n],
    ])
    expect(roundingMinor).toBe(0n)
  })

  test('takes nothing from a tax group without a rest', () => {
    const taken = totalsOf({ lines: [priced('500.00', free)], allowanceMinor: 0n, chargeMinor: 0n })
    const left = leftToCredit(mixed, [{ taxGroups: taken.groups, payableMinor: taken.payableMinor }])
    expect(left).toMatchObject({ payableMinor: 107_500n, groups: [{ taxableMinor: 0n }, { taxableMinor: 100_000n }] })
    expect(creditOfAmount(mixed, left, 107_500n).totals.groups.map(({ category }) => category)).toEqual([
      'STANDARD_VAT',
    ])
  })
})

describe('faults of a credit', () => {
  const original = invoiceOf([priced('1000.00'), priced('500.00', free)])
  const faults = (...lines: InvoiceLine[]) => {
    const { groups, payableMinor } = totalsOf({ lines, allowanceMinor: 0n, chargeMinor: 0n })
    return faultsOfCredit(leftToCredit(original, []), { taxGroups: groups, payableMinor }, 'NGN')
  }

  test.each([
    ['what is left', [priced('1000.00'), priced('500.00', free)], 0],
    ['less', [priced('999.99')], 0],
    ['more of one tax group than is left of it, although less in all', [priced('500.01', free)], 1],
    ['a tax group that is not on the invoice', [priced('1.00', { ...vat, taxRate: decimal('5') })], 1],
    ['more in all and of every group', [priced('1000.01'), priced('500.01', free)], 3],
  ])('%s', (_, sent, count) => {
    const found = faults(...sent)
    expect(found.map(({ path, rule }) => [path, rule])).toEqual(
      Array.from({ length: count }, () => ['lineItems', 'left_to_credit']),
    )
  })

  test('7.5 and 7.50 per cent are one tax group', () => {
    expect(faults(priced('1000.00', { ...vat, taxRate: decimal('7.50') }))).toEqual([])
  })
})
