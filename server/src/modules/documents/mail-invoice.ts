import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { titleOf } from '../../kernel/document-words.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import { findEventData } from '../../platform/events/event-data.store.ts'
import { jobOn } from '../../platform/jobs/jobs.ts'
import { turnOf } from '../../platform/jobs/turns.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type InvoiceId, linkForBuyer } from '../invoices/index.ts'
import { compose, queueMessage } from '../messages/index.ts'
import { isOwnAddress } from '../organisations/index.ts'
import { daysLate, howToPay, opening, owed } from './mail-words.ts'
import { wholeDocument } from './read-document.ts'
import { type RenderedFile, renderedNow } from './rendering.ts'

export const mailInvoiceJob = jobOn('mail-invoice', 'mail', ['invoice.sent'])

interface PreparedMail {
  readonly to: string
  readonly document: InvoiceDocument
  readonly letterhead: Letterhead
  readonly isReminder: boolean
  /** a version that replaces one that was sent before */
  readonly isRevised: boolean
  /** as `2026-11-15`, in the seller's time zone */
  readonly today: string
  readonly file: RenderedFile
}

/**
 * In the sandbox anybody may name any buyer, so documents go only to members of the organisation. If mail reaches no
 * real people, every address is allowed.
 */
async function mayBeMailed(
  { db, ports }: Outside<SystemCaller>,
  { organisationId, mode }: EventNotice,
  to: string,
): Promise<boolean> {
  return mode === 'live' || !ports.messageCarrier.reachesPeople || (await isOwnAddress(db, organisationId, to))
}

/** `undefined` if there is nothing to send any more, or no recipient. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<PreparedMail | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const data = await findEventData(context.db, organisationId, eventId, 'invoice.sent')
  if (!data || mode === null || !(await mayBeMailed(context, notice, data.to))) return undefined
  const ref = { organisationId, mode, id: objectId as InvoiceId }
  const { document, letterhead, jurisdiction } = await wholeDocument(context, ref)
  const isReminder = data.reminder === true
  // A buyer who has paid meanwhile gets no reminder.
  if (isReminder && document.dueMinor <= 0n) return undefined
  const today = businessDay(context.now, jurisdiction.zone)
  const file = await renderedNow(context, ref, 'pdf')
  return { to: data.to, document, letterhead, isReminder, isRevised: data.revised === true, today, file }
}

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const

/** The seller's logo as an attachment, because mail programs block remote images. */
function logoOf({ logo }: Letterhead, sender: string | undefined) {
  if (!logo || sender === undefined) return undefined
  return {
    filename: `logo.${extensions[logo.contentType]}`,
    contentType: logo.contentType,
    base64: logo.base64,
    cid: 'logo',
  }
}

function lettersOf(
  { document, letterhead, isReminder, isRevised, today, file }: PreparedMail,
  link: string | undefined,
) {
  const { number, seller, buyer, mode } = document
  const from = seller?.name ?? 'your supplier'
  const title = titleOf(document)
  const isTest = mode === 'sandbox'
  const logo = logoOf(letterhead, seller?.name)
  const { subject, words } = opening(
    { what: `${title.toLowerCase()} ${number}`, from },
    { isReminder, isRevised },
    daysLate(document, today),
  )
  return {
    ...(seller && { fromName: `${seller.name} via Risiti` }),
    ...(seller?.email && { replyTo: seller.email }),
    subject: `${isTest ? '[Test] ' : ''}${subject}${title} ${number} from ${from}`,
    ...compose({
      ...(seller && { sender: seller.name }),
      ...(logo && { logoCid: logo.cid }),
      greeting: `Dear ${buyer?.name ?? 'customer'},`,
      paragraphs: [
        ...(isTest ? ['This is a test from a sandbox: nothing is owed.'] : []),
        words,
        ...owed(document, today),
        ...howToPay(document, letterhead.bank),
      ],
      ...(link !== undefined && { link: { words: `See the ${title.toLowerCase()} online`, href: link } }),
      closing: `Questions? Write to ${seller?.email ?? from}.`,
    }),
    attachments: [
      { filename: file.fileName, contentType: file.contentType, base64: file.bytes.toString('base64') },
      ...(logo ? [logo] : []),
    ],
  }
}

/** Mails a document to its buyer, once for each send. The PDF is drawn before the transaction opens. */
export const mailInvoice = preparedOperation(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  prepare,
  async (context: Inside<SystemCaller>, notice: EventNotice, prepared: PreparedMail | undefined): Promise<boolean> => {
    if (!prepared) return false
    const cause = `invoice-sent:${notice.eventId}`
    const { organisationId, mode, objectId } = notice
    const link =
      mode === null ? undefined : await linkForBuyer(context, { organisationId, mode }, objectId as InvoiceId)
    await queueMessage(context, {
      cause,
      sentFor: turnOf(notice),
      channel: 'email',
      to: prepared.to,
      ...lettersOf(prepared, link),
    })
    return true
  },
)
