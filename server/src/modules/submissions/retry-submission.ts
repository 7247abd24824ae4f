import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { actorOf } from '../../platform/operations/actors.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type Invoice, type InvoiceId, lockOwnInvoice, moveInvoices } from '../invoices/index.ts'
import { retried } from './machine.ts'
import { obstacleToRetrying } from './obstacles.ts'
import { lockLastSubmission, saveRetry } from './submissions.store.ts'

/**
 * Asks for another round of attempts after those that were made by themselves led nowhere. It goes on from where it stands: what may
 * have arrived is looked up, and never sent again before that. The credits are still set aside.
 */
export const retrySubmission = operation(
  { needs: ['invoice.retry'], refuses: ['resource.not_found', 'invoice.retry.not_failed', 'invoice.retry.too_many'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    // In the order in which answers are taken in: the other way round, each would wait for the other.
    const submission = await lockLastSubmission(tx, tenant, id)
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    const obstacle = obstacleToRetrying(invoice, submission)
    if (obstacle) throw obstacle
    if (!submission) throw refuse('invoice.retry.not_failed')
    const { moves } = retried(submission)
    await saveRetry(tx, tenant, { ...submission, retries: submission.retries + 1, askedBy: actorOf(caller) })
    const [moved] = await moveInvoices(context, tenant, [{ id, country: submission.country, moves }])
    if (!moved) throw refuse('invoice.retry.not_failed')
    context.wake('authority')
    return { ...invoice, status: moved.status, version: moved.version, updatedAt: now }
  },
)
