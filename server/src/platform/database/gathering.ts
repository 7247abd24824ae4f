import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from './database.ts'

/** Beyond this many, the first would wait longer than all of them gain. */
const mostTogether = 64

interface Asked<Found> {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlyMap<string, Found>>
}

/**
 * Finds by id, and asks only once for all ids of one tenant that are asked for within one turn of the process: requests that came together, such as
 * those whose group was answered together, cost one round trip. What is found may be handed to several.
 */
export function gathered<Id extends string, Found>(
  list: (db: Queryable, tenant: Tenant, ids: readonly Id[]) => Promise<ReadonlyMap<string, Found>>,
): (db: Queryable, tenant: Tenant, id: Id) => Promise<Found | undefined> {
  const asking = new WeakMap<Queryable, Map<string, Asked<Found>>>()

  function open(db: Queryable, tenant: Tenant, byTenant: Map<string, Asked<Found>>, key: string): Asked<Found> {
    const ids = new Set<string>()
    const found = new Promise<ReadonlyMap<string, Found>>((resolve) => {
      setImmediate(() => {
        if (byTenant.get(key) === asked) byTenant.delete(key)
        resolve(list(db, tenant, [...ids] as Id[]))
      })
    })
    const asked = { ids, found }
    byTenant.set(key, asked)
    return asked
  }

  return async (db, tenant, id) => {
    const byTenant = asking.get(db) ?? new Map<string, Asked<Found>>()
    asking.set(db, byTenant)
    const key = `${tenant.organisationId} ${tenant.mode}`
    const known = byTenant.get(key)
    const asked = known && known.ids.size < mostTogether ? known : open(db, tenant, byTenant, key)
    asked.ids.add(id)
    return (await asked.found).get(id)
  }
}
