import type { TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { attempt } from '../../platform/operations/attempt.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { type BuyerId, deleteBuyer } from '../buyers/index.ts'
import { deleteDraft, type InvoiceId } from '../invoices/index.ts'
import { deleteItem, type ItemId } from '../items/index.ts'
import type { ImportKind } from './columns.ts'
import type { KeptRecord, RecordOutcome } from './imports.store.ts'

const inUse = () => refuse('state.changed', { message: 'An invoice names it by now, so it stays.' })

/** Deletes what an import made. What is in use by now, or no draft any more, stays and says why; what is gone already is as it should be. */
export async function takeBack(
  context: Inside<TokenCaller>,
  kind: ImportKind,
  record: KeptRecord,
): Promise<RecordOutcome | Refusal> {
  const outside = { ...context, db: context.tx, throttle: async () => {} }
  const undone: RecordOutcome = { row: record.row, status: 'undone', objectId: record.objectId, faults: [] }
  const id = record.objectId
  const ended = await attempt(context, async (inner) => {
    if (kind === 'items') return await (await deleteItem.prepare(outside, { id: id as ItemId }))(inner)
    if (kind === 'invoices') return await (await deleteDraft.prepare(outside, { id: id as InvoiceId }))(inner)
    const deleted = await (await deleteBuyer.prepare(outside, { id: id as BuyerId }))(inner)
    // One that an invoice names would be archived: that is more than was asked for.
    return !(deleted instanceof Refusal) && deleted.outcome === 'archived' ? inUse() : deleted
  })
  return ended instanceof Refusal && ended.refusal !== 'resource.not_found' ? ended : undone
}
