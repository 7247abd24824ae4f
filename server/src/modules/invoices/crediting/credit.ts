import { type Decimal, divideRounded, tenTo } from '../../../kernel/decimal.ts'
import { currencyDigits, moneyInWords } from '../../../kernel/money-words.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { spread } from '../../../kernel/spread.ts'
import { lineTotals, rateKey, type TaxGroup, type Totals, totalsOf } from '../amounts/totals.ts'
import type { Invoice, InvoiceLine } from '../invoice.ts'

/** What is not credited yet of one tax group. */
export interface LeftOfGroup {
  readonly category: string
  readonly rate: Decimal
  readonly taxableMinor: bigint
}

export interface LeftToCredit {
  readonly payableMinor: bigint
  readonly groups: readonly LeftOfGroup[]
}

type CorrectedInvoice = Pick<
  Invoice,
  'number' | 'currency' | 'lines' | 'taxGroups' | 'payableMinor' | 'allowanceMinor' | 'chargeMinor'
>
type Note = Pick<Invoice, 'taxGroups' | 'payableMinor'>

const isSame = (a: Pick<TaxGroup, 'category' | 'rate'>, b: Pick<TaxGroup, 'category' | 'rate'>): boolean =>
  a.category === b.category && rateKey(a.rate) === rateKey(b.rate)

/** What is left of an invoice after its credit notes. Drafts count, so that no amount is promised twice. */
export function leftToCredit(original: CorrectedInvoice, notes: readonly Note[]): LeftToCredit {
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
 * The rounding of a credit note of lines. Tax is rounded on every document, so notes of single lines may add up to a
 * minor unit more or less than the invoice. A note that fits except for this difference is rounded down to what is
 * left. A note that takes the last of every tax group is rounded to exactly that.
 */
export function roundingOfLines({ payableMinor, groups }: LeftToCredit, note: Note): bigint {
  const fits = note.taxGroups.every((group) =>
    groups.some((left) => isSame(left, group) && group.taxableMinor <= left.taxableMinor),
  )
  if (!fits || payableMinor <= 0n) return 0n
  const takesAll = groups.every((group) => takenFrom(group, note) === group.taxableMinor)
  return takesAll || note.payableMinor > payableMinor ? payableMinor - note.payableMinor : 0n
}

/** Reopened drafts may exceed what is left. */
const atLeastZero = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

/** Why a credit note with these totals does not fit. */
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
