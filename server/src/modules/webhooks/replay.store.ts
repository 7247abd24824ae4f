import type { EventType } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { EndpointId } from './endpoint.ts'

interface MissedDelivery {
  readonly id: string
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  readonly createdAt: Date
}

/** Opens deliveries that were stopped with the endpoint, so many at most; says how many there were. */
export async function reopenStopped(
  tx: Tx,
  { organisationId, mode }: Tenant,
  endpointId: EndpointId,
  since: Date,
  limit: number,
): Promise<number> {
  const { opened } = await tx.one<{ opened: number }>(sql`
    with opened as (
      update webhook_deliveries
         set status = 'pending', failed = 0, reason = null, closed_at = null, next_attempt_at = now()
       where organisation_id = ${organisationId} and mode = ${mode} and id in (
         select id from webhook_deliveries
          where organisation_id = ${organisationId} and mode = ${mode} and endpoint_id = ${endpointId}
            and status = 'failed' and reason = 'endpoint_disabled' and closed_at >= ${since} limit ${limit})
      returning id),
    queued as (
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
      select id, ${organisationId}, ${mode}, ${endpointId}, now() from opened on conflict (id) do nothing)
    select count(*)::int as opened from opened`)
  return opened
}

/** Deliveries that were not made. What there is already is left alone. */
export async function insertMissed(
  tx: Tx,
  { organisationId, mode }: Tenant,
  endpointId: EndpointId,
  missed: readonly MissedDelivery[],
): Promise<void> {
  if (missed.length === 0) return
  await tx.run(sql`
    with told as (
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, next_attempt_at, created_at)
      select ${organisationId}, ${mode}, i, ${endpointId}, v, t, b, 'pending', now(), c
        from unnest(${missed.map(({ id }) => id)}::uuid[], ${missed.map(({ eventId }) => eventId)}::uuid[],
                    ${missed.map(({ type }) => type)}::text[], ${missed.map(({ body }) => body)}::text[],
                    ${missed.map(({ createdAt }) => createdAt)}::timestamptz[]) as r (i, v, t, b, c)
      on conflict do nothing
      returning id)
    insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
    select id, ${organisationId}, ${mode}, ${endpointId}, now() from told on conflict (id) do nothing`)
}
