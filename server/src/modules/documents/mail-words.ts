import { dayInWords, money } from '../../kernel/document-words.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Days overdue; `undefined` if the document is not late. */
export function daysLate({ dueDate }: Pick<InvoiceDocument, 'dueDate'>, today: string): number {
  return dueDate === null ? 0 : Math.max(0, Math.round((Date.parse(today) - Date.parse(dueDate)) / dayMs))
}

/** The document's title and number, and its seller. */
interface Subject {
  readonly what: string
  readonly from: string
}

/** The first sentences of a mail or a reminder: the later the payment, the plainer. */
export function opening(
  { what, from }: Subject,
  { isReminder, isRevised }: { readonly isReminder: boolean; readonly isRevised: boolean },
  late: number,
): { subject: string; words: string } {
  const attached = 'You find it attached as a PDF.'
  const named = `${what} from ${from}`
  if (isRevised)
    return {
      subject: 'New version: ',
      words: `${from} has sent you a new version of the ${what}. It replaces the one that you received before. ${attached}`,
    }
  if (!isReminder) return { subject: '', words: `${from} has sent you the ${what}. ${attached}` }
  if (late === 0) return { subject: 'Reminder: ', words: `This is a reminder of the ${named}. ${attached}` }
  if (late <= 7)
    return { subject: 'Reminder: ', words: `Perhaps it escaped you: the ${named} is not paid yet. ${attached}` }
  if (late <= 30)
    return {
      subject: 'Overdue: ',
      words: `The ${named} is overdue. Please pay it now, or write to us if something stands in the way. ${attached}`,
    }
  return {
    subject: 'Long overdue: ',
    words: `The ${named} has been overdue for more than a month. Please pay it at once, or write to us today. ${attached}`,
  }
}

/** The amount due and its date. Empty for a credit note. */
export function owed(document: InvoiceDocument, today: string): string[] {
  const { type, payableMinor, dueMinor, dueDate, currency } = document
  if (type === 'credit_note' || payableMinor <= 0n) return []
  if (dueMinor <= 0n) return ['It is paid: nothing is left to pay.']
  const sum = money(dueMinor, currency)
  if (dueDate === null) return [`The amount to pay is ${sum}.`]
  const late = daysLate(document, today)
  if (late === 0) return [`${sum} is due on ${dayInWords(dueDate)}.`]
  return [`${sum} was due on ${dayInWords(dueDate)}, ${late === 1 ? 'yesterday' : `${late} days ago`}.`]
}

/** Only live documents name a bank account. */
export function howToPay({ type, mode, dueMinor, number }: InvoiceDocument, bank: Letterhead['bank']): string[] {
  if (!bank || mode !== 'live' || type === 'credit_note' || dueMinor <= 0n) return []
  const { bankName, accountName, accountNumber } = bank
  return [`Please pay to ${accountName}, ${bankName}, account number ${accountNumber}, with the reference ${number}.`]
}
