import { reminderOperations } from '../../modules/reminders/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const reminders = '/i/v1/reminders'
const invoice = '/i/v1/invoices/{id}'
const buyer = '/i/v1/buyers/{id}'

export const reminderRoutes = {
  getPlan: defineRoute('GET', `${reminders}/plan`, 'token', reminderOperations.getPlan, {
    summary: 'Get the reminder plan',
    description: 'If no plan was saved, the reply is a suggestion that is switched off, with `version` 0.',
  }),
  savePlan: defineRoute('PUT', `${reminders}/plan`, 'token', reminderOperations.savePlan, {
    summary: 'Save the reminder plan',
    description:
      'Replaces the whole plan. A buyer gets at most one reminder a day, for all invoices whose reminder is due. Of several steps that passed in the meantime, only the latest one is sent. Steps that passed before the plan was switched on, or before the step was added, are not sent.',
  }),
  preview: defineRoute('POST', `${reminders}/preview`, 'token', reminderOperations.previewReminder, {
    summary: 'Preview a reminder',
    description: 'Sends nothing. The links of the mail lead nowhere.',
  }),
  listUpcoming: defineRoute('GET', `${reminders}/upcoming`, 'token', reminderOperations.listUpcomingReminders, {
    summary: 'List the next reminder of each invoice, the earliest first',
    description:
      'Empty while the plan is switched off. Everything is checked again at the moment of sending: a payment, a dispute or a promise to pay stops a reminder.',
  }),
  listSent: defineRoute('GET', `${reminders}/sent`, 'token', reminderOperations.listSentReminders, {
    summary: 'List the reminders that were sent, newest first',
    description: 'One entry for each invoice of a mail, of the plan and by hand.',
  }),
  getOfInvoice: defineRoute('GET', `${invoice}/reminders`, 'token', reminderOperations.getInvoiceReminders, {
    summary: 'Get the reminders of an invoice, and what stops them',
  }),
  dispute: defineRoute('PUT', `${invoice}/dispute`, 'token', reminderOperations.disputeInvoice, {
    summary: 'Mark an invoice as disputed',
    description:
      'The reminder plan leaves the invoice out until the dispute is resolved. A second call replaces the reason.',
  }),
  resolveDispute: defineRoute('DELETE', `${invoice}/dispute`, 'token', reminderOperations.resolveDispute, {
    summary: 'Resolve the dispute of an invoice',
  }),
  promise: defineRoute('PUT', `${invoice}/payment-promise`, 'token', reminderOperations.promisePayment, {
    summary: 'Record a promise to pay an invoice',
    description:
      'The reminder plan leaves the invoice out until the day has passed. A second call replaces the promise.',
  }),
  withdrawPromise: defineRoute('DELETE', `${invoice}/payment-promise`, 'token', reminderOperations.withdrawPromise, {
    summary: 'Remove the promise to pay an invoice',
  }),
  getOfBuyer: defineRoute('GET', `${buyer}/reminders`, 'token', reminderOperations.getBuyerChoice, {
    summary: 'Get whether a buyer gets reminders of the plan',
  }),
  chooseBuyer: defineRoute('PUT', `${buyer}/reminders`, 'token', reminderOperations.chooseBuyer, {
    summary: 'Set whether a buyer gets reminders of the plan',
    description: 'Reminders by hand are always possible.',
  }),
}
