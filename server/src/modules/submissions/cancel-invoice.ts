import type { TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  createCreditNote,
  finaliseInvoice,
  finaliseStepByStep,
  getOwnInvoice,
  type Invoice,
  type InvoiceId,
  lockOwnInvoice,
} from '../invoices/index.ts'
import { queueForAuthority, submitRefusals } from './submit-invoice.ts'

export interface Cancellation {
  readonly id: InvoiceId
  readonly reason: string
  /** what the note says beside */
  readonly notes: string | null
}

/**
 * Takes back an accepted invoice: a credit note of all that is left on it is created, finalised and submitted. The invoice waits for
 * the authority's answer to that; a refused note makes it accepted again.
 */
export const cancelInvoice = preparedOperation(
  {
    needs: ['invoice.cancel'],
    refuses: [
      ...new Set([
        ...createCreditNote.refuses,
        ...finaliseInvoice.refuses,
        ...submitRefusals,
        'invoice.cancel.not_accepted' as const,
      ]),
    ],
    inTurn: true,
  },
  (outside: Outside<TokenCaller>, { id, reason, notes }: Cancellation) =>
    createCreditNote.prepare(outside, { originalId: id, reason, notes }),
  async (context: Inside<TokenCaller>, { id }, credit): Promise<Invoice | Refusal> => {
    const { tx, caller } = context
    const { invoice } = await lockOwnInvoice(tx, caller.tenant, id)
    if (invoice.status !== 'accepted' || invoice.originalId !== null) throw refuse('invoice.cancel.not_accepted')
    const note = await credit(context)
    if (note instanceof Refusal) throw note
    await finaliseStepByStep(context, note)
    await queueForAuthority(context, await lockOwnInvoice(tx, caller.tenant, note.id), id)
    return await getOwnInvoice(tx, caller.tenant, id)
  },
)
