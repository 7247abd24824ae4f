import type { TokenCaller } from '../../../kernel/callers.ts'
import { Refusal, refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import {
  createCreditNote,
  finaliseInTransaction,
  finaliseInvoice,
  getOwnInvoice,
  type Invoice,
  type InvoiceId,
  lockOwnInvoice,
} from '../../invoices/index.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import { obstacleToCancelling } from '../state/obstacles.ts'
import { queueForAuthority, submitRefusals } from './submit-invoice.ts'

export interface Cancellation {
  readonly id: InvoiceId
  readonly reason: string
  /** free text on the credit note */
  readonly notes: string | null
}

const cancelRefusals = [
  'invoice.cancel.not_offered',
  'invoice.cancel.not_accepted',
  'invoice.cancel.open_notes',
] as const

/**
 * Cancels an accepted invoice: creates, finalises and submits a credit note for all that is left on it. The invoice
 * waits for the authority's answer. If the authority rejects the note, the invoice becomes accepted again.
 */
export const cancelInvoice = preparedOperation(
  {
    needs: ['invoice.cancel'],
    refuses: [
      ...new Set([...createCreditNote.refuses, ...finaliseInvoice.refuses, ...submitRefusals, ...cancelRefusals]),
    ],
    inTurn: true,
  },
  async (outside: Outside<TokenCaller>, { id, reason, notes }: Cancellation) => {
    if (!jurisdictionOf(outside.ports, outside.caller).reporting.canCancel) throw refuse('invoice.cancel.not_offered')
    return await createCreditNote.prepare(outside, { originalId: id, reason, notes })
  },
  async (context: Inside<TokenCaller>, { id }, credit): Promise<Invoice | Refusal> => {
    const { tx, caller } = context
    const { invoice } = await lockOwnInvoice(tx, caller.tenant, id)
    const obstacle = await obstacleToCancelling(tx, caller.tenant, invoice)
    if (obstacle) throw obstacle
    const note = await credit(context)
    if (note instanceof Refusal) throw note
    await finaliseInTransaction(context, note)
    await queueForAuthority(context, await lockOwnInvoice(tx, caller.tenant, note.id), id)
    return await getOwnInvoice(tx, caller.tenant, id)
  },
)
