import type { EventType } from '../../../kernel/events.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { EndpointId } from './endpoint.ts'

/**
 * Ends waiting deliveries of an endpoint, up to a limit. Returns their number. Attempts under way end by themselves and
 * are not retried.
 */
export function stopOpenDeliveries(
  db: Queryable,
  { organisationId, mode }: Tenant,
  endpointId: EndpointId,
  limit: number,
  now: Date,
): Promise<number> {
  return db.run(sql`
    with waiting as materialized (
      select id from webhook_queue
       where endpoint_id = ${endpointId} and organisation_id = ${organisationId} and mode = ${mode} and (taken_by is null or due_at <= now())
       order by due_at limit ${limit} for no key update),
    unqueued as (delete from webhook_queue where id in (select id from waiting))
    update webhook_deliveries
       set status = 'failed', reason = 'endpoint_disabled', next_attempt_at = null, closed_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id in (select id from waiting)`)
}

/**
 * Ends waiting deliveries of types that the endpoint may no longer receive, up to a limit. The next claim from the
 * queue ends the rest. Tests hold no real data.
 */
export async function withdrawDeliveries(
  tx: Tx,
  { organisationId, mode }: Tenant,
  endpointId: EndpointId,
  types: readonly EventType[],
  limit: number,
  now: Date,
): Promise<void> {
  const isWaiting = sql`
    q.endpoint_id = ${endpointId} and q.organisation_id = ${organisationId} and q.mode = ${mode} and (q.taken_by is null or q.due_at <= now())`
  // No part locks rows: Citus would lose those that it joins. The delete checks again what a dispatcher has taken meanwhile.
  await tx.run(sql`
    with lost as materialized (
      select d.id from webhook_deliveries d
       where d.organisation_id = ${organisationId} and d.mode = ${mode} and d.type = any (${types}::text[]) and not d.is_test
         and d.id = any (array(select q.id from webhook_queue q where ${isWaiting})) limit ${limit}),
    unqueued as (delete from webhook_queue q where ${isWaiting} and q.id in (select id from lost) returning q.id)
    update webhook_deliveries
       set status = 'failed', reason = 'not_entitled', next_attempt_at = null, closed_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id in (select id from unqueued)`)
}
