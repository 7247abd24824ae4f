import type { TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  createCreditNote,
  finaliseInvoice,
  finaliseStepByStep,
  getOwnInvoice,
  type Invoice,
  type InvoiceId,
  type InvoiceSummary,
  listOpenNotes,
  lockOwnInvoice,
} from '../invoices/index.ts'
import { queueForAuthority, submitRefusals } from './submit-invoice.ts'

export interface Cancellation {
  readonly id: InvoiceId
  readonly reason: string
  /** what the note says beside */
  readonly notes: string | null
}

const cancelRefusals = ['invoice.cancel.not_accepted', 'invoice.cancel.open_notes'] as const

type Cancellable = Pick<InvoiceSummary, 'id' | 'status' | 'originalId' | 'payableMinor' | 'creditedMinor'>

/** Why an invoice cannot be cancelled; `undefined` if it can. What a draft or undecided note will come to, nobody knows yet. */
export async function obstacleToCancelling(
  db: Queryable,
  tenant: Tenant,
  { id, status, originalId, payableMinor, creditedMinor }: Cancellable,
): Promise<Refusal | undefined> {
  if (status !== 'accepted' || originalId !== null) return refuse('invoice.cancel.not_accepted')
  const notes = await listOpenNotes(db, tenant, id)
  if (notes.length === 0) return creditedMinor < payableMinor ? undefined : refuse('invoice.note.nothing_left')
  return refuse('invoice.cancel.open_notes', {
    details: notes.map(({ number, status: stands }, at) => ({
      path: `notes[${at}]`,
      rule: 'state',
      message:
        stands === 'draft'
          ? `${number} is a draft: delete it, or finalise and submit it`
          : `${number} is ${stands}: the tax authority has not decided on it yet`,
    })),
  })
}

/**
 * Takes back an accepted invoice: a credit note of all that is left on it is created, finalised and submitted. The invoice waits for
 * the authority's answer to that; a refused note makes it accepted again.
 */
export const cancelInvoice = preparedOperation(
  {
    needs: ['invoice.cancel'],
    refuses: [
      ...new Set([...createCreditNote.refuses, ...finaliseInvoice.refuses, ...submitRefusals, ...cancelRefusals]),
    ],
    inTurn: true,
  },
  (outside: Outside<TokenCaller>, { id, reason, notes }: Cancellation) =>
    createCreditNote.prepare(outside, { originalId: id, reason, notes }),
  async (context: Inside<TokenCaller>, { id }, credit): Promise<Invoice | Refusal> => {
    const { tx, caller } = context
    const { invoice } = await lockOwnInvoice(tx, caller.tenant, id)
    const obstacle = await obstacleToCancelling(tx, caller.tenant, invoice)
    if (obstacle) throw obstacle
    const note = await credit(context)
    if (note instanceof Refusal) throw note
    await finaliseStepByStep(context, note)
    await queueForAuthority(context, await lockOwnInvoice(tx, caller.tenant, note.id), id)
    return await getOwnInvoice(tx, caller.tenant, id)
  },
)
