import { nextDemand, type OpenInstalment } from '../../kernel/instalments.ts'
import { derivedStatuses, type Invoice } from '../invoices/index.ts'

/** An invoice of a reminder. */
export interface DuePart {
  readonly dueDate: string
  readonly dueMinor: bigint
}

const withDay = (part: OpenInstalment | undefined): DuePart | undefined =>
  part && part.dueDate !== null ? { dueDate: part.dueDate, dueMinor: part.dueMinor } : undefined

/** The oldest instalment that is not paid, or all of an invoice without instalments. */
export const oldestPartOf = (invoice: Invoice): DuePart | undefined =>
  withDay(derivedStatuses.nextInstalmentOf(invoice))

/** The amount that a mail asks for: all overdue parts, or the oldest part. */
export const partToPay = (invoice: Invoice, today: string): DuePart | undefined =>
  withDay(nextDemand(invoice, derivedStatuses.dueMinor(invoice), today))
