import type { Id } from '../../kernel/ids.ts'
import type { Language } from '../../kernel/languages/languages.ts'

export type ReminderPlanId = Id<'reminder-plan'>

export const buyerScopes = ['all', 'chosen'] as const
/** `chosen`: only buyers that were chosen one by one */
export type BuyerScope = (typeof buyerScopes)[number]

export const buyerChoices = ['by_plan', 'chosen', 'never'] as const
/** The setting for one buyer. */
export type BuyerChoice = (typeof buyerChoices)[number]

export interface BuyerSetting {
  readonly choice: BuyerChoice
  /** since when the plan covers the buyer again; null: since it was switched on */
  readonly since: string | null
}

export const isCovered = (scope: BuyerScope, choice: BuyerChoice): boolean =>
  scope === 'all' ? choice !== 'never' : choice === 'chosen'

/** The first day whose steps are for a buyer; null if all of them are. */
export function coveredSince(
  plan: Pick<ReminderPlan, 'everyoneSince'>,
  { choice, since }: BuyerSetting,
): string | null {
  const everyone = choice === 'chosen' ? null : plan.everyoneSince
  return everyone !== null && (since === null || everyone > since) ? everyone : since
}

/** The words of a mail. They may have placeholders. */
export interface ReminderTemplate {
  /** null: for buyers of every language that has no template of its own */
  readonly language: Language | null
  readonly subject: string
  readonly body: string
}

/** Invoices in this currency of which less is due are not reminded of. */
export interface MinimumAmount {
  readonly currency: string
  readonly amountMinor: bigint
}

export interface NewStep {
  /** days from the due date: negative before it, 0 on it, positive after it */
  readonly days: number
  readonly minimums: readonly MinimumAmount[]
  /** empty: our own words, in the language of the buyer */
  readonly templates: readonly ReminderTemplate[]
}

export interface ReminderStep extends NewStep {
  /** the step counts for due dates that give this day or a later one, so that a new step reminds of no old debts */
  readonly since: string
}

export interface ReminderPlan {
  readonly id: ReminderPlanId
  readonly isOn: boolean
  /** of the day, from 0 to 23, in the organisation's time zone */
  readonly hour: number
  readonly buyers: BuyerScope
  /** since when the plan covers buyers who were not chosen one by one; null: since it was switched on */
  readonly everyoneSince: string | null
  readonly steps: readonly ReminderStep[]
  /** when the next reminders are due; null while the plan is off */
  readonly nextAt: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const mostSteps = 10
export const earliestStep = -90
export const latestStep = 365
export const mostMinimums = 20
export const longestSubject = 200
export const longestBody = 4_000
export const longestReason = 500
/** The furthest day of a promise to pay, in days. */
export const longestPromiseDays = 365

/** The invoices of one mail. A buyer's further invoices wait for the next day. */
export const mostInvoicesOfMail = 200
/** The invoices that a mail lists. It counts the others and names their total. */
export const mostListed = 25

/** The plan that the editor of an organisation without a plan begins with. */
export const suggestedPlan = { isOn: false, hour: 9, buyers: 'all', days: [-3, 1, 7, 14] } as const
