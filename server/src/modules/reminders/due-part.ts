import { nextDemand, type OpenInstalment, overduePart } from '../../kernel/instalments.ts'
import { derivedStatuses, type Invoice } from '../invoices/index.ts'

/** A part of an invoice that is due on a day. */
export interface DuePart {
  readonly dueDate: string
  readonly dueMinor: bigint
}

const withDay = (part: OpenInstalment | undefined): DuePart | undefined =>
  part && part.dueDate !== null ? { dueDate: part.dueDate, dueMinor: part.dueMinor } : undefined

/** The instalments that are not paid, oldest first, or all of an invoice without instalments. */
export const openPartsOf = (invoice: Invoice): DuePart[] =>
  derivedStatuses.openInstalmentsOf(invoice).flatMap((part) => withDay(part) ?? [])

/** The amount that a mail asks for: all overdue parts, or the oldest part. */
export const partToPay = (invoice: Invoice, today: string): DuePart | undefined =>
  withDay(nextDemand(invoice, derivedStatuses.dueMinor(invoice), today))

/** The same of parts that are not paid, for any day. */
export const demandOn = (parts: readonly DuePart[], day: string): bigint =>
  overduePart(parts, day)?.minor ?? parts[0]?.dueMinor ?? 0n
