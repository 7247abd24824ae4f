import type { TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { tryPart } from '../../platform/operations/try-part.ts'
import { type BuyerId, deleteBuyer, findBuyer } from '../buyers/index.ts'
import { deleteDraft, type InvoiceId, lockOwnInvoice } from '../invoices/index.ts'
import { deleteItem, type ItemId, listItemsById } from '../items/index.ts'
import type { ImportKind } from './columns.ts'
import type { KeptRecord, RecordOutcome } from './imports.store.ts'

const inUse = () => refuse('state.changed', { message: 'The record was kept because an invoice uses it.' })
const changed = () =>
  refuse('state.changed', { message: 'The record was kept because it has changed since the import.' })

/** The current version; a new record has version 1. `undefined` if it is gone. */
async function versionOf(
  { tx, caller }: Inside<TokenCaller>,
  kind: ImportKind,
  id: string,
): Promise<number | undefined> {
  const { tenant } = caller
  if (kind === 'buyers') return (await findBuyer(tx, tenant, id as BuyerId))?.version
  if (kind === 'items') return (await listItemsById(tx, tenant, [id as ItemId]))[0]?.version
  return (await lockOwnInvoice(tx, tenant, id as InvoiceId)).invoice.version
}

/**
 * Deletes what an import created. Changed or used records, and invoices that are no drafts any more, stay with the
 * reason. A record that is already gone counts as deleted.
 */
export async function takeBack(
  context: Inside<TokenCaller>,
  kind: ImportKind,
  record: KeptRecord,
): Promise<RecordOutcome | Refusal> {
  const outside = { ...context, db: context.tx, throttle: async () => {} }
  const undone: RecordOutcome = { row: record.row, status: 'undone', objectId: record.objectId, faults: [] }
  const id = record.objectId
  const ended = await tryPart(context, async (inner) => {
    if (((await versionOf(inner, kind, String(id))) ?? 1) > 1) return changed()
    if (kind === 'items') return await (await deleteItem.prepare(outside, { id: id as ItemId }))(inner)
    if (kind === 'invoices') return await (await deleteDraft.prepare(outside, { id: id as InvoiceId }))(inner)
    const deleted = await (await deleteBuyer.prepare(outside, { id: id as BuyerId }))(inner)
    // A buyer on an invoice would be archived, which is more than an undo.
    return !(deleted instanceof Refusal) && deleted.outcome === 'archived' ? inUse() : deleted
  })
  return ended instanceof Refusal && ended.refusal !== 'resource.not_found' ? ended : undone
}
