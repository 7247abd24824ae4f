import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from './database.ts'

/** Beyond this many, the first would wait longer than all of them gain. */
const mostTogether = 64

interface Asked<Found> {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlyMap<string, Found>>
}

/** What one tenant asks for by one way to the database. */
interface Asking<Found> {
  /** those who are asked for next */
  next: Asked<Found> | undefined
  /** ends when what is asked for now was found or not */
  underWay: Promise<unknown> | undefined
}

/**
 * Finds by id, and asks once for all ids of one tenant that are asked for within one turn of the process, or while others of it are being found: requests
 * that came together, such as those whose group was answered together, cost one round trip. What is found may be handed to several.
 */
export function gathered<Id extends string, Found>(
  list: (db: Queryable, tenant: Tenant, ids: readonly Id[]) => Promise<ReadonlyMap<string, Found>>,
): (db: Queryable, tenant: Tenant, id: Id) => Promise<Found | undefined> {
  const asking = new WeakMap<Queryable, Map<string, Asking<Found>>>()

  function open(db: Queryable, tenant: Tenant, own: Asking<Found>, forget: () => void): Asked<Found> {
    const ids = new Set<string>()
    const found = (own.underWay ?? nextTurn()).then(() => {
      if (own.next === asked) own.next = undefined
      return list(db, tenant, [...ids] as Id[])
    })
    const asked = { ids, found }
    const over = found.then(ignore, ignore).then(() => {
      if (own.underWay === over) forget()
    })
    own.underWay = over
    return asked
  }

  return async (db, tenant, id) => {
    const byTenant = asking.get(db) ?? new Map<string, Asking<Found>>()
    asking.set(db, byTenant)
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
