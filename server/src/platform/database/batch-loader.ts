import type { Tenant } from '../../kernel/tenant.ts'
import { type Batcher, createBatcher } from './batcher.ts'
import type { Queryable } from './database.ts'

/** Ids in one query; with more, the first caller waits longer than the batch saves. */
const mostTogether = 64

/**
 * Batch loader: concurrent lookups of one tenant share a query. Ids that arrive while a query of the tenant is running form the next
 * batch. Several callers may get the same object.
 */
export function batchLoader<Id extends string, Row>(
  list: (db: Queryable, tenant: Tenant, ids: readonly Id[]) => Promise<ReadonlyMap<string, Row>>,
): (db: Queryable, tenant: Tenant, id: Id) => Promise<Row | undefined> {
  type Lookups = Batcher<Id, ReadonlyMap<string, Row>>
  const lookupsByDatabase = new WeakMap<Queryable, Map<string, Lookups>>()

  return async (db, tenant, id) => {
    const byTenant = lookupsByDatabase.get(db) ?? new Map<string, Lookups>()
    lookupsByDatabase.set(db, byTenant)
    const key = `${tenant.organisationId} ${tenant.mode}`
    let lookups = byTenant.get(key)
    if (!lookups) {
      const onIdle = () => void byTenant.delete(key)
      lookups = createBatcher((ids) => list(db, tenant, [...new Set(ids)]), { mostTogether, onIdle })
      byTenant.set(key, lookups)
    }
    return (await lookups.add(id)).get(id)
  }
}
