import type { HeldBackReason } from './event-value-lists.ts'

/** A reminder of the plan, for one of its invoices. */
export interface ReminderPayload {
  readonly to: string
  readonly stepDays: number
  readonly dueMinor: number
  readonly invoicesInMail: number
}

/** A reminder whose mail left an invoice out. */
export interface UnsentReminderPayload {
  readonly to: string
  /** null for a reminder by hand */
  readonly stepDays: number | null
  readonly reason: HeldBackReason
  /** an attempt before had no answer */
  readonly mayHaveArrived: boolean
}

/** The plan of reminders, without its templates. */
export interface ReminderPlanPayload {
  readonly planId: string
  readonly on: boolean
  readonly hour: number
  readonly buyers: 'all' | 'chosen'
  readonly stepDays: readonly number[]
}
