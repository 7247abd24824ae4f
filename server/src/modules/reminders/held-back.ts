import { derivedStatuses, type Invoice, type InvoiceStatus } from '../invoices/index.ts'
import type { BuyerChoice, ReminderPlan } from './reminder-plan.ts'

/** The buyer owes such a document, and nobody is cancelling it. */
export const remindableStatuses: readonly InvoiceStatus[] = derivedStatuses.owingStatuses.filter(
  (status) => status !== 'cancellation_pending',
)

export const heldBackReasons = [
  'plan_off',
  'not_issued',
  'nothing_due',
  'no_due_date',
  'no_buyer',
  'no_email',
  'buyer_never',
  'buyer_not_chosen',
  'disputed',
  'promised',
] as const
/** Why the plan sends no reminder of an invoice now. */
export type HeldBackReason = (typeof heldBackReasons)[number]

interface HoldFacts {
  readonly plan: Pick<ReminderPlan, 'isOn' | 'buyers'> | undefined
  readonly choice: BuyerChoice
  readonly email: string | undefined
  readonly isDisputed: boolean
  readonly promisedOn: string | null
  readonly today: string
}

type Owed = Parameters<typeof derivedStatuses.dueMinor>[0] & Pick<Invoice, 'status' | 'dueDate' | 'buyerId'>

/** The first reason that holds, or null if the plan reminds the buyer of the invoice. */
export function heldBackBy(
  invoice: Owed,
  { plan, choice, email, isDisputed, promisedOn, today }: HoldFacts,
): HeldBackReason | null {
  if (!remindableStatuses.includes(invoice.status)) return 'not_issued'
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
