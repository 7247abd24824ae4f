import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { EndpointId } from './endpoint.ts'

/**
 * Ends deliveries to an endpoint that wait for an attempt, so many at most; says how many there were. Those that are on their way at this
 * moment end by themselves: what arrived has arrived, and what did not is not tried again.
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
       order by due_at limit ${limit} for update),
    unqueued as (delete from webhook_queue where id in (select id from waiting))
    update webhook_deliveries
       set status = 'failed', reason = 'endpoint_disabled', next_attempt_at = null, closed_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id in (select id from waiting)`)
}
