import type {
  RecurringEventPayloads,
  RecurringPeriodPayload,
  RecurringSchedulePayload,
} from '../../../kernel/recurring-payloads.ts'

/** Samples of the events of recurring invoices; `id` makes made-up ids that differ at the end. */
export function recurringSamples(id: (end: number) => string): RecurringEventPayloads {
  const schedule: RecurringSchedulePayload = {
    scheduleId: id(14),
    name: 'Hosting',
    status: 'active',
    policy: 'finalise',
    buyerId: id(2),
    nextOn: '2026-12-01',
  }
  const period: RecurringPeriodPayload = { day: '2026-12-01', from: '2026-12-01', to: '2026-12-31' }
  return {
    'recurring_schedule.created': schedule,
    'recurring_schedule.updated': { ...schedule, policy: 'draft' },
    'recurring_schedule.paused': { ...schedule, status: 'paused', policy: 'draft' },
    'recurring_schedule.resumed': { ...schedule, policy: 'draft' },
    'recurring_schedule.ended': { ...schedule, status: 'ended', nextOn: null },
    'recurring_schedule.invoice_made': { ...schedule, ...period, invoiceId: id(1), invoiceNumber: 'INV0042' },
    'recurring_schedule.period_waiting': {
      ...schedule,
      policy: 'draft',
      ...period,
      reason: 'credits.insufficient',
      message: 'You do not have enough credits. Buy credits, or wait for the next credits of your plan.',
    },
    'recurring_schedule.period_failed': {
      ...schedule,
      policy: 'send',
      ...period,
      reason: 'invoice.send.no_email',
      message: 'The buyer has no email address. Add one and send the invoice again.',
    },
  }
}
