import type { Mode } from '../../../kernel/tenant.ts'
import type { Runtime } from '../../../platform/operations/runner.ts'
import {
  type CollectionNotification,
  type CollectionProviderName,
  collectionProviderNames,
} from '../providers/collection-provider.ts'
import { insertNotification } from './notifications.store.ts'

export const isCollectionProvider = (name: string): name is CollectionProviderName =>
  (collectionProviderNames as readonly string[]).includes(name)

/**
 * Stores a notification once, before any work is done for it. The caller has checked its signature. A single statement
 * commits by itself: providers send many at once and wait for the reply.
 */
export async function keepNotification(
  { db, wakeUp }: Pick<Runtime, 'db' | 'wakeUp'>,
  feed: { readonly provider: CollectionProviderName; readonly mode: Mode },
  notification: CollectionNotification,
): Promise<'stored' | 'repeated'> {
  const isNew = await insertNotification(db, feed, notification)
  if (isNew) wakeUp.send(['money'])
  return isNew ? 'stored' : 'repeated'
}
