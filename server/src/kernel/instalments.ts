import { type Decimal, parseDecimal, spelled } from './decimal.ts'
import { moneyInWords } from './money-words.ts'

/** A part of the payable amount with a due date of its own. The parts of an invoice add up to its payable amount. */
export interface Instalment {
  readonly dueDate: string
  readonly amountMinor: bigint
  /** the part in percent, as it was sent; null if an amount was sent */
  readonly percent: Decimal | null
}

/** An instalment with what is left to pay of it. */
export interface OpenInstalment {
  /** null for an invoice without a due date */
  readonly dueDate: string | null
  readonly dueMinor: bigint
}

/**
 * What is left to pay of each instalment if so much is left to pay of all. Payments and credit notes settle the oldest
 * instalment first, so what is left belongs to the last ones.
 */
export function leftOfEach(instalments: readonly Instalment[], dueMinor: bigint): bigint[] {
  let left = dueMinor
  return instalments
    .toReversed()
    .map(({ amountMinor }) => {
      const due = left < amountMinor ? left : amountMinor
      left -= due
      return due
    })
    .toReversed()
}

/**
 * The instalments that are not settled, oldest first. An invoice without instalments is one instalment with its due
 * date.
 */
export function openInstalments(
  { instalments, dueDate }: { readonly instalments: readonly Instalment[] | null; readonly dueDate: string | null },
  dueMinor: bigint,
): OpenInstalment[] {
  const all: readonly OpenInstalment[] =
    instalments === null
      ? [{ dueDate, dueMinor }]
      : leftOfEach(instalments, dueMinor).map((left, at) => ({
          dueDate: (instalments[at] as Instalment).dueDate,
          dueMinor: left,
        }))
  return all.filter((one) => one.dueMinor > 0n)
}

/** What is overdue, and the day on which the first of it was due. */
export interface OverduePart {
  readonly minor: bigint
  readonly since: string
}

/** `undefined` if nothing was due before today. `open`: what is left to pay, oldest first. */
export function overduePart(open: readonly OpenInstalment[], today: string): OverduePart | undefined {
  const late = open.filter(({ dueDate }) => dueDate !== null && dueDate < today)
  const since = late[0]?.dueDate
  return since == null ? undefined : { minor: late.reduce((sum, { dueMinor }) => sum + dueMinor, 0n), since }
}

/** What a reader is asked to pay: all that is overdue, or the next instalment. `undefined` if nothing is left to pay. */
export function nextDemand(
  payable: Parameters<typeof openInstalments>[0],
  dueMinor: bigint,
  today: string,
): OpenInstalment | undefined {
  const open = openInstalments(payable, dueMinor)
  const late = overduePart(open, today)
  return late ? { dueDate: late.since, dueMinor: late.minor } : open[0]
}

/** The instalments as one sentence each, for programs and people. */
export const instalmentsInWords = (instalments: readonly Instalment[], currency: string): string =>
  instalments
    .map(
      ({ dueDate, amountMinor }, at) =>
        `Instalment ${at + 1} of ${instalments.length}: ${moneyInWords(amountMinor, currency)}, due on ${dueDate}.`,
    )
    .join('\n')

export const instalmentStatuses = ['unpaid', 'partially_paid', 'paid', 'overdue'] as const
export type InstalmentStatus = (typeof instalmentStatuses)[number]

/** `isOwed`: the document counts as a debt of the buyer, so that a part of it can be overdue. */
export function instalmentStatus(
  { dueDate, amountMinor }: Instalment,
  leftMinor: bigint,
  { today, isOwed }: { readonly today: string; readonly isOwed: boolean },
): InstalmentStatus {
  if (leftMinor === 0n) return 'paid'
  if (isOwed && dueDate < today) return 'overdue'
  return leftMinor < amountMinor ? 'partially_paid' : 'unpaid'
}

/** As JSON in the database, which reads these names too (`open_instalments`). */
export interface StoredInstalment {
  readonly dueDate: string
  readonly amountMinor: string
  readonly percent?: string | undefined
}

export const storedInstalment = ({ dueDate, amountMinor, percent }: Instalment): StoredInstalment => ({
  dueDate,
  amountMinor: String(amountMinor),
  percent: percent === null ? undefined : spelled(percent.units, percent.scale),
})

export const instalmentFrom = ({ dueDate, amountMinor, percent }: StoredInstalment): Instalment => ({
  dueDate,
  amountMinor: BigInt(amountMinor),
  percent: (percent === undefined ? null : parseDecimal(percent)) ?? null,
})
