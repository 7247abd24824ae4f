import { derivedStatuses, type Invoice, type InvoiceStatus } from '../invoices/index.ts'
import type { BuyerChoice, ReminderPlan } from './reminder-plan.ts'

/** The buyer owes such a document, and nobody is cancelling it. */
export const remindableStatuses: readonly InvoiceStatus[] = derivedStatuses.owingStatuses.filter(
  (status) => status !== 'cancellation_pending',
)

export const heldBackReasons = [
  'plan_off',
  'not_issued',
  'not_owed',
  'nothing_due',
  'no_due_date',
  'no_buyer',
  'no_email',
  'buyer_never',
  'buyer_not_chosen',
  'disputed',
  'promised',
  'covered',
  'below_minimum',
  'no_step_left',
] as const
/** Why the plan sends no reminder of an invoice now. */
export type HeldBackReason = (typeof heldBackReasons)[number]

interface DecisionFacts {
  readonly plan: Pick<ReminderPlan, 'isOn' | 'buyers'> | undefined
  readonly choice: BuyerChoice
  readonly email: string | undefined
  readonly isDisputed: boolean
  readonly promisedOn: string | null
  readonly today: string
}

type Owed = Parameters<typeof derivedStatuses.dueMinor>[0] & Pick<Invoice, 'status' | 'dueDate' | 'buyerId'>

/** The first reason of a person or the plan that holds, or null. The last three reasons follow from the amounts. */
export function heldBackBy(
  invoice: Owed,
  { plan, choice, email, isDisputed, promisedOn, today }: DecisionFacts,
): HeldBackReason | null {
  if (invoice.status === 'draft') return 'not_issued'
  if (!remindableStatuses.includes(invoice.status)) return 'not_owed'
  if (derivedStatuses.dueMinor(invoice) <= 0n) return 'nothing_due'
  if (invoice.dueDate === null) return 'no_due_date'
  if (invoice.buyerId === null) return 'no_buyer'
  if (isDisputed) return 'disputed'
  if (choice === 'never') return 'buyer_never'
  if (!plan?.isOn) return 'plan_off'
  if (plan.buyers === 'chosen' && choice !== 'chosen') return 'buyer_not_chosen'
  if (!email) return 'no_email'
  if (promisedOn !== null && promisedOn >= today) return 'promised'
  return null
}

interface Stops {
  readonly disputedAt?: Date | null
  readonly promisedOn?: string | null
  readonly choice?: BuyerChoice | undefined
}

/** Whether a person has stopped all reminders of an invoice, also those by hand. */
export const isStopped = ({ disputedAt, promisedOn, choice }: Stops, today: string): boolean =>
  Boolean(disputedAt) || choice === 'never' || (typeof promisedOn === 'string' && promisedOn >= today)
