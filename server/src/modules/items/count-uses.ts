import type { Consumer } from '../../platform/events/consumer.ts'
import { addUses } from './items.store.ts'

/** How many lines name each item, as events tell it. */
export function usesOf(itemIds: readonly string[]): Record<string, number> {
  const uses: Record<string, number> = {}
  for (const id of itemIds) uses[id] = (uses[id] ?? 0) + 1
  return uses
}

/**
 * Counts how often items are used: whoever writes a line tells of it, and is not kept by a popular item. A count is behind by no more than
 * its rest and the time of a batch. One that lags behind counts on from where it was, each use once.
 */
export const itemUses: Consumer = {
  name: 'item-uses',
  on: ['invoice.created', 'invoice.updated'],
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 200,
  take: ({ tx }, events) => addUses(tx, events),
}
