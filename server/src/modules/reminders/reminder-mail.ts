import { dayAfter } from '../../kernel/days.ts'
import type { DocumentParty, Letterhead } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { mails } from '../documents/index.ts'
import { derivedStatuses, type Invoice } from '../invoices/index.ts'
import { partToPay } from './due-part.ts'
import { filledBody, filledSubject, type PlaceholderValues } from './placeholders.ts'
import { mostListed, type ReminderTemplate } from './reminder-plan.ts'

/** An invoice as a mail shows it. */
export interface ShownInvoice {
  readonly type: Invoice['type']
  readonly number: string
  readonly seller: string
  readonly payableMinor: bigint
  readonly taxMinor: bigint
  readonly dueMinor: bigint
  readonly currency: string
  readonly dueDate: string | null
  /** the amount is that of one part already */
  readonly instalments: null
  /** undefined for invoices that the mail only counts */
  readonly link: string | undefined
}

export interface Reminder {
  readonly mode: Mode
  /** at least one, those that were due first at the front */
  readonly invoices: readonly [ShownInvoice, ...ShownInvoice[]]
  readonly seller: Pick<DocumentParty, 'name' | 'email'> | null
  readonly buyer: string
  readonly letterhead: Letterhead
  /** our own words if undefined */
  readonly template: Pick<ReminderTemplate, 'subject' | 'body'> | undefined
  readonly wording: Wording
  readonly today: string
}

export const shownInvoice = (
  invoice: Invoice,
  {
    unnamedSeller,
    link,
    today,
  }: { readonly unnamedSeller: string; readonly link: string | undefined; readonly today: string },
): ShownInvoice => ({
  type: invoice.type,
  number: invoice.number,
  seller: invoice.sellerCopy?.name ?? unnamedSeller,
  payableMinor: invoice.payableMinor,
  taxMinor: invoice.taxMinor,
  currency: invoice.currency,
  ...(partToPay(invoice, today) ?? { dueMinor: derivedStatuses.dueMinor(invoice), dueDate: invoice.dueDate }),
  instalments: null,
  link,
})

/** An invoice that nobody issued, for the preview of a template. */
export const sampleInvoice = (currency: string, seller: string, today: string, stepDays: number): ShownInvoice => ({
  type: 'standard',
  number: 'INV000042',
  seller,
  payableMinor: 12_500_000n,
  taxMinor: 872_093n,
  dueMinor: 12_500_000n,
  currency,
  dueDate: dayAfter(today, -stepDays),
  instalments: null,
  link: undefined,
})

/** The total of each currency: `₦1,250.00, US$30.00`. */
function totalOf(invoices: readonly ShownInvoice[], wording: Wording): string {
  const totals = new Map<string, bigint>()
  for (const { currency, dueMinor } of invoices) totals.set(currency, (totals.get(currency) ?? 0n) + dueMinor)
  return [...totals].map(([currency, minor]) => wording.money(minor, currency)).join(', ')
}

/** The most numbers of invoices in one subject. */
const mostNumbers = 3

function numbersOf(invoices: readonly ShownInvoice[]): string {
  const named = invoices.slice(0, mostNumbers).map(({ number }) => number)
  const more = invoices.length - named.length
  return named.join(', ') + (more > 0 ? ` (+${more})` : '')
}

function valuesOf({ invoices, buyer, wording, today }: Reminder): PlaceholderValues {
  const [first] = invoices
  return {
    buyer,
    seller: first.seller,
    number: numbersOf(invoices),
    'amount due': totalOf(invoices, wording),
    'due date': first.dueDate === null ? '' : wording.day(first.dueDate),
    'days overdue': String(mails.daysLate(first, today)),
  }
}

/** One line for each invoice that has a link, then the number and the total of the others, then the total of all. */
function listOf({ invoices, wording, today }: Reminder) {
  const [first] = invoices
  const links = invoices.flatMap((invoice) => {
    if (invoice.link === undefined) return []
    const seller = invoice.seller === first.seller ? '' : ` (${invoice.seller})`
    const owed = mails.owed(invoice, today, wording).join(' ')
    return [
      { words: `${wording.labelled(wording.titleOf(invoice), invoice.number)}${seller}: ${owed}`, href: invoice.link },
    ]
  })
  const others = invoices.slice(links.length)
  return {
    links,
    sums: [
      ...(others.length > 0
        ? [wording.count('mail.reminders.more', others.length, { amount: totalOf(others, wording) })]
        : []),
      ...(invoices.length > 1 ? [wording.say('mail.reminders.total', { amount: totalOf(invoices, wording) })] : []),
    ],
  }
}

/** Our own words for one invoice: those of a reminder by hand. */
function wordsForOne(reminder: Reminder) {
  const { invoices, wording, today } = reminder
  const [invoice] = invoices
  const title = wording.titleOf(invoice)
  const inSentence = wording.inSentence(title)
  const about = {
    document: wording.labelled(inSentence, invoice.number),
    title: wording.labelled(title, invoice.number),
  }
  const { subject, words } = mails.opening(
    { ...about, seller: invoice.seller },
    { isReminder: true, isRevised: false },
    mails.daysLate(invoice, today),
    wording,
  )
  return {
    subject,
    paragraphs: [words, ...mails.owed(invoice, today, wording), ...paymentOf(reminder)],
    ...(invoice.link !== undefined && {
      link: { words: wording.say('mail.see_online', { document: inSentence }), href: invoice.link },
    }),
  }
}

/** The bank account for a single invoice. Several invoices may have several, which their pages show. */
function paymentOf({ invoices, mode, letterhead, wording }: Reminder): string[] {
  return invoices.length === 1 ? mails.howToPay({ ...invoices[0], mode }, letterhead.bank, wording) : []
}

function contentsOf(reminder: Reminder) {
  const { invoices, buyer, template, wording } = reminder
  const { links, sums } = listOf(reminder)
  if (template) {
    const values = valuesOf(reminder)
    const { before, after } = filledBody(template.body, values)
    return {
      subject: filledSubject(template.subject, values),
      paragraphs: before,
      links,
      after: [...sums, ...after, ...paymentOf(reminder)],
    }
  }
  const greeting = wording.say('mail.greeting', { buyer })
  if (invoices.length === 1) return { greeting, ...wordsForOne(reminder) }
  const values = { seller: invoices[0].seller }
  return {
    greeting,
    subject: wording.count('mail.reminders.subject', invoices.length, values),
    paragraphs: [wording.count('mail.reminders.opening', invoices.length, values)],
    links,
    after: sums,
  }
}

/** The mail of a reminder, without its address. */
export function reminderMail(reminder: Reminder) {
  const { mode, seller, letterhead, wording } = reminder
  return mails.buyerMail({ mode, seller, logo: letterhead.logo, wording }, contentsOf(reminder))
}

export const isListed = (nth: number): boolean => nth < mostListed
