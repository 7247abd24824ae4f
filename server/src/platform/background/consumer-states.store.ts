import type { Queryable } from '../database/database.ts'
import { orOnShards, sql } from '../database/sql.ts'

export interface ConsumerState {
  readonly consumer: string
  /** the most failures in a row on one event */
  readonly failures: number
  readonly failingEvent: string | null
  readonly reason: string | null
  /** events that it failed on and set aside */
  readonly setAside: number
}

export function listConsumers(db: Queryable): Promise<ConsumerState[]> {
  return db.rows(sql`
    select p.consumer, coalesce(c.failures, 0) as failures, c.failing_event, c.reason,
           (select count(*)::int from set_aside_events s where s.consumer = p.consumer) as set_aside
      from consumers p left join (
        select distinct on (consumer) consumer, failures, failing_event, reason from consumer_cursors
         where failures > 0 order by consumer, failures desc) as c on c.consumer = p.consumer
     order by p.consumer`)
}

export interface ConsumerLag {
  readonly consumer: string
  /** events that it has not read, including events that it will not want */
  readonly unread: number
  /** the age of the oldest of these; of the first thousand logs that it is behind in */
  readonly behindSeconds: number
}

const mostAged = 1_000

/** Reads the cursors of all consumers: 12 consumers in 100,000 logs take about half a second. */
export function listLags(db: Queryable): Promise<ConsumerLag[]> {
  const usual = sql`
    with behind as materialized (
      select p.consumer, h.organisation_id, coalesce(c.position, 0) as position, h.position - coalesce(c.position, 0) as unread
        from consumers p cross join event_heads h
        left join consumer_cursors c on c.organisation_id = h.organisation_id and c.consumer = p.consumer
       where h.position > coalesce(c.position, 0))
    select p.consumer, coalesce((select sum(b.unread) from behind b where b.consumer = p.consumer), 0)::float8 as unread,
           coalesce(extract(epoch from now() - (
             select min(e.created_at) from (select * from behind b where b.consumer = p.consumer limit ${mostAged}) as b cross join lateral (
               select e.created_at from events e
                where e.organisation_id = b.organisation_id and e.position > b.position order by e.position limit 1) as e)), 0)::float8 as behind_seconds
      from consumers p order by p.consumer`
  // Each server counts for its own organisations. A log whose next event was dropped with its month has no age.
  const onShards = sql`
    select p.consumer, coalesce(b.unread, 0)::float8 as unread, coalesce(extract(epoch from now() - b.oldest), 0)::float8 as behind_seconds
      from consumers p left join (
        select behind.consumer, sum(behind.unread) as unread, min(behind.created_at) as oldest from (
          select p.consumer, h.position - coalesce(c.position, 0) as unread,
                 (select e.created_at from events e
                   where e.organisation_id = h.organisation_id and e.position = coalesce(c.position, 0) + 1) as created_at
            from consumers p cross join event_heads h
            left join consumer_cursors c on c.organisation_id = h.organisation_id and c.consumer = p.consumer
           where h.position > coalesce(c.position, 0)) as behind
         group by behind.consumer) as b on b.consumer = p.consumer
     order by p.consumer`
  return db.rows(orOnShards(usual, onShards))
}
