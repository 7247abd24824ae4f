import type { BuyerReminders, InvoiceReminders, ReminderPlan, SentReminder } from '@risiti/sdk'

/** A step as people say it: "3 days before the due date". */
export function stepText(days: number): string {
  if (days === 0) return 'On the due date'
  const many = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`
  return `${many} ${days < 0 ? 'before' : 'after'} the due date`
}

export const scopeWords: Readonly<Record<ReminderPlan['buyers'], string>> = {
  all: 'All buyers, except those who get none',
  chosen: 'Only buyers that you choose',
}

export const choiceWords: Readonly<Record<BuyerReminders['reminders'], string>> = {
  by_plan: 'As the plan says',
  chosen: 'Always, also if only chosen buyers get them',
  never: 'Never',
}

export const heldBackWords: Readonly<Record<NonNullable<InvoiceReminders['heldBack']>, string>> = {
  plan_off: 'Reminders are switched off.',
  not_issued: 'The document is a draft.',
  not_owed: 'This document is not owed.',
  nothing_due: 'Nothing is due.',
  no_due_date: 'The invoice has no due date.',
  no_buyer: 'The invoice names no saved buyer.',
  no_email: 'The buyer has no email address.',
  buyer_never: 'This buyer gets no reminders.',
  buyer_not_chosen: 'Only chosen buyers get reminders, and this buyer is not chosen.',
  disputed: 'The invoice is disputed.',
  promised: 'The buyer has promised to pay.',
  covered: 'Money of the buyer is here, and no invoice has taken it yet.',
  below_minimum: 'So small an amount is left out by the plan.',
  no_step_left: 'All steps of the plan have passed.',
}

/** Why a reminder was stopped, behind its step; empty if it was not stopped. */
export function stoppedText({ notSentReason, mayHaveArrived }: SentReminder): string {
  if (notSentReason === null) return ''
  return `. ${mayHaveArrived ? 'Not sent again, but it may have arrived' : 'Not sent'}: ${heldBackWords[notSentReason]}`
}

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
