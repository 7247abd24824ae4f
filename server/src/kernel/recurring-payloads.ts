/** Payload of every event about a recurring schedule. */
export interface RecurringSchedulePayload {
  readonly scheduleId: string
  readonly name: string
  readonly status: 'active' | 'paused' | 'ended'
  readonly policy: 'draft' | 'finalise' | 'submit' | 'send' | 'submit_and_send'
  readonly buyerId: string | null
  readonly nextOn: string | null
}

/** The period of one invoice. */
export interface RecurringPeriodPayload {
  readonly day: string
  readonly from: string
  readonly to: string
}

type RefusedPeriodPayload = RecurringSchedulePayload &
  RecurringPeriodPayload & { readonly reason: string; readonly message: string }

export interface RecurringEventPayloads {
  'recurring_schedule.created': RecurringSchedulePayload
  'recurring_schedule.updated': RecurringSchedulePayload
  'recurring_schedule.paused': RecurringSchedulePayload
  'recurring_schedule.resumed': RecurringSchedulePayload
  'recurring_schedule.ended': RecurringSchedulePayload
  'recurring_schedule.invoice_made': RecurringSchedulePayload &
    RecurringPeriodPayload & { readonly invoiceId: string; readonly invoiceNumber: string }
  'recurring_schedule.period_waiting': RefusedPeriodPayload
  'recurring_schedule.period_failed': RefusedPeriodPayload
}
