import type { SystemCaller } from '../../kernel/callers.ts'
import { dayInWords, titleOf } from '../../kernel/document-words.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { findEventData } from '../../platform/events/events.store.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type EventNotice, jobOn } from '../../platform/work/jobs.ts'
import type { InvoiceId } from '../invoices/index.ts'
import { compose, queueMessage } from '../messages/index.ts'
import { wholeDocument } from './read-document.ts'
import { type Rendered, renderedNow } from './rendering.ts'

export const mailInvoiceJob = jobOn('mail-invoice', 'mail', ['invoice.sent'])

interface Prepared {
  readonly to: string
  readonly document: InvoiceDocument
  readonly file: Rendered
}

/** Nothing when there is nothing to send any more. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<Prepared | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const data = await findEventData<{ to: string }>(context.db, organisationId, eventId)
  if (!data || mode === null) return undefined
  const ref = { organisationId, mode, id: objectId as InvoiceId }
  const { document } = await wholeDocument(context, ref)
  return { to: data.to, document, file: await renderedNow(context, ref, 'pdf') }
}

function lettersOf({ document, file }: Prepared) {
  const { number, seller, buyer, dueDate, type, mode } = document
  const from = seller?.name ?? 'your supplier'
  const title = titleOf(document)
  const due = dueDate === null || type === 'credit_note' ? [] : [`It is due on ${dayInWords(dueDate)}.`]
  const test = mode === 'sandbox' ? ['This is a test from a sandbox: nothing is owed.'] : []
  return {
    subject: `${title} ${number} from ${from}`,
    ...compose({
      greeting: `Dear ${buyer?.name ?? 'customer'},`,
      paragraphs: [
        `${from} has sent you the ${title.toLowerCase()} ${number}. You find it attached as a PDF.`,
        ...due,
        ...test,
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
