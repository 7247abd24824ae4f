import type { Decimal } from './decimal.ts'

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
