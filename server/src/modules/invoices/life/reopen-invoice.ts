import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { saveCredited } from '../crediting/save-credited.ts'
import { counts } from '../derived-statuses.ts'
import type { Invoice, InvoiceId, InvoiceSummary } from '../invoice.ts'
import { emitInvoiceEvent } from '../invoice-events.ts'
import { deleteIssuedParties, saveReopened } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'
import { getOwnInvoice } from '../read-invoices.ts'
import { statusAfter } from '../status-moves.ts'
import { findTies } from './ties.store.ts'

type Reopenable = Pick<InvoiceSummary, 'id' | 'status' | 'authorityReference' | 'sentAt' | 'sharedAt'>

/**
 * Why a document cannot be reopened. A rejected document can always be corrected, even if it was sent, shared or
 * paid: otherwise it could never be reported. The same holds for a note of a rejected invoice, because the note
 * blocks its invoice. Any other document must not have been seen by anybody.
 */
async function obstaclesToReopening(db: Queryable, tenant: Tenant, invoice: Reopenable): Promise<Fault[]> {
  const { id, status, authorityReference, sentAt, sharedAt } = invoice
  const { notes, originalStatus, paidMinor } = await findTies(db, tenant, id)
  const isToBeMended = status === 'rejected' || originalStatus === 'rejected'
  const obstacle = (path: string, message: string): Fault => ({ path, rule: 'state', message })
  const obstacles: Fault[] = []
  if (!statusAfter(status, 'reopen'))
    obstacles.push(obstacle('status', `is ${status}; correct the invoice with a note`))
  if (authorityReference !== null)
    obstacles.push(
      obstacle('authorityReference', 'the tax authority has registered the invoice; correct it with a note'),
    )
  if (sentAt && !isToBeMended)
    obstacles.push(obstacle('sentAt', 'the invoice was sent to the buyer; correct it with a note'))
  if (sharedAt && !isToBeMended)
    obstacles.push(obstacle('sharedAt', 'the invoice was shared by a link; correct it with a note'))
  if (paidMinor > 0n && !isToBeMended)
    obstacles.push(obstacle('paidMinor', 'the invoice has payments; reverse them first'))
  if (notes > 0)
    obstacles.push(obstacle('creditedMinor', 'the invoice has notes; reopen them and delete their drafts first'))
  return obstacles
}

/** Whether `reopen` would be allowed, by the same rule. */
export const canReopen = async (db: Queryable, tenant: Tenant, invoice: Reopenable): Promise<boolean> =>
  statusAfter(invoice.status, 'reopen') !== undefined && (await obstaclesToReopening(db, tenant, invoice)).length === 0

/**
 * Makes a document a draft again. Its number stays, and so does its day of issue if it was submitted. Payments stay
 * on it and count against the corrected document. Recipients of the document, and visitors of its link, get the new
 * version when it is finalised.
 */
export async function reopenInTransaction(
  context: Inside<TokenCaller>,
  { id }: { readonly id: InvoiceId },
): Promise<Invoice> {
  const { tx, caller, now } = context
  const { tenant } = caller
  const { invoice, original } = await lockOwnInvoice(tx, tenant, id)
  const details = await obstaclesToReopening(tx, tenant, invoice)
  if (details.length > 0) throw refuse('invoice.reopen.not_possible', { details })
  const reopened = await saveReopened(tx, tenant, {
    ...invoice,
    status: 'draft',
    // A draft has reached nobody.
    delivery: 'none',
    sellerCopy: null,
    buyerCopy: null,
    letterheadCopy: null,
    homeTax: null,
    finalisedAt: null,
    reportDueAt: null,
    updatedAt: now,
  })
  await deleteIssuedParties(tx, tenant, id)
  // A rejected note does not count already.
  if (original && counts(invoice)) await saveCredited(context, original, reopened, -reopened.payableMinor)
  emitInvoiceEvent(context, 'invoice.reopened', tenant, reopened)
  // The draft shows its current buyer again.
  return await getOwnInvoice(tx, tenant, id)
}
