import { expect } from 'vitest'
import { type EventType, eventTypes } from '../../server/src/kernel/events.ts'
import type { Consumer } from '../../server/src/platform/background/consumer.ts'
import { startConsumers } from '../../server/src/platform/background/consumers.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'

const noting: Consumer = {
  name: 'every-event',
  on: Object.keys(eventTypes) as EventType[],
  pool: 'work',
  startsAt: 'oldest',
  batchSize: 100,
  restMs: 5,
  take: async ({ tx }, events) => {
    await tx.run(sql`
      insert into seen (event_id, organisation_id, position)
      select * from unnest(${events.map(({ eventId }) => eventId)}::uuid[], ${events.map(({ organisationId }) => organisationId)}::uuid[],
                           ${events.map(({ position }) => position)}::bigint[])`)
  },
}

/** Notes every event in a table without keys, so that a repeated or a missing effect shows. */
export async function noteEveryEvent(app: TestApp) {
  const { runtime, runner, owner } = app
  await owner.run(
    sql`create table seen (event_id uuid, organisation_id uuid, position bigint, nth bigint generated always as identity)`,
  )
  // Local tables of the service have this trigger on a cluster: with it, notes and cursors commit in two phases.
  if (await owner.isDistributed())
    await owner.run(sql`
      create trigger in_two_phases after insert on seen for each statement execute function commit_in_two_phases()`)
  const rounds = startConsumers([noting], runtime, () => ({ runtime, runner, deadlineMs: 30_000 }))
  runtime.wakeUp.listen('events', () => rounds.wake())
  return {
    stop: () => rounds.stop(),
    /** Each event was noted once, and those of an organisation in order. Returns how many there are. */
    async expectEachOnce(): Promise<number> {
      const events = await owner.rows<{ id: string }>(sql`select id from events`)
      const notes = await owner.rows<{ eventId: string; before: bigint | null; position: bigint }>(sql`
        select event_id, position, lag(position) over (partition by organisation_id order by nth) as before from seen`)
      const times = Map.groupBy(notes, ({ eventId }) => eventId)
      expect(events.filter(({ id }) => times.get(id)?.length !== 1)).toEqual([])
      expect(notes).toHaveLength(events.length)
      expect(notes.filter(({ before, position }) => before !== null && before >= position)).toEqual([])
      return events.length
    },
  }
}
