/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export {
  chooseBuyer,
  disputeInvoice,
  promisePayment,
  resolveDispute,
  withdrawPromise,
} from './pause-reminders.ts'
export { previewReminder } from './preview-reminder.ts'
export {
  getBuyerChoice,
  getInvoiceReminders,
  getPlan,
  listSentReminders,
  listUpcomingReminders,
} from './read-reminders.ts'
export { remindBuyer } from './remind-buyer.ts'
export { savePlan } from './save-plan.ts'
