import type { Mode } from '../../kernel/tenant.ts'
import type { Consumer } from '../../platform/background/consumer.ts'
import type { ReadEvent } from '../../platform/events/log-reader.store.ts'
import { addUses, type ItemUse } from './items.store.ts'

/** Number of lines per item, for the payload of an event. */
export function usesOf(itemIds: readonly string[]): Record<string, number> {
  const uses: Record<string, number> = {}
  for (const id of itemIds) uses[id] = (uses[id] ?? 0) + 1
  return uses
}

const usesIn = ({ data }: ReadEvent) => Object.entries((data.itemUses ?? {}) as Record<string, number>)

/** Uses of each item in a batch of events. */
function usesInBatch(events: readonly ReadEvent[]): ItemUse[] {
  const used = new Map<string, ItemUse>()
  for (const event of events)
    for (const [itemId, uses] of usesIn(event)) {
      const { organisationId, mode, createdAt } = event
      const key = `${organisationId} ${mode} ${itemId}`
      const known = used.get(key)
      used.set(key, {
        organisationId,
        mode: mode as Mode,
        itemId,
        uses: (known?.uses ?? 0) + uses,
        usedAt: known && known.usedAt > createdAt ? known.usedAt : createdAt,
      })
    }
  return [...used].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use)
}

/**
 * Counts uses from events, so that invoices do not wait for the row of a popular item. A count is late by the pause and
 * the duration of a batch. After a delay the consumer continues at its cursor and counts each use once.
 */
export const itemUses: Consumer = {
  name: 'item-uses',
  on: ['invoice.created', 'invoice.updated'],
  wants: (event) => usesIn(event).length > 0,
  pool: 'lists',
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 200,
  take: ({ tx }, events) => addUses(tx, usesInBatch(events)),
}
