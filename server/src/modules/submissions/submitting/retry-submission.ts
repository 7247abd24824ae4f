import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type Invoice, type InvoiceId, lockOwnInvoice, moveInvoices } from '../../invoices/index.ts'
import { obstacleToRetrying } from '../state/obstacles.ts'
import { startRetries } from '../state/submission-state.ts'
import { lockLastSubmission, saveRetry } from '../state/submissions.store.ts'

/**
 * Starts another series of attempts after the automatic ones failed. It continues from the current state: a document
 * that may have arrived is looked up before it is sent again. The credits are still held.
 */
export const retrySubmission = operation(
  { needs: ['invoice.retry'], refuses: ['resource.not_found', 'invoice.retry.not_failed', 'invoice.retry.too_many'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    // The same order as when answers are recorded; the opposite order would deadlock.
    const submission = await lockLastSubmission(tx, tenant, id)
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    const obstacle = obstacleToRetrying(invoice, submission)
    if (obstacle) throw obstacle
    if (!submission) throw refuse('invoice.retry.not_failed')
    const { moves } = startRetries(submission)
    await saveRetry(tx, tenant, { ...submission, retries: submission.retries + 1, askedBy: actorOf(caller) })
    const [moved] = await moveInvoices(context, tenant, [{ id, country: submission.country, moves }])
    if (!moved) throw refuse('invoice.retry.not_failed')
    context.wake('authority')
    return { ...invoice, status: moved.status, version: moved.version, updatedAt: now }
  },
)
