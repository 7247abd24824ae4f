import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemCaller } from '../../server/src/kernel/callers.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { origin, startTestApp } from './app.ts'
import { seeded } from './chance.ts'
import { createTestDatabase } from './database.ts'
import { tellingOf } from './event-emitting.ts'
import { launch, makeKeyFile, type ServerProcess, withoutDemo } from './processes.ts'

/** Settings of one process of the fault programme (`event-followers.ts`). */
export interface Follower {
  /** name under which the process records what it saw */
  readonly name: string
  /** consumers of this process, with the batch size of each */
  readonly consumers: Readonly<Record<string, number>>
  /** emits events until the total is this number */
  readonly tellsUntil: number
  readonly seed: number
  /** probability of a death between the effects of a batch and its cursor */
  readonly falls: number
}

/** A database on which several processes emit and consume events, with queries for the results. */
export async function openEventStorm() {
  const database = await createTestDatabase()
  const app = await startTestApp({ database })
  await app.stopWork()
  const { db } = app.runtime
  const { organisationId } = await app.person()
  await app.owner.run(
    sql`create table seen (consumer text, event_id uuid, seen_by text, nth bigint generated always as identity)`,
  )
  const env = {
    DATABASE_URL: database.url,
    SECRETS_FILE: await makeKeyFile(),
    STORM_ORGANISATION: organisationId,
    ...withoutDemo,
  }
  return {
    async start({ name, consumers, tellsUntil, seed, falls }: Follower): Promise<ServerProcess> {
      const own = {
        STORM_NAME: name,
        STORM_CONSUMERS: JSON.stringify(consumers),
        STORM_EVENTS: String(tellsUntil),
        STORM_SEED: String(seed),
        STORM_FALLS: String(falls),
      }
      const program = join(import.meta.dirname, 'event-followers.ts')
      const one = await launch({ program, env: { ...env, ...own } })
      await one.said(/tells and follows/)
      return one
    },
    /** Emits a few events at a time from this process until the signal. */
    async tell(seed: number, until: AbortSignal): Promise<void> {
      const chance = seeded(seed)
      const telling = tellingOf(organisationId, chance)
      while (!until.aborted) {
        await app.runner.run(telling, { caller: systemCaller, origin, input: 1 + Math.floor(chance() * 5) })
        await wait(chance() * 100)
      }
    },
    /** Emits one event. A consumer that has taken it repeats none before it. */
    tellOne: () =>
      app.runner.run(
        tellingOf(organisationId, () => 0),
        { caller: systemCaller, origin, input: 1 },
      ),
    /** number of emitted events, of their effects and of events that the service has counted */
    counts: () =>
      db.one<{ told: number; seen: number; counted: number }>(sql`
        select (select count(*)::int from events where organisation_id = ${organisationId} and type = 'buyer.updated') as told,
               (select count(*)::int from seen) as seen,
               (select coalesce(sum(n), 0)::int from event_counts
                 where organisation_id = ${organisationId} and span = 'day' and type = 'buyer.updated') as counted`),
    async seenBy(process: string, consumer: string): Promise<number> {
      const { many } = await db.one<{ many: number }>(
        sql`select count(*)::int as many from seen where seen_by = ${process} and consumer = ${consumer}`,
      )
      return many
    },
    /** for each consumer, how many effects are missing or repeated */
    effects: () =>
      db.rows(sql`
        with told as (
          select id, position as place from events
           where organisation_id = ${organisationId} and type = 'buyer.updated'),
        noted as (
          select s.consumer, s.event_id, t.place, lag(t.place) over (partition by s.consumer order by s.nth) as before
            from seen s left join told t on t.id = s.event_id)
        select consumer, count(*)::int as seen, count(distinct event_id)::int as different, (count(*) filter (where place is null))::int as unknown,
               (count(*) filter (where place < before))::int as disordered
          from noted group by consumer order by consumer`),
    close: () => app.close(),
  }
}
