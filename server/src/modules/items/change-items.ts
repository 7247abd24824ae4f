import { isDeepStrictEqual } from 'node:util'
import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Item, type ItemFields, type ItemId, resolved } from './item.ts'
import { emitItemEvent } from './item-events.ts'
import { deleteItemRow, insertItem, lockItem, saveItem } from './items.store.ts'

export const createItem = operation(
  { needs: ['item.create'], refuses: ['item.sku_taken', 'jurisdiction.unsupported', 'request.invalid'] },
  async (context: Inside<TokenCaller>, fields: ItemFields): Promise<Item> => {
    const { tx, caller, ports, now } = context
    const item: Item = {
      ...resolved(fields, jurisdictionOf(ports, caller), ports.codeLists),
      id: newId(),
      useCount: 0n,
      lastUsedAt: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    }
    if (!(await insertItem(tx, caller.tenant, item))) throw refuse('item.sku_taken')
    emitItemEvent(context, 'item.created', caller.tenant, item)
    return item
  },
)

async function getLocked({ tx, caller }: Inside<TokenCaller>, id: ItemId): Promise<Item> {
  const item = await lockItem(tx, caller.tenant, id)
  if (!item) throw refuse('resource.not_found')
  return item
}

/** An absent field stays as it is; null clears it. The type of an item cannot change. */
export const updateItem = operation(
  {
    needs: ['item.update'],
    refuses: ['resource.not_found', 'item.sku_taken', 'jurisdiction.unsupported', 'request.invalid'],
  },
  async (context: Inside<TokenCaller>, { id, change }: { id: ItemId; change: Partial<ItemFields> }): Promise<Item> => {
    const { tx, caller, ports, now } = context
    const before = await getLocked(context, id)
    if (change.itemType !== undefined && change.itemType !== before.itemType)
      throw invalid([{ path: 'itemType', rule: 'immutable', message: 'cannot be changed; create another item' }])
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const fields = resolved({ ...before, ...given }, jurisdictionOf(ports, caller), ports.codeLists, before)
    const after: Item = { ...before, ...fields }
    if (isDeepStrictEqual(after, before)) return before
    const saved = await saveItem(tx, caller.tenant, { ...after, updatedAt: now })
    if (!saved) throw refuse('item.sku_taken')
    emitItemEvent(context, 'item.updated', caller.tenant, saved)
    return saved
  },
)

/** Refused if an invoice line names the item. */
export const deleteItem = operation(
  { needs: ['item.archive'], refuses: ['resource.not_found', 'item.in_use'] },
  async (context: Inside<TokenCaller>, { id }: { id: ItemId }) => {
    const item = await getLocked(context, id)
    if (!(await deleteItemRow(context.tx, context.caller.tenant, id))) throw refuse('item.in_use')
    emitItemEvent(context, 'item.deleted', context.caller.tenant, { ...item, version: item.version + 1 })
    return { id }
  },
)

export const archiveItem = operation(
  { needs: ['item.archive'], refuses: ['resource.not_found'] },
  async (context: Inside<TokenCaller>, { id }: { id: ItemId }): Promise<Item> => {
    const { tx, caller, now } = context
    const before = await getLocked(context, id)
    if (before.archivedAt) return before
    const saved = await saveItem(tx, caller.tenant, { ...before, archivedAt: now, updatedAt: now })
    if (!saved) throw new Error('archiving took a sku')
    emitItemEvent(context, 'item.archived', caller.tenant, saved)
    return saved
  },
)

export const unarchiveItem = operation(
  { needs: ['item.archive'], refuses: ['resource.not_found', 'item.sku_taken'] },
  async (context: Inside<TokenCaller>, { id }: { id: ItemId }): Promise<Item> => {
    const { tx, caller, now } = context
    const before = await getLocked(context, id)
    if (!before.archivedAt) return before
    const saved = await saveItem(tx, caller.tenant, { ...before, archivedAt: null, updatedAt: now })
    if (!saved) throw refuse('item.sku_taken')
    emitItemEvent(context, 'item.unarchived', caller.tenant, saved)
    return saved
  },
)
