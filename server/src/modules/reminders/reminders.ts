/** For other modules and the outer layer: the values and types of reminders, and the reminder by hand. */
export { type HeldBackReason, heldBackReasons } from './held-back.ts'
export type { PreviewedMail } from './preview-reminder.ts'
export type { InvoiceReminders, ShownPlan } from './read-reminders.ts'
export { remindBuyer } from './remind-buyer.ts'
export * from './reminder-plan.ts'
export type { UpcomingReminder } from './reminders.store.ts'
export type { NewPlan } from './save-plan.ts'
export type { SentReminder } from './sent-reminders.store.ts'
