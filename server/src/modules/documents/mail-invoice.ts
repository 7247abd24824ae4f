import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { dayInWords, money, titleOf } from '../../kernel/document-words.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import { findEventData } from '../../platform/events/events.store.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { jobOn } from '../../platform/work/jobs.ts'
import type { InvoiceId } from '../invoices/index.ts'
import { compose, queueMessage } from '../messages/index.ts'
import { isOwnAddress } from '../organisations/index.ts'
import { wholeDocument } from './read-document.ts'
import { type Rendered, renderedNow } from './rendering.ts'

export const mailInvoiceJob = jobOn('mail-invoice', 'mail', ['invoice.sent'])

interface Prepared {
  readonly to: string
  readonly document: InvoiceDocument
  readonly bank: Letterhead['bank']
  /** as `2026-11-15`, where the seller is */
  readonly today: string
  readonly file: Rendered
}

/**
 * In the sandbox anybody may be anybody's buyer, under any name, so its documents are mailed to the organisation's own people
 * only: those who try things out. Where mail reaches nobody it may lie in the mailbox under every name.
 */
async function mayBeMailed(
  { db, ports }: Outside<SystemCaller>,
  { organisationId, mode }: EventNotice,
  to: string,
): Promise<boolean> {
  return mode === 'live' || !ports.messageCarrier.reachesPeople || (await isOwnAddress(db, organisationId, to))
}

/** Nothing when there is nothing to send any more, or nobody to send it to. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<Prepared | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const data = await findEventData(context.db, organisationId, eventId, 'invoice.sent')
  if (!data || mode === null || !(await mayBeMailed(context, notice, data.to))) return undefined
  const ref = { organisationId, mode, id: objectId as InvoiceId }
  const { document, letterhead, jurisdiction } = await wholeDocument(context, ref)
  const today = businessDay(context.now, jurisdiction.zone)
  return { to: data.to, document, bank: letterhead.bank, today, file: await renderedNow(context, ref, 'pdf') }
}

const dayMs = 24 * 60 * 60 * 1000

/** What is to be paid and by when; of a credit note nothing is. */
function owed({ type, payableMinor, dueMinor, dueDate, currency }: InvoiceDocument, today: string): string[] {
  if (type === 'credit_note' || payableMinor <= 0n) return []
  if (dueMinor <= 0n) return ['It is paid: nothing is left to pay.']
  const sum = money(dueMinor, currency)
  if (dueDate === null) return [`The amount to pay is ${sum}.`]
  if (dueDate >= today) return [`${sum} is due on ${dayInWords(dueDate)}.`]
  const days = Math.round((Date.parse(today) - Date.parse(dueDate)) / dayMs)
  return [`${sum} was due on ${dayInWords(dueDate)}, ${days === 1 ? 'yesterday' : `${days} days ago`}.`]
}

/** Only who asks in earnest says where to. */
function howToPay({ document, bank }: Prepared): string[] {
  const { type, mode, dueMinor, number } = document
  if (!bank || mode !== 'live' || type === 'credit_note' || dueMinor <= 0n) return []
  const { bankName, accountName, accountNumber } = bank
  return [`Please pay to ${accountName}, ${bankName}, account number ${accountNumber}, with the reference ${number}.`]
}

function lettersOf(prepared: Prepared) {
  const { document, today, file } = prepared
  const { number, seller, buyer, mode } = document
  const from = seller?.name ?? 'your supplier'
  const title = titleOf(document)
  const isTest = mode === 'sandbox'
  return {
    subject: `${isTest ? '[Test] ' : ''}${title} ${number} from ${from}`,
    ...compose({
      ...(seller && { sender: seller.name }),
      greeting: `Dear ${buyer?.name ?? 'customer'},`,
      paragraphs: [
        ...(isTest ? ['This is a test from a sandbox: nothing is owed.'] : []),
        `${from} has sent you the ${title.toLowerCase()} ${number}. You find it attached as a PDF.`,
        ...owed(document, today),
        ...howToPay(prepared),
      ],
      closing: `Questions? Write to ${seller?.email ?? from}.`,
    }),
    attachments: [{ filename: file.fileName, contentType: file.contentType, base64: file.bytes.toString('base64') }],
  }
}

/** Mails a document that was sent to its buyer, once for each time that it was sent. Drawn before the transaction opens. */
export const mailInvoice = preparedOperation(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  prepare,
  async (context: Inside<SystemCaller>, notice: EventNotice, prepared: Prepared | undefined): Promise<boolean> => {
    if (!prepared) return false
    const cause = `invoice-sent:${notice.eventId}`
    await queueMessage(context, { cause, channel: 'email', to: prepared.to, ...lettersOf(prepared) })
    return true
  },
)
