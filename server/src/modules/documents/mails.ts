/** For modules that mail buyers about their documents. */
export { buyerMail, mayBeMailed } from './buyer-mail.ts'
export { documentMail, type PreparedMail, prepareMail, sendReminderByHandJob } from './mail-invoice.ts'
export { daysLate, howToPay, opening, owed } from './mail-words.ts'
