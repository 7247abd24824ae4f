import { businessDay } from '../../kernel/days.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ReadEvent } from './log-reader.store.ts'

export const eventCountsName = 'event-counts'

/** Stands in a key for events without an actor. */
export const nobody = '00000000-0000-0000-0000-000000000000'

type CountedEvent = Pick<ReadEvent, 'organisationId' | 'eventId' | 'type' | 'actorId' | 'createdAt'>

interface Count {
  readonly organisationId: string
  readonly span: 'day' | 'month'
  readonly since: string
  readonly type: EventType
  readonly actorId: string
  readonly partition: string
  n: number
  firstId: string
  lastId: string
}

const monthOf = (day: string): string => `${day.slice(0, -2)}01`

/** Ids begin with their time, which gives the month of their partition. */
const partitionOf = (id: string): string =>
  monthOf(businessDay(new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)), 'UTC'))

/** What these events add to the counts, in the order of their keys, so that two transactions cannot deadlock. */
function countsIn(events: readonly CountedEvent[]): Count[] {
  const counts = new Map<string, Count>()
  for (const { organisationId, eventId: id, type, actorId, createdAt } of events) {
    const day = businessDay(createdAt, 'UTC')
    const actor = actorId ?? nobody
    const partition = partitionOf(id)
    for (const [span, since] of [['day', day] as const, ['month', monthOf(day)] as const]) {
      const key = `${organisationId} ${span} ${since} ${type} ${actor} ${partition}`
      const known = counts.get(key)
      if (!known)
        counts.set(key, { organisationId, span, since, type, actorId: actor, partition, n: 1, firstId: id, lastId: id })
      else {
        known.n++
        if (id < known.firstId) known.firstId = id
        if (id > known.lastId) known.lastId = id
      }
    }
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
}

export async function countEvents(tx: Tx, events: readonly CountedEvent[]): Promise<void> {
  const counts = countsIn(events)
  const each = <Name extends keyof Count>(name: Name) => counts.map((count) => count[name])
  await tx.run(sql`
    insert into event_counts as c (organisation_id, span, since, type, actor_id, id_month, n, first_id, last_id)
    select * from unnest(${each('organisationId')}::uuid[], ${each('span')}::text[], ${each('since')}::date[], ${each('type')}::text[],
                         ${each('actorId')}::uuid[], ${each('partition')}::date[], ${each('n')}::bigint[], ${each('firstId')}::uuid[],
                         ${each('lastId')}::uuid[])
    on conflict (organisation_id, span, since, type, actor_id, id_month) do update
       set n = c.n + excluded.n, first_id = least(c.first_id, excluded.first_id), last_id = greatest(c.last_id, excluded.last_id)`)
}
