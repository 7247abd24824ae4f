import type { SystemCaller } from '../../kernel/callers.ts'
import { dayInWords, titleOf } from '../../kernel/document-words.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
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
  const { document } = await wholeDocument(context, ref)
  return { to: data.to, document, file: await renderedNow(context, ref, 'pdf') }
}

function lettersOf({ document, file }: Prepared) {
  const { number, seller, buyer, dueDate, type, mode } = document
  const from = seller?.name ?? 'your supplier'
  const title = titleOf(document)
  const due = dueDate === null || type === 'credit_note' ? [] : [`It is due on ${dayInWords(dueDate)}.`]
  const isTest = mode === 'sandbox'
  return {
    subject: `${isTest ? '[Test] ' : ''}${title} ${number} from ${from}`,
    ...compose({
      greeting: `Dear ${buyer?.name ?? 'customer'},`,
      paragraphs: [
        ...(isTest ? ['This is a test from a sandbox: nothing is owed.'] : []),
        `${from} has sent you the ${title.toLowerCase()} ${number}. You find it attached as a PDF.`,
        ...due,
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
