import { divideRounded, tenTo } from '../../../kernel/decimal.ts'
import { currencyDigits } from '../../../kernel/money-words.ts'
import { spread } from '../../../kernel/spread.ts'
import { lineTotals, rateKey, type Totals, totalsOf } from '../amounts/totals.ts'
import type { InvoiceLine } from '../invoice.ts'
import { type CorrectedInvoice, isSame, type LeftOfGroup, type LeftToCredit } from './left-to-credit.ts'

export interface CreditTotals {
  readonly lines: readonly InvoiceLine[]
  readonly totals: Totals
  /**
   * The difference from tax rounding, so that the note has exactly the requested total. At most two minor units for
   * each tax group, plus half a unit in each for every earlier note of lines.
   */
  readonly roundingMinor: bigint
}

/** "One" of anything, in UN/ECE Recommendation 20. */
const oneThing = 'C62'

/** A line that credits this net of a tax group, with the codes of the group's largest line. */
function lineFor(original: CorrectedInvoice, { category, rate }: LeftOfGroup, netMinor: bigint): InvoiceLine {
  const largest = original.lines
    .filter((line) => isSame({ category: line.taxCategory, rate: line.taxRate }, { category, rate }))
    .reduce<InvoiceLine | undefined>((most, line) => (most && most.netMinor >= line.netMinor ? most : line), undefined)
  const digits = currencyDigits(original.currency)
  const amounts = {
    quantity: { units: 1n, scale: 0 },
    unitPrice: { units: netMinor, scale: digits },
    discountMinor: 0n,
    feeMinor: 0n,
    taxCategory: category,
    taxRate: rate,
  }
  return {
    itemId: null,
    description: `Credit on ${original.number}`,
    itemName: null,
    hsnCode: largest?.hsnCode ?? null,
    serviceCode: largest?.serviceCode ?? null,
    productCategory: largest?.productCategory ?? null,
    unitCode: oneThing,
    ...amounts,
    ...lineTotals(amounts, digits),
  }
}

/** A credit of these nets; with tax and a little rounding it equals the credited total. */
function credited(
  original: CorrectedInvoice,
  left: LeftToCredit,
  nets: readonly bigint[],
  amountMinor: bigint,
): CreditTotals {
  const shares = left.groups.map((group, at) => ({ group, net: nets[at] as bigint }))
  const some = shares.filter(({ net }) => net > 0n)
  // A document needs a line, even if only rounded tax is credited.
  const lines = (some.length > 0 ? some : shares.slice(0, 1)).map(({ group, net }) => lineFor(original, group, net))
  const totals = totalsOf({ lines, allowanceMinor: 0n, chargeMinor: 0n }, currencyDigits(original.currency))
  return {
    lines,
    totals,
    roundingMinor: amountMinor - totals.payableMinor,
  }
}

/** Fine enough that every rate is a whole number of these parts. */
const parts = tenTo(14)

/**
 * Credits an amount including tax, from every tax group in proportion to what is left. What remains is distributed
 * and rounded, not what is credited. So the next note corrects the rounding of this one, and rounding does not grow.
 */
export function creditOfAmount(original: CorrectedInvoice, left: LeftToCredit, amountMinor: bigint): CreditTotals {
  const withTax = left.groups.map(({ rate }) => parts + rateKey(rate))
  const stays = spread(
    left.payableMinor - amountMinor,
    left.groups.map(({ taxableMinor }, at) => taxableMinor * (withTax[at] as bigint)),
  )
  const nets = left.groups.map(({ taxableMinor }, at) => {
    const staying = divideRounded((stays[at] as bigint) * parts, withTax[at] as bigint)
    return staying < taxableMinor ? taxableMinor - staying : 0n
  })
  return credited(original, left, nets, amountMinor)
}

/**
 * Credits everything that is left: the original lines if nothing was credited yet, else one line for each tax group.
 */
export function creditOfRest(original: CorrectedInvoice, left: LeftToCredit, isUntouched: boolean): CreditTotals {
  if (!isUntouched) return creditOfAmount(original, left, left.payableMinor)
  const { lines, allowanceMinor, chargeMinor } = original
  const totals = totalsOf({ lines, allowanceMinor, chargeMinor }, currencyDigits(original.currency))
  return { lines, totals, roundingMinor: left.payableMinor - totals.payableMinor }
}
