import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from './database.ts'

/** Ids in one query; with more, the first caller waits longer than the batch saves. */
const mostTogether = 64

interface PendingBatch<Row> {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlyMap<string, Row>>
}

/** Lookups of one tenant over one database connection or pool. */
interface TenantBatches<Row> {
  /** the batch that is still open for more ids */
  next: PendingBatch<Row> | undefined
  /** ends when the running query has ended */
  underWay: Promise<unknown> | undefined
}

/**
 * Batch loader: concurrent lookups of one tenant share a query. Ids that arrive while a query of the tenant is running form the next
 * batch. Several callers may get the same object.
 */
export function batchLoader<Id extends string, Row>(
  list: (db: Queryable, tenant: Tenant, ids: readonly Id[]) => Promise<ReadonlyMap<string, Row>>,
): (db: Queryable, tenant: Tenant, id: Id) => Promise<Row | undefined> {
  const batchesByDatabase = new WeakMap<Queryable, Map<string, TenantBatches<Row>>>()

  function open(db: Queryable, tenant: Tenant, own: TenantBatches<Row>, forget: () => void): PendingBatch<Row> {
    const ids = new Set<string>()
    const found = (own.underWay ?? nextTurn()).then(() => {
      if (own.next === batch) own.next = undefined
      return list(db, tenant, [...ids] as Id[])
    })
    const batch = { ids, found }
    const over = found.then(ignore, ignore).then(() => {
      if (own.underWay === over) forget()
    })
    own.underWay = over
    return batch
  }

  return async (db, tenant, id) => {
    const byTenant = batchesByDatabase.get(db) ?? new Map<string, TenantBatches<Row>>()
    batchesByDatabase.set(db, byTenant)
    const key = `${tenant.organisationId} ${tenant.mode}`
    const own = byTenant.get(key) ?? { next: undefined, underWay: undefined }
    byTenant.set(key, own)
    if (!own.next || own.next.ids.size >= mostTogether) own.next = open(db, tenant, own, () => byTenant.delete(key))
    own.next.ids.add(id)
    return (await own.next.found).get(id)
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
const ignore = () => {}
