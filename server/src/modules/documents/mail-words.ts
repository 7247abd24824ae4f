import { daysBetween } from '../../kernel/days.ts'
import { nextDemand } from '../../kernel/instalments.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'

type DueDocument = Pick<InvoiceDocument, 'dueDate' | 'dueMinor' | 'instalments'>

/** Days overdue; 0 if the document is not late. */
export function daysLate(document: DueDocument, today: string): number {
  const dueDate = nextDemand(document, document.dueMinor, today)?.dueDate ?? null
  return dueDate === null ? 0 : Math.max(0, daysBetween(dueDate, today))
}

/** What a mail is about: title and number of the document in a sentence and in a subject, and its seller. */
interface MailedDocument {
  readonly document: string
  readonly title: string
  readonly seller: string
}

/** The subject and the first sentences of a mail or a reminder: the later the payment, the plainer. */
export function opening(
  { document, title, seller }: MailedDocument,
  { isReminder, isRevised }: { readonly isReminder: boolean; readonly isRevised: boolean },
  late: number,
  wording: Wording,
): { subject: string; words: string } {
  const stage = isRevised
    ? (['mail.subject_revised', 'mail.revised'] as const)
    : isReminder
      ? reminderStage(late)
      : (['mail.subject', 'mail.sent'] as const)
  return {
    subject: wording.say(stage[0], { document: title, seller }),
    words: wording.say(stage[1], { document, seller }),
  }
}

function reminderStage(late: number) {
  if (late === 0) return ['mail.subject_reminder', 'mail.reminder'] as const
  if (late <= 7) return ['mail.subject_reminder', 'mail.reminder_late'] as const
  if (late <= 30) return ['mail.subject_overdue', 'mail.overdue'] as const
  return ['mail.subject_long_overdue', 'mail.long_overdue'] as const
}

type OwedDocument = DueDocument & Pick<InvoiceDocument, 'type' | 'payableMinor' | 'currency'>

/** The amount due and its date. Empty for a credit note. */
export function owed(document: OwedDocument, today: string, wording: Wording): string[] {
  const { type, payableMinor, currency } = document
  if (type === 'credit_note' || payableMinor <= 0n) return []
  const demand = nextDemand(document, document.dueMinor, today)
  if (!demand) return [wording.say('mail.is_paid')]
  const { dueDate } = demand
  const amount = wording.money(demand.dueMinor, currency)
  if (dueDate === null) return [wording.say('mail.amount_to_pay', { amount })]
  const late = daysLate(document, today)
  const date = wording.day(dueDate)
  if (late === 0) return [wording.say('mail.is_due', { amount, date })]
  return [wording.count('mail.was_due', late, { amount, date })]
}

type PayableDocument = Pick<InvoiceDocument, 'type' | 'mode' | 'dueMinor' | 'number'>

/** Only live documents name a bank account. */
export function howToPay(document: PayableDocument, bank: Letterhead['bank'], wording: Wording): string[] {
  const { type, mode, dueMinor, number: reference } = document
  if (!bank || mode !== 'live' || type === 'credit_note' || dueMinor <= 0n) return []
  const { bankName, accountName, accountNumber } = bank
  return [wording.say('mail.pay_to', { accountName, bank: bankName, accountNumber, reference })]
}
