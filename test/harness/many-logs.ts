import { newId, type OrganisationId } from '../../server/src/kernel/ids.ts'
import type { Consumer } from '../../server/src/platform/background/consumer.ts'
import { startConsumers } from '../../server/src/platform/background/consumers.ts'
import { eventCounts } from '../../server/src/platform/background/count-events.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp } from './app.ts'
import { createTestDatabase } from './database.ts'

const noting: Consumer = {
  name: 'many-logs',
  on: ['buyer.updated'],
  pool: 'work',
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 5,
  take: async ({ tx }, events) => {
    await tx.run(sql`
      insert into seen (organisation_id, position)
      select * from unnest(${events.map(({ organisationId }) => organisationId)}::uuid[], ${events.map(({ position }) => position)}::bigint[])`)
  },
}

/** A database with many event logs, which followers read as so many processes would. */
export async function openManyLogs(followers: number) {
  const app = await startTestApp({ database: await createTestDatabase() })
  await app.stopWork()
  await app.owner.run(
    sql`create table seen (organisation_id uuid, position bigint, nth bigint generated always as identity)`,
  )
  const { runtime, runner } = app
  const loops = Array.from({ length: followers }, () =>
    startConsumers([noting, { ...eventCounts, restMs: 20 }], runtime, () => ({ runtime, runner, deadlineMs: 30_000 })),
  )
  /** Ends the rounds that are under way, and begins no other. */
  const stopFollowing = async () => void (await Promise.all(loops.map((loop) => loop.stop())))
  return {
    /** Appends events in one statement: all of one organisation, or each of a new one. */
    async append(count: number, owner?: OrganisationId): Promise<void> {
      const ids = Array.from({ length: count }, () => newId())
      const owners = Array.from({ length: count }, () => owner ?? newId<'organisation'>())
      await app.owner.run(sql`
        insert into events (organisation_id, mode, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
        select organisation_id, 'sandbox', id, 'buyer.updated', id::text, '{}', 'system', 'test', '', '', 'test', now()
          from unnest(${owners}::uuid[], ${ids}::uuid[]) as e (organisation_id, id)`)
      for (const loop of loops) loop.wake()
    },
    /** effects, and how many are repeated or out of order */
    seen: (owner?: OrganisationId) =>
      app.owner.one<{ all: number; different: number; disordered: number }>(sql`
        select count(*)::int as all, count(distinct (organisation_id, position))::int as different,
               (count(*) filter (where position < before))::int as disordered
          from (select organisation_id, position, lag(position) over (partition by organisation_id order by nth) as before from seen) as s
         where ${owner ?? null}::uuid is null or organisation_id = ${owner ?? null}::uuid`),
    async counted(): Promise<number> {
      const { n } = await app.owner.one<{ n: number }>(sql`
        select coalesce(sum(n), 0)::int as n from event_counts where span = 'day' and type = 'buyer.updated'`)
      return n
    },
    stopFollowing,
    async close() {
      await stopFollowing()
      await app.close()
    },
  }
}
