import type { Mode } from '../../../kernel/tenant.ts'
import type { Machine } from '../../../platform/operations/runner.ts'
import {
  type CollectionNotification,
  type CollectionProviderName,
  collectionProviderNames,
} from '../providers/collection-provider.ts'
import { insertNotification } from './notifications.store.ts'

export const isCollectionProvider = (name: string): name is CollectionProviderName =>
  (collectionProviderNames as readonly string[]).includes(name)

/**
 * Stores what a provider told us, once, before anything is done about it. Its signature was checked already. One statement, which
 * commits by itself: providers send very many at a time, and wait for the answer.
 */
export async function keepNotification(
  { db, bell }: Pick<Machine, 'db' | 'bell'>,
  feed: { readonly provider: CollectionProviderName; readonly mode: Mode },
  notification: CollectionNotification,
): Promise<'stored' | 'repeated'> {
  const isNew = await insertNotification(db, feed, notification)
  if (isNew) bell.ring(['money'])
  return isNew ? 'stored' : 'repeated'
}
