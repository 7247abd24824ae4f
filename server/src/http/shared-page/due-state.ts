import { openInstalments } from '../../kernel/instalments.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'

/** What a reader has to do about a document, in a word or two and a sentence. */
export interface DueState {
  readonly tone: 'settled' | 'open' | 'late' | 'quiet'
  readonly label: string
  readonly detail: string | undefined
}

/** Whether the document asks for money: credit notes and drafts never do. */
export const asksForMoney = ({ type, isDraft, dueMinor }: InvoiceDocument) =>
  type !== 'credit_note' && !isDraft && dueMinor > 0n

export function dueState(document: InvoiceDocument, today: string, wording: Wording): DueState {
  if (document.isDraft) {
    const title = wording.inSentence(wording.titleOf(document))
    return {
      tone: 'quiet',
      label: wording.say('state.draft'),
      detail: wording.say('state.not_issued', { document: title }),
    }
  }
  if (document.type === 'credit_note')
    return { tone: 'quiet', label: wording.say('state.credit'), detail: wording.say('state.nothing_to_pay_now') }
  return asksForMoney(document) ? stillDue(document, today, wording) : nothingDue(document, wording)
}

function nothingDue({ paidMinor, creditedMinor, currency }: InvoiceDocument, wording: Wording): DueState {
  const money = (minor: bigint) => wording.money(minor, currency)
  if (paidMinor > 0n) {
    const detail = wording.say('state.was_paid', { amount: money(paidMinor) })
    return { tone: 'settled', label: wording.say('state.paid'), detail }
  }
  const detail = creditedMinor > 0n ? wording.say('state.was_credited', { amount: money(creditedMinor) }) : undefined
  return { tone: 'settled', label: wording.say('state.nothing_to_pay'), detail }
}

function stillDue(document: InvoiceDocument, today: string, wording: Wording): DueState {
  const { paidMinor, creditedMinor } = document
  const dueDate = openInstalments(document, document.dueMinor)[0]?.dueDate ?? null
  const settled = settledSoFar(document, wording)
  const date = dueDate === null ? undefined : wording.day(dueDate)
  if (dueDate !== null && date !== undefined && dueDate < today) {
    const detail = `${wording.say('state.was_due', { date })} ${settled}`.trim()
    return { tone: 'late', label: wording.say('state.overdue'), detail }
  }
  const isToday = dueDate === today
  // The rest of an invoice with instalments is due on several days: the page lists them.
  if (document.instalments === null && (paidMinor > 0n || creditedMinor > 0n)) {
    const label = wording.say(paidMinor > 0n ? 'state.part_paid' : 'state.part_credited')
    if (date === undefined) return { tone: 'open', label, detail: settled }
    const rest = isToday ? wording.say('state.rest_due_today') : wording.say('state.rest_due_by', { date })
    return { tone: 'open', label, detail: `${settled} ${rest}` }
  }
  if (date === undefined) return { tone: 'open', label: wording.say('state.payment_due'), detail: undefined }
  const label = isToday ? wording.say('state.due_today') : wording.say('state.due_by', { date })
  return { tone: 'open', label, detail: settled || undefined }
}

/** `₦300.00 of ₦1,000.00 was paid, ₦200.00 was credited.` */
function settledSoFar({ paidMinor, creditedMinor, payableMinor, currency }: InvoiceDocument, wording: Wording): string {
  const money = (minor: bigint) => wording.money(minor, currency)
  const total = money(payableMinor)
  if (paidMinor === 0n && creditedMinor === 0n) return ''
  if (paidMinor === 0n) return wording.say('state.part_was_credited', { amount: money(creditedMinor), total })
  if (creditedMinor === 0n) return wording.say('state.part_was_paid', { amount: money(paidMinor), total })
  return wording.say('state.paid_and_credited', { paid: money(paidMinor), total, credited: money(creditedMinor) })
}
