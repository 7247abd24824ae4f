import { atScale, type Decimal, decimalText, tenTo } from './decimal.ts'
import type { Instalment } from './instalments.ts'
import type { DocumentType } from './invoice-document.ts'
import { minorOf, moneyInWords, tooManyDecimals } from './money-words.ts'
import type { Fault } from './refusals.ts'
import { spread } from './spread.ts'

/** An instalment as it was sent: with a percentage of the payable amount, or with an amount in major units. */
export interface InstalmentInput {
  readonly dueDate: string
  readonly percent?: Decimal | null | undefined
  readonly amount?: Decimal | null | undefined
}

export const instalmentLimits = { least: 2, most: 24 } as const

/** Percentages have at most so many decimals, so 100 percent are a million units. */
const percentDecimals = 4
const hundredPercent = 100n * tenTo(percentDecimals)
/** `undefined` if the percentage has more decimals. */
const percentUnits = (percent: Decimal): bigint | undefined => atScale(percent, percentDecimals)
const checkedUnits = (percent: Decimal): bigint => percentUnits(percent) as bigint

/** The fields of a draft that its instalments must fit. */
export interface InstalmentFrame {
  readonly type?: DocumentType | undefined
  readonly issueDate: string
  /** the due date, if the request names one */
  readonly dueDate?: string | null | undefined
  readonly currency: string
}

const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message })
const placeOf = (at: number, field?: string): string => `instalments[${at}]${field === undefined ? '' : `.${field}`}`

function faultsOfOne({ percent, amount }: InstalmentInput, at: number, { currency }: InstalmentFrame): Fault[] {
  if ((percent == null) === (amount == null))
    return [fault(placeOf(at), 'either', 'must have either percent or amount, and not both')]
  if (percent != null) {
    const units = percentUnits(percent)
    return units !== undefined && units > 0n && units <= hundredPercent
      ? []
      : [fault(placeOf(at, 'percent'), 'range', 'must be above 0 and at most 100, with at most 4 decimals')]
  }
  const minor = minorOf(amount as Decimal, currency)
  if (minor === undefined) return [tooManyDecimals(placeOf(at, 'amount'), currency)]
  return minor > 0n ? [] : [fault(placeOf(at, 'amount'), 'minimum', 'must be above 0')]
}

function faultsOfDates(sent: readonly InstalmentInput[], { issueDate, dueDate }: InstalmentFrame): Fault[] {
  const last = sent.at(-1)?.dueDate
  return [
    ...sent.flatMap((one, at) => {
      const before = sent[at - 1]?.dueDate
      if (one.dueDate < issueDate) return [fault(placeOf(at, 'dueDate'), 'date', 'must not be before the issue date')]
      return before !== undefined && one.dueDate <= before
        ? [fault(placeOf(at, 'dueDate'), 'order', `must be after ${before}, the due date of the instalment before it`)]
        : []
    }),
    ...(dueDate != null && last !== undefined && dueDate !== last
      ? [
          fault(
            'dueDate',
            'instalments',
            `must be ${last}, the due date of the last instalment: leave the field out, or change the instalments`,
          ),
        ]
      : []),
  ]
}

/** Everything wrong with instalments that can be said before the amounts of the document are known. */
export function faultsOfInstalments(sent: readonly InstalmentInput[], frame: InstalmentFrame): Fault[] {
  const { least, most } = instalmentLimits
  if (frame.type === 'credit_note')
    return [fault('instalments', 'unwanted', 'must be left out: nobody pays a credit note in instalments')]
  if (sent.length < least || sent.length > most)
    return [fault('instalments', 'count', `must be ${least} to ${most} instalments, or null for none`)]
  const faults = [...sent.flatMap((one, at) => faultsOfOne(one, at, frame)), ...faultsOfDates(sent, frame)]
  const percents = sent.flatMap(({ percent }) => percent ?? [])
  if (faults.some(({ rule }) => rule === 'either' || rule === 'range')) return faults
  if (percents.length > 0 && percents.length < sent.length)
    faults.push(fault('instalments', 'mixed', 'must all have percent, or all have amount'))
  if (percents.length === sent.length) {
    const sum = percents.reduce((all, one) => all + checkedUnits(one), 0n)
    if (sum !== hundredPercent)
      faults.push(
        fault(
          'instalments',
          'sum',
          `must add up to 100 percent; they are ${decimalText({ units: sum, scale: percentDecimals })} percent`,
        ),
      )
  }
  return faults
}

/**
 * Instalments without faults, with their amounts; or what is wrong with the amounts. Percentages are shared by largest
 * remainder, so that the amounts add up to the payable amount exactly.
 */
export function resolveInstalments(
  sent: readonly InstalmentInput[],
  payableMinor: bigint,
  currency: string,
): { readonly instalments: readonly Instalment[]; readonly faults: readonly Fault[] } {
  const percents = sent.flatMap(({ percent }) => percent ?? [])
  const amounts =
    percents.length === sent.length
      ? spread(payableMinor, percents.map(checkedUnits))
      : sent.map(({ amount }) => minorOf(amount as Decimal, currency) as bigint)
  const sum = amounts.reduce((all, one) => all + one, 0n)
  const instalments = sent.map(({ dueDate, percent }, at) => ({
    dueDate,
    amountMinor: amounts[at] as bigint,
    percent: percent ?? null,
  }))
  const faults: Fault[] =
    sum === payableMinor
      ? amounts.flatMap((amount, at) =>
          amount > 0n
            ? []
            : [fault(placeOf(at), 'minimum', 'would be zero: the total is too small for so many instalments')],
        )
      : [
          fault(
            'instalments',
            'sum',
            `must add up to the total of ${moneyInWords(payableMinor, currency)}; they are ${moneyInWords(sum, currency)}. Send instalments that fit, or null to remove them`,
          ),
        ]
  return { instalments, faults }
}

/** Stored instalments as input, for a draft whose other fields change. Percentages follow the new total. */
export const sentAgain = (instalments: readonly Instalment[], major: (minor: bigint) => Decimal): InstalmentInput[] =>
  instalments.map(({ dueDate, percent, amountMinor }) =>
    percent === null ? { dueDate, amount: major(amountMinor) } : { dueDate, percent },
  )
