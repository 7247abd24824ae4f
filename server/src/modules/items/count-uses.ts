import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { ItemId } from './item.ts'
import { insertItemUses, rollUpUses } from './items.store.ts'

/** Notes that lines were made from items, in the transaction that makes them. */
export async function noteUses(
  { tx, now }: Pick<Inside<Caller>, 'tx' | 'now'>,
  tenant: Tenant,
  itemIds: readonly ItemId[],
): Promise<void> {
  if (itemIds.length === 0) return
  const uses = new Map<ItemId, number>()
  for (const id of itemIds) uses.set(id, (uses.get(id) ?? 0) + 1)
  await insertItemUses(tx, tenant, uses, now)
}

/** Moves noted uses into the items' own counts, a batch at a time; says how many it took. */
export const countUses = operation({ needs: [], refuses: [] }, async ({ tx }: Inside<Caller>) => rollUpUses(tx, 5_000))
