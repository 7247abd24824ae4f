import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { eventColumns, type ReadEvent } from '../events/log-reader.store.ts'
import { turnOf } from '../jobs/turns.ts'
import type { Consumer } from './consumer.ts'

/** A consumer that no worker has run for so long belongs to an older version. */
const forgottenAfter = '10 minutes'
/** We count at most this many unread events of a consumer. With so many, the consumer is busy in any case. */
const mostUnread = 50

type UnreadEvent = ReadEvent & { readonly consumer: string; readonly unread: number }

/**
 * Whether background work of a tenant is due or running: a job, or a consumer with unread events. A cursor that only passed events that do
 * not concern its consumer is saved late, so `wants` decides about each event. Three things do not count: work that waits after a
 * failure, mails (nothing waits for a mail), and the asking job.
 */
export async function isTenantBusy(
  db: Queryable,
  tenant: Tenant,
  askingJob: string,
  consumers: readonly Consumer[],
): Promise<boolean> {
  const { organisationId, mode } = tenant
  const hasJobs = await db.maybe(sql`
      select from jobs
       where organisation_id = ${turnOf(tenant)} and queue <> 'mail' and job <> ${askingJob} and given_up_at is null
         and (taken_by is not null or due_at <= now()) limit 1`)
  if (hasJobs) return true
  const unread = await db.rows<UnreadEvent>(sql`
      select p.consumer, n.* from consumers p
        left join consumer_cursors c on c.organisation_id = ${organisationId} and c.consumer = p.consumer
       cross join lateral (
         select ${eventColumns}, row_number() over (order by n.position)::int as unread from events n
          where n.organisation_id = ${organisationId} and n.position > coalesce(c.position, 0) and n.mode = ${mode}
            and (p.follows is null or n.type = any (p.follows)) order by n.position limit ${mostUnread}) as n
       where p.follows_seen_at > now() - ${forgottenAfter}::interval and coalesce(c.failures, 0) = 0`)
  const wantsOf = new Map(consumers.map(({ name, wants }) => [name, wants]))
  return unread.some((event) => event.unread === mostUnread || (wantsOf.get(event.consumer)?.(event) ?? true))
}

/** Whether a job of these kinds is due or running for a tenant. Jobs that wait after a failure do not count. */
export async function hasDueJob(db: Queryable, tenant: Tenant, jobs: readonly string[]): Promise<boolean> {
  const found = await db.maybe(sql`
    select from jobs
     where organisation_id = ${turnOf(tenant)} and job = any (${[...jobs]}::text[]) and given_up_at is null
       and (taken_by is not null or due_at <= now()) limit 1`)
  return found !== undefined
}
