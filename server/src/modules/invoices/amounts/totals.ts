import { type Decimal, divideRounded, roundedTo, tenTo, times } from '../../../kernel/decimal.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { spread } from '../../../kernel/spread.ts'

/** Decimals of the minor unit of most currencies. */
const usualDigits = 2

/** The fields of a line that decide its amounts. */
export interface LineAmounts {
  readonly quantity: Decimal
  readonly unitPrice: Decimal
  readonly discountMinor: bigint
  readonly feeMinor: bigint
  readonly taxCategory: string
  /** in percent */
  readonly taxRate: Decimal
}

export interface DocumentAmounts {
  readonly lines: readonly LineAmounts[]
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
}

export interface LineTotals {
  /** quantity times unit price, rounded */
  readonly grossMinor: bigint
  readonly netMinor: bigint
}

/** One tax category at one rate. */
export interface TaxGroup {
  readonly category: string
  readonly rate: Decimal
  /** sum of its lines */
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  readonly taxableMinor: bigint
  readonly taxMinor: bigint
}

export interface Totals {
  readonly lines: readonly LineTotals[]
  readonly groups: readonly TaxGroup[]
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** `digits`: the decimals of the currency's minor unit. */
export function lineTotals(
  { quantity, unitPrice, discountMinor, feeMinor }: LineAmounts,
  digits: number = usualDigits,
): LineTotals {
  const grossMinor = roundedTo(times(quantity, unitPrice), digits)
  return { grossMinor, netMinor: grossMinor - discountMinor + feeMinor }
}

/** A percentage of an amount, rounded half away from zero to the minor unit. */
export const percentOf = (amountMinor: bigint, { units, scale }: Decimal): bigint =>
  divideRounded(amountMinor * units, tenTo(scale + 2))

/** Equal for rates of equal value, such as 7.5 and 7.50. */
export const rateKey = ({ units, scale }: Decimal): bigint => units * tenTo(12 - scale)

interface NetByCategory {
  readonly category: string
  readonly rate: Decimal
  netMinor: bigint
}

/** Sorted by code and rate, so that the same lines in any order give the same document. */
function sumByCategory(lines: readonly LineAmounts[], totals: readonly LineTotals[]): NetByCategory[] {
  const groups = new Map<string, NetByCategory>()
  lines.forEach(({ taxCategory, taxRate }, at) => {
    const key = `${taxCategory} ${rateKey(taxRate)}`
    const group = groups.get(key) ?? { category: taxCategory, rate: taxRate, netMinor: 0n }
    group.netMinor += (totals[at] as LineTotals).netMinor
    groups.set(key, group)
  })
  return [...groups.values()].sort((a, b) => {
    if (a.category !== b.category) return a.category < b.category ? -1 : 1
    return rateKey(a.rate) < rateKey(b.rate) ? -1 : 1
  })
}

/** What prevents the calculation, with the place of each fault. */
export function faultsOf({ lines, allowanceMinor }: DocumentAmounts, digits: number = usualDigits): Fault[] {
  const totals = lines.map((line) => lineTotals(line, digits))
  const faults: Fault[] = []
  totals.forEach(({ grossMinor }, at) => {
    if ((lines[at] as LineAmounts).discountMinor > grossMinor)
      faults.push({
        path: `lineItems[${at}].discountAmount`,
        rule: 'discount',
        message: 'must not be more than the line',
      })
  })
  if (allowanceMinor > 0n && allowanceMinor > sumOf(totals.map(({ netMinor }) => netMinor)))
    faults.push({ path: 'allowanceAmount', rule: 'allowance', message: 'must not be more than the lines together' })
  return faults
}

/**
 * All amounts of a document. Allowance and charge are distributed over the tax groups in proportion to their nets.
 * Tax is calculated once for each group, on its taxable amount.
 */
export function totalsOf(
  { lines, allowanceMinor, chargeMinor }: DocumentAmounts,
  digits: number = usualDigits,
): Totals {
  const ofLines = lines.map((line) => lineTotals(line, digits))
  const netByCategory = sumByCategory(lines, ofLines)
  const weights = netByCategory.map(({ netMinor }) => netMinor)
  const allowances = spread(allowanceMinor, weights)
  const charges = spread(chargeMinor, weights)
  const groups = netByCategory.map(({ category, rate, netMinor }, at): TaxGroup => {
    const [allowance, charge] = [allowances[at] as bigint, charges[at] as bigint]
    const taxableMinor = netMinor - allowance + charge
    return {
      category,
      rate,
      netMinor,
      allowanceMinor: allowance,
      chargeMinor: charge,
      taxableMinor,
      taxMinor: percentOf(taxableMinor, rate),
    }
  })
  const netMinor = sumOf(ofLines.map((line) => line.netMinor))
  const taxMinor = sumOf(groups.map((group) => group.taxMinor))
  const totals: Totals = {
    lines: ofLines,
    groups,
    netMinor,
    allowanceMinor,
    chargeMinor,
    taxMinor,
    payableMinor: netMinor - allowanceMinor + chargeMinor + taxMinor,
  }
  assertIdentities(totals)
  return totals
}

/** Must hold for every document. A violation is our error, so the document must not be saved. */
function assertIdentities({ groups, netMinor, allowanceMinor, chargeMinor, taxMinor, payableMinor }: Totals): void {
  const taxable = sumOf(groups.map((group) => group.taxableMinor))
  const sums =
    sumOf(groups.map((group) => group.netMinor)) === netMinor &&
    sumOf(groups.map((group) => group.allowanceMinor)) === allowanceMinor &&
    sumOf(groups.map((group) => group.chargeMinor)) === chargeMinor &&
    taxable + taxMinor === payableMinor
  if (!sums || groups.some((group) => group.taxableMinor < 0n))
    throw new Error('the totals of a document do not add up')
}
