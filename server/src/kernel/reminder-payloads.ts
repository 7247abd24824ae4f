/** A reminder of the plan, for one of its invoices. */
export interface ReminderPayload {
  readonly to: string
  readonly stepDays: number
  readonly dueMinor: number
  readonly invoicesInMail: number
}

/** The plan of reminders, without its templates. */
export interface ReminderPlanPayload {
  readonly planId: string
  readonly on: boolean
  readonly hour: number
  readonly buyers: 'all' | 'chosen'
  readonly stepDays: readonly number[]
}
