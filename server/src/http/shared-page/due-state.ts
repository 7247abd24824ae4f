import { dayInWords, money, titleOf } from '../../kernel/document-words.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'

/** What a reader has to do about a document, in a word or two and a sentence. */
export interface DueState {
  readonly tone: 'settled' | 'open' | 'late' | 'quiet'
  readonly label: string
  readonly detail: string | undefined
}

/** Whether the document asks for money: credit notes and drafts never do. */
export const asksForMoney = ({ type, isDraft, dueMinor }: InvoiceDocument) =>
  type !== 'credit_note' && !isDraft && dueMinor > 0n

export function dueState(document: InvoiceDocument, today: string): DueState {
  const title = titleOf(document).toLowerCase()
  if (document.isDraft) return { tone: 'quiet', label: 'Draft', detail: `This ${title} has not been issued yet.` }
  if (document.type === 'credit_note') return { tone: 'quiet', label: 'Credit', detail: 'There is nothing to pay.' }
  return asksForMoney(document) ? stillDue(document, today) : nothingDue(document)
}

function nothingDue({ paidMinor, creditedMinor, currency }: InvoiceDocument): DueState {
  if (paidMinor > 0n) return { tone: 'settled', label: 'Paid', detail: `${money(paidMinor, currency)} was paid.` }
  const detail = creditedMinor > 0n ? `${money(creditedMinor, currency)} was credited.` : undefined
  return { tone: 'settled', label: 'Nothing to pay', detail }
}

function stillDue(document: InvoiceDocument, today: string): DueState {
  const { dueDate, paidMinor, creditedMinor } = document
  const settled = settledSoFar(document)
  if (dueDate !== null && dueDate < today) {
    return { tone: 'late', label: 'Overdue', detail: `It was due by ${dayInWords(dueDate)}. ${settled}`.trim() }
  }
  const by = dueDate === null ? undefined : dueDate === today ? 'today' : `by ${dayInWords(dueDate)}`
  if (paidMinor > 0n || creditedMinor > 0n) {
    const label = paidMinor > 0n ? 'Part paid' : 'Part credited'
    return { tone: 'open', label, detail: by === undefined ? settled : `${settled} The rest is due ${by}.` }
  }
  return { tone: 'open', label: by === undefined ? 'Payment due' : `Due ${by}`, detail: undefined }
}

/** `₦300.00 of ₦1,000.00 was paid, ₦200.00 was credited.` */
function settledSoFar({ paidMinor, creditedMinor, payableMinor, currency }: InvoiceDocument): string {
  const of = ` of ${money(payableMinor, currency)}`
  if (paidMinor === 0n && creditedMinor === 0n) return ''
  if (paidMinor === 0n) return `${money(creditedMinor, currency)}${of} was credited.`
  const credited = creditedMinor === 0n ? '' : `, ${money(creditedMinor, currency)} was credited`
  return `${money(paidMinor, currency)}${of} was paid${credited}.`
}
