import type { EventType } from '../../../kernel/events.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { EndpointId } from '../endpoints/endpoint.ts'
import { type DeliveryId, mostAttempts } from './delivery.ts'
import type { RedeliverFailedPayload } from './redeliver-failed-job.ts'

interface MissedDelivery {
  readonly id: string
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  readonly createdAt: Date
}

/** Reopens deliveries that were stopped with the endpoint, up to a limit. Returns their number. */
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

const dayMs = 86_400_000

/**
 * Failed deliveries, by the index of failures. Ids begin with the event's time by the machine's clock, which can differ
 * slightly from the stored time. So the index is entered a day early.
 */
function failedOf(
  { organisationId, mode }: Tenant,
  { endpointId, types, since, until, after }: RedeliverFailedPayload,
): Sql {
  const first = firstIdAt(Math.max(0, Date.parse(since) - dayMs))
  return sql`
    organisation_id = ${organisationId} and mode = ${mode} and endpoint_id = ${endpointId}
      and id >= ${first}::uuid and (${after ?? null}::uuid is null or id > ${after ?? null}::uuid) and created_at >= ${new Date(since)}
      and reason in ('attempts_exhausted', 'gone', 'endpoint_disabled') and status = 'failed' and closed_at <= ${new Date(until)}
      and not is_test and attempts < ${mostAttempts} and type = any (${types}::text[])`
}

/** Counted up to `most`. */
export async function countFailed(
  tx: Tx,
  tenant: Tenant,
  failed: RedeliverFailedPayload,
  most: number,
): Promise<number> {
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from (select from webhook_deliveries where ${failedOf(tenant, failed)} limit ${most}) as those`)
  return count
}

export interface ReopenedDeliveries {
  readonly count: number
  /** The last delivery that was checked. Null at the end. */
  readonly last: DeliveryId | null
}

/**
 * Queues failed deliveries again, oldest first, and checks `limit` of them. One that was reopened meanwhile is no
 * longer failed.
 */
export function reopenFailed(
  tx: Tx,
  tenant: Tenant,
  failed: RedeliverFailedPayload,
  limit: number,
): Promise<ReopenedDeliveries> {
  const { organisationId, mode } = tenant
  const { endpointId } = failed
  return tx.one(sql`
    with chosen as materialized (select id from webhook_deliveries where ${failedOf(tenant, failed)} order by id limit ${limit}),
    opened as (
      update webhook_deliveries
         set status = 'pending', is_manual = false, failed = 0, reason = null, closed_at = null, next_attempt_at = now()
       where organisation_id = ${organisationId} and mode = ${mode} and id in (select id from chosen) and status = 'failed'
      returning id),
    queued as (
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
      select id, ${organisationId}, ${mode}, ${endpointId}, now() from opened
      on conflict (id) do update set due_at = excluded.due_at, taken_by = null)
    select (select count(*)::int from opened) as count, (select id from chosen order by id offset ${limit - 1} limit 1) as last`)
}

/** Creates missing deliveries. Existing ones stay untouched. */
export async function insertMissed(
  tx: Tx,
  { organisationId, mode }: Tenant,
  endpointId: EndpointId,
  missed: readonly MissedDelivery[],
): Promise<void> {
  if (missed.length === 0) return
  await tx.run(sql`
    with inserted as (
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, next_attempt_at, created_at)
      select ${organisationId}, ${mode}, i, ${endpointId}, v, t, b, 'pending', now(), c
        from unnest(${missed.map(({ id }) => id)}::uuid[], ${missed.map(({ eventId }) => eventId)}::uuid[],
                    ${missed.map(({ type }) => type)}::text[], ${missed.map(({ body }) => body)}::text[],
                    ${missed.map(({ createdAt }) => createdAt)}::timestamptz[]) as r (i, v, t, b, c)
      on conflict do nothing
      returning id)
    insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
    select id, ${organisationId}, ${mode}, ${endpointId}, now() from inserted on conflict (id) do nothing`)
}
