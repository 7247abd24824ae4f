import type { SystemCaller } from '../../kernel/callers.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import { findEventData } from '../../platform/events/event-data.store.ts'
import { jobOn } from '../../platform/jobs/jobs.ts'
import { turnOf } from '../../platform/jobs/turns.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { mails, offers, type RenderedFile } from '../documents/index.ts'
import { queueMessage } from '../messages/index.ts'
import type { QuoteId } from './quote.ts'
import { offeredDocument } from './quote-document.ts'
import { getOwnQuote, lockOwnQuote } from './read-quotes.ts'
import { findLink } from './share-quote.ts'

export const mailQuoteJob = jobOn('mail-quote', 'mail', ['quote.sent'])

interface PreparedMail {
  readonly to: string
  readonly offered: offers.OfferedDocument
  readonly isRevised: boolean
  readonly file: RenderedFile
}

/** `undefined` if no mail was wanted, if the quote was withdrawn meanwhile, or if a sandbox mail would reach a stranger. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<PreparedMail | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const { db, now } = context
  const data = await findEventData(db, organisationId, eventId, 'quote.sent')
  if (!data?.to || mode === null) return undefined
  const tenant = { organisationId, mode }
  if (!(await mails.mayBeMailed(context, tenant, data.to))) return undefined
  const quote = await getOwnQuote(db, tenant, objectId as QuoteId, now)
  if (quote.status === 'cancelled') return undefined
  const offered = await offeredDocument(context, tenant, quote)
  const file = await offers.offerPdf(context, organisationId, offered)
  return { to: data.to, offered, isRevised: data.revised === true, file }
}

/** Without a link, the buyer has the PDF and answers the seller. */
function mailOf({ offered: { document, words }, isRevised, file }: PreparedMail, link: string | undefined) {
  const { wording } = words
  const { number, seller, buyer, mode, offer, currency, payableMinor } = document
  const from = seller?.name ?? wording.say('mail.unnamed_seller')
  const title = wording.titleOf(document)
  const inSentence = wording.inSentence(title)
  const named = { document: `${title} ${number}`, seller: from }
  const opening = { document: `${inSentence} ${number}`, seller: from }
  const total = wording.say('offer.total', { amount: wording.money(payableMinor, currency) })
  const end = offer?.validUntil ? ` ${wording.say('offer.accept_until', { date: wording.day(offer.validUntil) })}` : ''
  const mail = mails.buyerMail(
    { mode, seller, logo: null, wording },
    {
      subject: wording.say(isRevised ? 'mail.subject_revised' : 'mail.subject', named),
      greeting: wording.say('mail.greeting', { buyer: buyer?.name ?? wording.say('mail.unnamed_buyer') }),
      paragraphs: [
        `${wording.say(isRevised ? 'mail.revised' : 'mail.sent', opening)} ${wording.say('mail.attached')}`,
        `${total}${end}${link === undefined ? '' : ` ${wording.say('offer.answer_online')}`}`,
        wording.say('offer.not_tax_invoice'),
      ],
      ...(link !== undefined && {
        link: { words: wording.say('mail.see_online', { document: inSentence }), href: link },
      }),
    },
  )
  const attachment = { filename: file.fileName, contentType: file.contentType, base64: file.bytes.toString('base64') }
  return { ...mail, attachments: [attachment] }
}

/** Mails a quote to its buyer, once for each send. The PDF is drawn before the transaction opens. */
export const mailQuote = preparedOperation(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  prepare,
  async (context: Inside<SystemCaller>, notice: EventNotice, prepared: PreparedMail | undefined): Promise<boolean> => {
    const { organisationId, mode, objectId, eventId } = notice
    if (!prepared || mode === null) return false
    const tenant = { organisationId, mode }
    const { id } = await lockOwnQuote(context.tx, tenant, objectId as QuoteId, context.now)
    // Sending made a link. A link that a user has ended stays ended.
    const link = await findLink(context, tenant, id)
    await queueMessage(context, {
      cause: `quote-sent:${eventId}`,
      sentFor: turnOf(notice),
      channel: 'email',
      to: prepared.to,
      ...mailOf(prepared, link?.url),
    })
    return true
  },
)
