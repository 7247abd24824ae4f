import { spread } from '../../kernel/spread.ts'
import { documentContents } from '../invoices/index.ts'

const { percentOf } = documentContents
type TaxGroup = documentContents.TaxGroup

/** The amounts of a quote that decide how it is divided. */
export interface DividedAmounts {
  readonly taxGroups: readonly Pick<TaxGroup, 'category' | 'rate' | 'netMinor' | 'chargeMinor' | 'taxableMinor'>[]
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly payableMinor: bigint
}

export interface DividedQuote {
  /** the amount before tax for each tax group of the quote, in their order */
  readonly depositNetsMinor: readonly bigint[]
  readonly depositMinor: bigint
  /** the final invoice has the lines of the quote and this allowance */
  readonly restAllowanceMinor: bigint
  readonly restMinor: bigint
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)
const withTax = (netMinor: bigint, { rate }: Pick<TaxGroup, 'rate'>): bigint => netMinor + percentOf(netMinor, rate)
const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/** The taxable amounts of the final invoice with this allowance; `undefined` if the allowance is too large for a tax group. */
function restOf({ taxGroups }: DividedAmounts, allowanceMinor: bigint): bigint[] | undefined {
  const allowances = spread(
    allowanceMinor,
    taxGroups.map(({ netMinor }) => netMinor),
  )
  const taxable = taxGroups.map(({ netMinor, chargeMinor }, at) => netMinor - (allowances[at] as bigint) + chargeMinor)
  return taxable.some((amount) => amount < 0n) ? undefined : taxable
}

/** Moves single minor units between tax groups until the deposit with its tax is exactly the wanted amount. */
function fitted(
  groups: DividedAmounts['taxGroups'],
  nets: readonly bigint[],
  wantedMinor: bigint,
): bigint[] | undefined {
  const fitting = [...nets]
  // Each step brings the sum nearer, and the first sum is off by the roundings of the tax groups at most.
  for (let steps = 0; steps <= 2 * groups.length; steps++) {
    const missing = wantedMinor - sumOf(groups.map((group, at) => withTax(fitting[at] as bigint, group)))
    if (missing === 0n) return fitting
    const unit = missing > 0n ? 1n : -1n
    const at = groups.findIndex((group, nth) => {
      const net = fitting[nth] as bigint
      if (net + unit < 0n) return false
      const gained = withTax(net + unit, group) - withTax(net, group)
      return distance(missing, gained) < distance(missing, 0n)
    })
    if (at < 0) return undefined
    fitting[at] = (fitting[at] as bigint) + unit
  }
  return undefined
}

/** How many amounts are tried above and below the first one. Most quotes need one or two. */
const mostTries = 2_000n

/**
 * Divides a quote into a deposit and a final invoice, whose totals together are exactly that of the quote. The deposit is the wanted amount,
 * or the nearest one that the rounding of taxes allows. `undefined` if there is none.
 */
export function divided(quote: DividedAmounts, wantedMinor: bigint): DividedQuote | undefined {
  const { taxGroups, netMinor, allowanceMinor, payableMinor } = quote
  if (wantedMinor <= 0n || wantedMinor >= payableMinor) return undefined
  const taxableMinor = sumOf(taxGroups.map((group) => group.taxableMinor))
  const first = (taxableMinor * wantedMinor) / payableMinor
  let best: DividedQuote | undefined
  const tryWith = (netOfDeposit: bigint): void => {
    const restAllowanceMinor = allowanceMinor + netOfDeposit
    if (netOfDeposit <= 0n || restAllowanceMinor > netMinor) return
    const rest = restOf(quote, restAllowanceMinor)
    if (!rest) return
    const restMinor = sumOf(taxGroups.map((group, at) => withTax(rest[at] as bigint, group)))
    const depositMinor = payableMinor - restMinor
    if (depositMinor <= 0n || restMinor <= 0n) return
    if (best && distance(depositMinor, wantedMinor) >= distance(best.depositMinor, wantedMinor)) return
    const proportional = taxGroups.map((group, at) => {
      const net = group.taxableMinor - (rest[at] as bigint)
      return net < 0n ? 0n : net
    })
    const depositNetsMinor = fitted(taxGroups, proportional, depositMinor)
    if (depositNetsMinor) best = { depositNetsMinor, depositMinor, restAllowanceMinor, restMinor }
  }
  for (let away = 0n; away <= mostTries && best?.depositMinor !== wantedMinor; away++) {
    // Further away there is no nearer one.
    if (best && away > distance(best.depositMinor, wantedMinor) + 2n) break
    tryWith(first + away)
    if (away > 0n) tryWith(first - away)
  }
  // Charges stay on the final invoice. If they are most of the total, the nearest deposit may be far from the wanted one.
  const furthest = 2n * BigInt(taxGroups.length) + 2n
  return best && distance(best.depositMinor, wantedMinor) <= furthest ? best : undefined
}
