import { newId } from '../../server/src/kernel/ids.ts'
import type { Tenant } from '../../server/src/kernel/tenant.ts'
import { takeUpChanges } from '../../server/src/modules/invoices/listing/follow.store.ts'
import { invoiceLists } from '../../server/src/modules/invoices/listing/follow-invoices.ts'
import type { Database, Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { eventually } from './eventually.ts'
import { followLog } from './follow-log.ts'

/** Emits the events for invoices that a test created or changed directly in the tables. */
export async function emitChanges(
  db: Queryable,
  { organisationId, mode }: Tenant,
  ids: readonly string[],
  type: 'invoice.created' | 'invoice.updated' = 'invoice.updated',
) {
  await db.run(sql`
    insert into events (organisation_id, mode, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    select ${organisationId}, ${mode}, e.id, ${type}, e.invoice_id, '{}', 'system', 'test', '', '', 'test', now()
      from unnest(${ids.map(() => newId())}::uuid[], ${ids}::text[]) as e (id, invoice_id)`)
}

/**
 * Lets the list consumer read up to `limit` events. Returns how many were about invoices, or `undefined` if there were
 * no events.
 */
export const followLists = (db: Database, limit: number): Promise<number | undefined> =>
  followLog(db, invoiceLists, limit, takeUpChanges)

/** Runs until all events are consumed. Open transactions of other tests can delay the last events for a moment. */
export async function followAllLists(db: Database, limit: number): Promise<void> {
  await eventually(async () => {
    while ((await followLists(db, limit)) !== undefined);
    if ((await unfollowed(db)) > 0) throw new Error('not all of the changes can be read yet')
  })
}

/** The number of events that the list consumer has not read. */
export const unfollowed = async (db: Queryable): Promise<number> =>
  (
    await db.one<{ n: number }>(sql`
      select count(*)::int as n from events e left join consumer_cursors c
          on c.organisation_id = e.organisation_id and c.consumer = 'invoice-lists'
       where e.position > coalesce(c.position, 0) and starts_with(e.type, 'invoice.')`)
  ).n
