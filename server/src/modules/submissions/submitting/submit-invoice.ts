import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import { type Inside, type Outside, statement } from '../../../platform/operations/operation.ts'
import { findBuyer } from '../../buyers/index.ts'
import { costs } from '../../catalogue/index.ts'
import { hold } from '../../credits/index.ts'
import {
  creditsTheRest,
  documentContents,
  getOwnInvoice,
  type Invoice,
  type InvoiceId,
  lockOwnInvoice,
  moveInvoices,
  queuedInvoice,
} from '../../invoices/index.ts'
import { jurisdictionOf, listsInForce } from '../../reference/index.ts'
import { type Connection, findConnection, isConnected, lockConnectionShared } from '../../tax-connection/index.ts'
import { openCredentials } from '../asking/authority-access.ts'
import { causeOf, type Submission } from '../state/submission.ts'
import { findLastSubmission, insertSubmission, type NewSubmission } from '../state/submissions.store.ts'
import { findToSubmit, type QueuedChange, queueSubmissions } from './queue-submissions.store.ts'

type LockedInvoice = Awaited<ReturnType<typeof lockOwnInvoice>>

export const submitRefusals = [
  'resource.not_found',
  'jurisdiction.unsupported',
  'invoice.submit.not_finalised',
  'invoice.submit.already_submitted',
  'authority.not_connected',
  'authority.no_access',
  'invoice.submit.not_ready',
  'credits.insufficient',
] as const

/** The authority accepted the corrected document at some time, so it knows the document. */
const isWithAuthority = ({ authorityReference, status }: Invoice): boolean =>
  authorityReference !== null && ['accepted', 'cancellation_pending', 'cancelled'].includes(status)

function mustBeSubmittable({ invoice, original }: LockedInvoice): void {
  const { status } = invoice
  if (status === 'draft') throw refuse('invoice.submit.not_finalised')
  if (status !== 'finalised') throw refuse('invoice.submit.already_submitted')
  if (original && !isWithAuthority(original))
    throw refuse('invoice.submit.not_ready', {
      details: [
        {
          path: 'originalInvoiceNumber',
          rule: 'original.accepted',
          message: 'is an invoice that the tax authority has not accepted yet; submit that invoice first',
        },
      ],
    })
}

/** Everything that a submission depends on, apart from the code lists and the date. */
interface SubmissionContext extends LockedInvoice {
  readonly connection: Connection | undefined
  readonly buyerTaxIdStatus: string | undefined
  /** the last submission of the document */
  readonly earlier: Submission | undefined
}

type SubmitContext = Pick<Outside<TokenCaller>, 'caller' | 'ports' | 'vault' | 'now'>

/** The submission of a document with the exact bytes to send, or why it cannot be submitted. */
function submissionOf(
  { caller, ports, vault, now }: SubmitContext,
  { invoice, original, connection, buyerTaxIdStatus, earlier }: SubmissionContext,
  cancels?: InvoiceId,
): NewSubmission {
  const { tenant } = caller
  const jurisdiction = jurisdictionOf(ports, caller)
  const { country, reporting } = jurisdiction
  mustBeSubmittable({ invoice, original })
  if (!isConnected(connection)) throw refuse('authority.not_connected')
  if (!ports.jurisdictions.authority(country, tenant.mode, openCredentials(vault, connection)))
    throw refuse('authority.no_access')
  const document = documentContents.documentOf(invoice, tenant.mode, { seller: null, buyer: null }, original)
  const lists = listsInForce(ports.codeLists, country)
  const today = businessDay(now, jurisdiction.zone)
  const details = jurisdiction.readinessOf(document, lists, { today, buyerTaxIdStatus })
  if (details.length > 0) throw refuse('invoice.submit.not_ready', { details })
  // A document keeps its reference after a rejection, and earlier sends under it count.
  const { reference, bytes, sha256, paymentStatus } = reporting.documentFor(
    document,
    connection,
    lists,
    earlier?.reference,
  )
  return {
    id: newId(),
    invoiceId: invoice.id,
    country,
    reference,
    payload: bytes,
    sha256,
    paymentInDocument: paymentStatus,
    ordinal: (earlier?.ordinal ?? 0) + 1,
    goesToBuyer: reporting.goesToBuyer(document),
    cancelsInvoiceId: cancels ?? null,
    heldCredits: costs['invoice.submit'].credits,
    sends: earlier?.sends ?? 0,
    askedBy: actorOf(caller),
    createdAt: now,
  }
}

