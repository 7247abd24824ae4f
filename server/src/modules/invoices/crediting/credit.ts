import { type Decimal, divideRounded, tenTo } from '../../../kernel/decimal.ts'
import { moneyInWords } from '../../../kernel/money-words.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { spread } from '../amounts/spread.ts'
import { lineTotals, rateKey, type TaxGroup, type Totals, totalsOf } from '../amounts/totals.ts'
import type { Invoice, InvoiceLine } from '../invoice.ts'

/** What of one tax group is not credited yet. */
export interface LeftOfGroup {
  readonly category: string
  readonly rate: Decimal
  readonly taxableMinor: bigint
}

export interface LeftToCredit {
  readonly payableMinor: bigint
  readonly groups: readonly LeftOfGroup[]
}

type Corrected = Pick<Invoice, 'number' | 'lines' | 'taxGroups' | 'payableMinor' | 'allowanceMinor' | 'chargeMinor'>
type Note = Pick<Invoice, 'taxGroups' | 'payableMinor'>

const isSame = (a: Pick<TaxGroup, 'category' | 'rate'>, b: Pick<TaxGroup, 'category' | 'rate'>): boolean =>
  a.category === b.category && rateKey(a.rate) === rateKey(b.rate)

/** What is left of an invoice after the credit notes against it, drafts among them: what a draft holds cannot be promised twice. */
export function leftToCredit(original: Corrected, notes: readonly Note[]): LeftToCredit {
  const credited = (group: TaxGroup) =>
    notes.flatMap(({ taxGroups }) => taxGroups).filter((other) => isSame(other, group))
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    payableMinor: original.payableMinor - sum(notes.map(({ payableMinor }) => payableMinor)),
    groups: original.taxGroups.map((group) => ({
      category: group.category,
      rate: group.rate,
      taxableMinor: group.taxableMinor - sum(credited(group).map(({ taxableMinor }) => taxableMinor)),
    })),
  }
}

const takenFrom = (group: Pick<TaxGroup, 'category' | 'rate'>, { taxGroups }: Note): bigint =>
  taxGroups.find((other) => isSame(other, group))?.taxableMinor ?? 0n

/**
 * How a credit note of lines is to be rounded. Taxes are rounded on every document: line by line, an invoice would be credited a
 * minor unit more than it came to, or less. So a note that fits but for that comes to no more than is left, and one that takes
 * the last of every tax group to exactly that.
 */
export function roundingOfLines({ payableMinor, groups }: LeftToCredit, note: Note): bigint {
  const fits = note.taxGroups.every((group) =>
    groups.some((left) => isSame(left, group) && group.taxableMinor <= left.taxableMinor),
  )
  if (!fits || payableMinor <= 0n) return 0n
  const takesAll = groups.every((group) => takenFrom(group, note) === group.taxableMinor)
  return takesAll || note.payableMinor > payableMinor ? payableMinor - note.payableMinor : 0n
}

/** Drafts that were reopened may hold more than is left. */
const atLeastZero = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

/** What stands against a credit note of these totals. */
export function faultsOfCredit({ payableMinor, groups }: LeftToCredit, note: Note, currency: string): Fault[] {
  const money = (minor: bigint) => moneyInWords(minor, currency)
  const faults: Fault[] = []
  if (note.payableMinor > payableMinor)
    faults.push({
      path: 'lineItems',
      rule: 'left_to_credit',
      message: `credit ${money(note.payableMinor)}, but only ${money(atLeastZero(payableMinor))} is left to credit`,
    })
  for (const group of note.taxGroups) {
    const left = groups.find((other) => isSame(other, group))?.taxableMinor ?? 0n
    if (group.taxableMinor > left)
      faults.push({
        path: 'lineItems',
        rule: 'left_to_credit',
        message: `credit ${money(group.taxableMinor)} of ${group.category}, but only ${money(atLeastZero(left))} of it is left`,
      })
  }
  return faults
}

export interface CreditTotals {
  readonly lines: readonly InvoiceLine[]
  readonly totals: Totals
  /**
   * What the rounding of taxes leaves over, so that the note comes to exactly what was asked for: at most two minor units for each
   * tax group, and half of one more in each for every note of lines before it.
   */
  readonly roundingMinor: bigint
}

/** One thing, whatever it is: UN/ECE Recommendation 20. */
const oneThing = 'C62'

/** A line that credits so much of a tax group, with the codes of the line that made up most of it. */
function lineFor(original: Corrected, { category, rate }: LeftOfGroup, netMinor: bigint): InvoiceLine {
  const largest = original.lines
    .filter((line) => isSame({ category: line.taxCategory, rate: line.taxRate }, { category, rate }))
    .reduce<InvoiceLine | undefined>((most, line) => (most && most.netMinor >= line.netMinor ? most : line), undefined)
  const amounts = {
    quantity: { units: 1n, scale: 0 },
    unitPrice: { units: netMinor, scale: 2 },
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
    ...lineTotals(amounts),
  }
}

/** So much of each group, which with its tax and a little rounding comes to what is credited. */
function credited(original: Corrected, left: LeftToCredit, nets: readonly bigint[], amountMinor: bigint): CreditTotals {
  const shares = left.groups.map((group, at) => ({ group, net: nets[at] as bigint }))
  const some = shares.filter(({ net }) => net > 0n)
  // A document needs a line, although nothing but rounded tax is credited.
  const lines = (some.length > 0 ? some : shares.slice(0, 1)).map(({ group, net }) => lineFor(original, group, net))
  const totals = totalsOf({ lines, allowanceMinor: 0n, chargeMinor: 0n })
  return {
    lines,
    totals,
    roundingMinor: amountMinor - totals.payableMinor,
  }
}

/** So fine that every rate is a whole number of such parts. */
const parts = tenTo(14)

/**
 * So much with its tax, taken from every tax group in proportion to what is left of it. What stays is shared out and
 * rounded, not what goes: so the rounding of one note is made good by the next and does not grow with their number.
 */
export function creditOfAmount(original: Corrected, left: LeftToCredit, amountMinor: bigint): CreditTotals {
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

/** Everything that is left: the very lines, as long as nothing was credited; otherwise what is left of each tax group. */
export function creditOfRest(original: Corrected, left: LeftToCredit, isUntouched: boolean): CreditTotals {
  if (!isUntouched) return creditOfAmount(original, left, left.payableMinor)
  const { lines, allowanceMinor, chargeMinor } = original
  const totals = totalsOf({ lines, allowanceMinor, chargeMinor })
  return { lines, totals, roundingMinor: left.payableMinor - totals.payableMinor }
}
