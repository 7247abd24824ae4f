import type { BuyerPayload, EventPayloads, InvoicePayload } from '../../../kernel/event-payloads.ts'

type ReminderEvent =
  | 'reminder_plan.updated'
  | 'buyer.reminders_changed'
  | 'invoice.reminder_sent'
  | 'invoice.reminder_not_sent'
  | 'invoice.disputed'
  | 'invoice.dispute_resolved'
  | 'invoice.payment_promised'
  | 'invoice.payment_promise_withdrawn'

/** Samples of the events about reminders, disputes and promises to pay. */
export const reminderSamples = (
  invoice: InvoicePayload,
  buyer: BuyerPayload,
  planId: string,
): Pick<EventPayloads, ReminderEvent> => ({
  'reminder_plan.updated': { planId, on: true, hour: 9, buyers: 'all', stepDays: [-3, 1, 7, 14] },
  'buyer.reminders_changed': { ...buyer, taxIdStatus: 'unverified', reminders: 'never' },
  'invoice.reminder_sent': {
    ...invoice,
    to: 'accounts@adebayo.example',
    stepDays: 7,
    dueMinor: 1_075_000,
    invoicesInMail: 2,
  },
  'invoice.reminder_not_sent': {
    ...invoice,
    to: 'accounts@adebayo.example',
    stepDays: 7,
    reason: 'nothing_due',
    mayHaveArrived: false,
  },
  'invoice.disputed': { ...invoice, reason: 'Two bags were torn.' },
  'invoice.dispute_resolved': invoice,
  'invoice.payment_promised': { ...invoice, promisedOn: '2026-12-05', remark: 'After their own customer has paid.' },
  'invoice.payment_promise_withdrawn': invoice,
})
