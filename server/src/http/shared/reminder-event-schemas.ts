import Type, { type TSchema } from 'typebox'
import { reminders } from '../../modules/reminders/index.ts'
import { List, Maybe, means } from '../definitions/fields.ts'
import { buyer, Data, invoice, maybe, minor, oneOf, text, whole, yes } from './event-fields.ts'
import { meaningOf } from './value-meanings.ts'

/** The payloads of events about reminders, disputes and promises to pay. */
export const reminderEvents = <Invoice extends TSchema>(Invoice: Invoice) =>
  ({
    'reminder_plan.updated': Data({
      planId: text('Unique identifier of the reminder plan (UUIDv7).'),
      on: yes('Whether reminders are sent.'),
      hour: whole('Hour of the day at which reminders go out, in the time zone of the organisation.'),
      buyers: oneOf(`Which buyers get reminders. ${meaningOf.buyerScopes}`, reminders.buyerScopes),
      stepDays: means('The steps of the plan, in days from the due date.', List(Type.Integer())),
    }),
    'buyer.reminders_changed': Data({
      ...buyer,
      reminders: oneOf(`Whether the buyer gets reminders. ${meaningOf.buyerChoices}`, reminders.buyerChoices),
    }),
    'invoice.reminder_sent': Data({
      ...invoice,
      to: text('Email address that the reminder was sent to.'),
      stepDays: whole('Step of the plan, in days from the due date: negative before it.'),
      dueMinor: minor('Left to pay'),
      invoicesInMail: whole('How many invoices the mail reminds of.'),
    }),
    'invoice.reminder_not_sent': Data({
      ...invoice,
      to: text('Email address that the reminder was for.'),
      stepDays: means(
        'Step of the plan, in days from the due date. Null for a reminder by hand.',
        Maybe(Type.Integer()),
      ),
      reason: oneOf(
        'Why the mail left the invoice out. `InvoiceReminders.heldBack` explains the values.',
        reminders.heldBackReasons,
      ),
      mayHaveArrived: yes('Whether an attempt before had no answer, so that the buyer may have the mail.'),
    }),
    'invoice.disputed': Data({
      ...invoice,
      reason: text('What the buyer disputes, in the words of your organisation.'),
    }),
    'invoice.dispute_resolved': Invoice,
    'invoice.payment_promised': Data({
      ...invoice,
      promisedOn: text('Day by which the buyer will pay (ISO 8601).'),
      remark: maybe('Remark of your organisation. Null if there is none.'),
    }),
    'invoice.payment_promise_withdrawn': Invoice,
  }) as const