/**
 * The invoice that a rejected cancelling credit note was to cancel. The note may have changed since. It still cancels
 * the invoice only if it covers all that accepted credit notes have left; otherwise it is an ordinary credit note.
 */
async function cancelledAgain(
  { tx, caller }: Inside<TokenCaller>,
  { invoice, original }: LockedInvoice,
  earlier: Submission | undefined,
): Promise<InvoiceId | undefined> {
  if (!earlier?.cancelsInvoiceId || original?.status !== 'accepted') return undefined
  return (await creditsTheRest(tx, caller.tenant, original, invoice)) ? original.id : undefined
}

/**
 * Queues a locked document. One transaction writes the exact bytes, the reference, the hold and the invoice's status.
 * Nothing leaves before the commit.
 */
export async function queueForAuthority(
  context: Inside<TokenCaller>,
  locked: LockedInvoice,
  cancels?: InvoiceId,
): Promise<Invoice> {
  const { tx, caller, now } = context
  const { tenant } = caller
  const { invoice } = locked
  const connection = await lockConnectionShared(tx, tenant)
  const buyer = invoice.buyerId === null ? undefined : await findBuyer(tx, tenant, invoice.buyerId)
  const earlier = await findLastSubmission(tx, tenant, invoice.id)
  const found = { ...locked, connection, buyerTaxIdStatus: buyer?.taxIdStatus, earlier }
  const submission = submissionOf(context, found, cancels ?? (await cancelledAgain(context, locked, earlier)))
  const { country, cancelsInvoiceId } = submission
  await hold(context, tenant, 'invoice.submit', causeOf(submission))
  await insertSubmission(tx, tenant, submission)
  const queued = { id: invoice.id, country, moves: ['submit'] as const, submittedAt: now }
  const cancelling = cancelsInvoiceId && {
    id: cancelsInvoiceId,
    country,
    moves: ['cancel'] as const,
    more: { cancel: { creditNoteId: invoice.id } },
  }
  const moved = await moveInvoices(context, tenant, cancelling ? [cancelling, queued] : [queued])
  const own = moved.find((row) => row.id === invoice.id)
  if (!own) throw refuse('state.changed')
  context.wake('authority')
  return { ...invoice, status: own.status, version: own.version, submittedAt: now, updatedAt: now }
}

/** Submits a finalised document in a transaction with locks. */
export async function submitInTransaction(
  context: Inside<TokenCaller>,
  { id }: { readonly id: InvoiceId },
): Promise<Invoice> {
  return await queueForAuthority(context, await lockOwnInvoice(context.tx, context.caller.tenant, id))
}

async function planSubmission(context: Outside<TokenCaller>, { id }: { id: InvoiceId }): Promise<QueuedChange> {
  const { db, caller, now } = context
  const { tenant } = caller
  const [found, connection] = await Promise.all([findToSubmit(db, tenant, id), findConnection(db, tenant)])
  if (!found) throw refuse('resource.not_found')
  const { invoice, more } = found
  const submission = submissionOf(context, {
    invoice,
    original: invoice.originalId === null ? undefined : await getOwnInvoice(db, tenant, invoice.originalId),
    connection,
    buyerTaxIdStatus: more.buyerTaxIdStatus ?? undefined,
    earlier: more.wasSubmitted ? await findLastSubmission(db, tenant, id) : undefined,
  })
  // A submission implies a connection.
  const { businessId, serviceId } = connection as Connection
  return { ...queuedInvoice(caller, invoice, now), submission, businessId, serviceId }
}

/** Submits a finalised invoice to the authority. Status, timeline and events show the outcome. */
export const submitInvoice = statement(
  { needs: ['invoice.submit'], refuses: submitRefusals },
  {
    plan: planSubmission,
    // The fallback locks the original of a note, and the earlier submission of a corrected document.
    fitsStatement: ({ before, submission }) => before.originalId === null && submission.ordinal === 1,
    conflictKey: ({ before }) => before.id,
    write: queueSubmissions,
    wakes: ['authority'],
    returning: [],
    replyHasNoSecret: true,
    output: ({ after }) => after,
    fallback: (context: Inside<TokenCaller>, { before }) => submitInTransaction(context, before),
  },
)
