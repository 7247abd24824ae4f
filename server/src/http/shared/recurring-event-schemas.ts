import { recurringSchedules } from '../../modules/recurring-invoices/index.ts'
import { named } from '../definitions/fields.ts'
import { Data, maybe, oneOf, text } from './event-fields.ts'
import { meaningOf } from './value-meanings.ts'

const schedule = {
  scheduleId: text('Unique identifier of the schedule (UUIDv7).'),
  name: text('Name of the schedule.'),
  status: oneOf(meaningOf.scheduleStatuses, recurringSchedules.scheduleStatuses),
  policy: oneOf(`What happens to an invoice after it was made. ${meaningOf.policies}`, recurringSchedules.policies),
  buyerId: maybe('Unique identifier of the buyer. Null if the invoices have no saved buyer.'),
  nextOn: maybe('Day of the next invoice (ISO 8601). Null if there is none.'),
}
const schedulePeriod = {
  day: text('Day of the invoice (ISO 8601).'),
  from: text('First day that the invoice is for (ISO 8601).'),
  to: text('Last day that the invoice is for (ISO 8601).'),
}
const Schedule = named('RecurringScheduleEventData', Data(schedule))
const refusedPeriod = {
  ...schedule,
  ...schedulePeriod,
  reason: text('Name of the refusal, such as `invoice.send.no_email`.'),
  message: text('What is wrong, and what to do.'),
}

/** The payloads of events about recurring invoices. */
export const recurringEvents = {
  'recurring_schedule.created': Schedule,
  'recurring_schedule.updated': Schedule,
  'recurring_schedule.paused': Schedule,
  'recurring_schedule.resumed': Schedule,
  'recurring_schedule.ended': Schedule,
  'recurring_schedule.invoice_made': Data({
    ...schedule,
    ...schedulePeriod,
    invoiceId: text('Unique identifier of the invoice that was made.'),
    invoiceNumber: text('Number of the invoice that was made.'),
  }),
  'recurring_schedule.period_waiting': Data(refusedPeriod),
  'recurring_schedule.period_failed': Data(refusedPeriod),
} as const
