import type { Decimal } from '../../../kernel/decimal.ts'
import { moneyInWords } from '../../../kernel/money-words.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { rateKey, type TaxGroup } from '../amounts/totals.ts'
import type { Invoice } from '../invoice.ts'

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

export type CorrectedInvoice = Pick<
  Invoice,
  'number' | 'currency' | 'lines' | 'taxGroups' | 'payableMinor' | 'allowanceMinor' | 'chargeMinor'
>
type Note = Pick<Invoice, 'taxGroups' | 'payableMinor'>

export const isSame = (a: Pick<TaxGroup, 'category' | 'rate'>, b: Pick<TaxGroup, 'category' | 'rate'>): boolean =>
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
