import type { SystemCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'
import { findEventData } from '../../platform/events/event-data.store.ts'
import { job, jobOn } from '../../platform/jobs/jobs.ts'
import { turnOf } from '../../platform/jobs/turns.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type InvoiceId, linkForBuyer } from '../invoices/index.ts'
import { queueMessage } from '../messages/index.ts'
import { buyerMail, mayBeMailed } from './buyer-mail.ts'
import { daysLate, howToPay, opening, owed } from './mail-words.ts'
import { type DocumentRef, wholeDocument } from './read-document.ts'
import { documentState, type RenderedFile, rendered } from './rendering.ts'

export const mailInvoiceJob = jobOn('mail-invoice', 'mail', ['invoice.sent'])

/** A reminder by hand. `reminders` runs the job, because it knows whether the reminder is still wanted. */
export const sendReminderByHandJob = job<EventNotice>('send-reminder-by-hand', 'mail')

/** A document as it is now, for a mail to its buyer. */
export interface PreparedMail {
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

/** `undefined` if the event is gone, or the recipient may not be mailed. */
async function prepare(
  context: Outside<SystemCaller>,
  notice: EventNotice,
): Promise<PreparedMail | 'reminder' | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const data = await findEventData(context.db, organisationId, eventId, 'invoice.sent')
  if (!data || mode === null || !(await mayBeMailed(context, { organisationId, mode }, data.to))) return undefined
  if (data.reminder === true) return 'reminder'
  const ref = { organisationId, mode, id: objectId as InvoiceId }
  return await prepareMail(context, ref, { to: data.to, isReminder: false, isRevised: data.revised === true })
}

/** Draws the PDF, so it belongs outside of a transaction. */
export async function prepareMail(
  context: Outside<SystemCaller>,
  ref: DocumentRef,
  kind: Pick<PreparedMail, 'to' | 'isReminder' | 'isRevised'>,
): Promise<PreparedMail> {
  const state = await documentState(context, ref)
  const { document, letterhead, words, jurisdiction } = await wholeDocument(context, ref, state.language)
  const today = businessDay(context.now, jurisdiction.zone)
  const file = await rendered(context, ref, state, 'pdf')
  const { wording } = words
  return { ...kind, document, letterhead, wording, today, file }
}

/** The words and the attachments of the mail. */
export function documentMail(
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

/** Mails a document to its buyer, once for each send. The PDF is drawn before the transaction opens. A reminder has a job of its own. */
export const mailInvoice = preparedOperation(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  prepare,
  async (
    context: Inside<SystemCaller>,
    notice: EventNotice,
    prepared: PreparedMail | 'reminder' | undefined,
  ): Promise<boolean> => {
    if (!prepared) return false
    if (prepared === 'reminder') {
      context.enqueue(sendReminderByHandJob, notice, { turn: turnOf(notice) })
      return true
    }
    const cause = `invoice-sent:${notice.eventId}`
    const { organisationId, mode, objectId } = notice
    const link =
      mode === null ? undefined : await linkForBuyer(context, { organisationId, mode }, objectId as InvoiceId)
    await queueMessage(context, {
      cause,
      sentFor: turnOf(notice),
      channel: 'email',
      to: prepared.to,
      ...documentMail(prepared, link),
    })
    return true
  },
)
