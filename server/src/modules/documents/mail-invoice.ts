import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'
import { findEventData } from '../../platform/events/event-data.store.ts'
import { jobOn } from '../../platform/jobs/jobs.ts'
import { turnOf } from '../../platform/jobs/turns.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type InvoiceId, linkForBuyer } from '../invoices/index.ts'
import { queueMessage } from '../messages/index.ts'
import { buyerMail, mayBeMailed } from './buyer-mail.ts'
import { daysLate, howToPay, opening, owed } from './mail-words.ts'
import { wholeDocument } from './read-document.ts'
import { documentState, type RenderedFile, rendered } from './rendering.ts'

export const mailInvoiceJob = jobOn('mail-invoice', 'mail', ['invoice.sent'])

interface PreparedMail {
  readonly to: string
  readonly document: InvoiceDocument
  readonly letterhead: Letterhead
  readonly wording: Wording
  readonly isReminder: boolean
  /** a version that replaces one that was sent before */
  readonly isRevised: boolean
  /** as `2026-11-15`, in the seller's time zone */
  readonly today: string
  readonly file: RenderedFile
}

/** `undefined` if there is nothing to send any more, or no recipient. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<PreparedMail | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const data = await findEventData(context.db, organisationId, eventId, 'invoice.sent')
  if (!data || mode === null || !(await mayBeMailed(context, { organisationId, mode }, data.to))) return undefined
  const ref = { organisationId, mode, id: objectId as InvoiceId }
  const state = await documentState(context, ref)
  const { document, letterhead, words, jurisdiction } = await wholeDocument(context, ref, state.language)
  const isReminder = data.reminder === true
  // A buyer who has paid meanwhile gets no reminder.
  if (isReminder && document.dueMinor <= 0n) return undefined
  const today = businessDay(context.now, jurisdiction.zone)
  const file = await rendered(context, ref, state, 'pdf')
  const { wording } = words
  return { to: data.to, document, letterhead, wording, isReminder, isRevised: data.revised === true, today, file }
}

function lettersOf(
  { document, letterhead, wording, isReminder, isRevised, today, file }: PreparedMail,
  link: string | undefined,
) {
  const { number, seller, buyer, mode } = document
  const title = wording.titleOf(document)
  const inSentence = wording.inSentence(title)
  const { subject, words } = opening(
    {
      document: wording.labelled(inSentence, number),
      title: wording.labelled(title, number),
      seller: seller?.name ?? wording.say('mail.unnamed_seller'),
    },
    { isReminder, isRevised },
    daysLate(document, today),
    wording,
  )
  const { attachments, ...mail } = buyerMail(
    { mode, seller, logo: letterhead.logo, wording },
    {
      subject,
      greeting: wording.say('mail.greeting', { buyer: buyer?.name ?? wording.say('mail.unnamed_buyer') }),
      paragraphs: [
        `${words} ${wording.say('mail.attached')}`,
        ...owed(document, today, wording),
        ...howToPay(document, letterhead.bank, wording),
      ],
      ...(link !== undefined && {
        link: { words: wording.say('mail.see_online', { document: inSentence }), href: link },
      }),
    },
  )
  const pdf = { filename: file.fileName, contentType: file.contentType, base64: file.bytes.toString('base64') }
  return { ...mail, attachments: [pdf, ...attachments] }
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
