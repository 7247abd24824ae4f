import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import { actorOf } from '../../platform/operations/actors.ts'
import { attempt } from '../../platform/operations/attempt.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findBuyer } from '../buyers/index.ts'
import { hold } from '../credits/index.ts'
import {
  documentOf,
  type Invoice,
  type InvoiceId,
  type LockedInvoice,
  lockOwnInvoice,
  moveInvoices,
} from '../invoices/index.ts'
import { jurisdictionOf, listsInForce } from '../reference/index.ts'
import { credentialsOf, isConnected, lockConnectionShared } from '../tax-connection/index.ts'
import { causeOf, type SubmissionId } from './submission.ts'
import { findLastSubmission, insertSubmission } from './submissions.store.ts'

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

/** The authority knows what it corrects: it was accepted, whatever became of it since. */
const isWithAuthority = ({ irn, status }: Invoice): boolean =>
  irn !== null && ['accepted', 'cancellation_pending', 'cancelled'].includes(status)

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
          message: 'names an invoice that the authority has not accepted yet: submit that one first',
        },
      ],
    })
}

/**
 * Queues a document that is locked. With it are written, in one transaction: the exact bytes that go to the authority, by which
 * reference, that the credits are set aside, and that the invoice is queued. Nothing leaves before that is committed.
 */
export async function queueForAuthority(
  context: Inside<TokenCaller>,
  locked: LockedInvoice,
  cancels?: InvoiceId,
): Promise<Invoice> {
  const { tx, caller, ports, vault, now } = context
  const { tenant } = caller
  const jurisdiction = jurisdictionOf(ports, caller)
  const { country, reporting } = jurisdiction
  const { invoice, original } = locked
  mustBeSubmittable(locked)
  const connection = await lockConnectionShared(tx, tenant)
  if (!isConnected(connection)) throw refuse('authority.not_connected')
  if (!ports.jurisdictions.authority(country, tenant.mode, credentialsOf(vault, connection)))
    throw refuse('authority.no_access')
  const corrected = original ? { number: original.number, issueDate: original.issueDate, irn: original.irn } : null
  const document = documentOf(invoice, tenant.mode, { seller: null, buyer: null }, corrected)
  const lists = listsInForce(ports.codeLists, country)
  const buyer = invoice.buyerId === null ? undefined : await findBuyer(tx, tenant, invoice.buyerId)
  const details = jurisdiction.readinessOf(document, lists, {
    today: businessDay(now, jurisdiction.zone),
    buyerTaxIdStatus: buyer?.taxIdStatus,
  })
  if (details.length > 0) throw refuse('invoice.submit.not_ready', { details })
  // What was refused once keeps its reference, and what was sent under it counts.
  const earlier = await findLastSubmission(tx, tenant, invoice.id)
  const { reference, bytes, sha256 } = reporting.documentFor(document, connection, lists, earlier?.reference)
  const id: SubmissionId = newId()
  await hold(context, tenant, 'invoice.submit', causeOf({ id }))
  await insertSubmission(tx, tenant, {
    id,
    invoiceId: invoice.id,
    country,
    reference,
    payload: bytes,
    sha256,
    goesToBuyer: reporting.goesToBuyer(document),
    cancelsInvoiceId: cancels ?? earlier?.cancelsInvoiceId ?? null,
    sends: earlier?.sends ?? 0,
    askedBy: actorOf(caller),
    createdAt: now,
  })
  const queued = { ...tenant, id: invoice.id, country, moves: ['submit'] as const, submittedAt: now }
  const takenBack = cancels ?? earlier?.cancelsInvoiceId
  const cancelling = takenBack && {
    ...tenant,
    id: takenBack,
    country,
    moves: ['cancel'] as const,
    more: { creditNoteId: invoice.id },
  }
  const moved = await moveInvoices(context, cancelling ? [cancelling, queued] : [queued])
  const own = moved.find((row) => row.id === invoice.id)
  if (!own) throw refuse('state.changed')
  context.wake('authority')
  return { ...invoice, status: own.status, version: own.version, submittedAt: now, updatedAt: now }
}

/** Has a finalised invoice reported to the authority. What becomes of it is told by its status, its timeline and events. */
export const submitInvoice = operation(
  { needs: ['invoice.submit'], refuses: submitRefusals },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> =>
    queueForAuthority(context, await lockOwnInvoice(context.tx, context.caller.tenant, id)),
)

export interface BatchResult {
  readonly id: InvoiceId
  readonly outcome: Invoice | Refusal
}

/** Several at once. Each has its own charge and its own outcome: what one is refused for does not concern the others. */
export const submitInvoices = operation(
  { needs: ['invoice.submit'], refuses: [] },
  async (context: Inside<TokenCaller>, { ids }: { ids: readonly InvoiceId[] }): Promise<readonly BatchResult[]> => {
    const outcomes = new Map<InvoiceId, Invoice | Refusal>()
    // Locked in one order, so that two batches of the same do not lock each other out.
    for (const id of [...new Set(ids)].sort())
      outcomes.set(
        id,
        await attempt(context, async (inner) =>
          queueForAuthority(inner, await lockOwnInvoice(inner.tx, inner.caller.tenant, id)),
        ),
      )
    return ids.map((id) => ({ id, outcome: outcomes.get(id) as Invoice | Refusal }))
  },
)
