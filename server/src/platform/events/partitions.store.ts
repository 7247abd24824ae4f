import type { Database, Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Months ahead: even if no process makes partitions for weeks, each event finds one. */
const monthsAhead = 3

/** A month of events, by its first day. */
export interface EventMonth {
  /** `2026-11-01` */
  readonly id: string
}

/** Months that need a partition and have none: future months, and months whose events are in the default partition. */
export function listMonthsToMake(db: Queryable): Promise<EventMonth[]> {
  return db.rows(sql`
    select month::text as id from (
      select (date_trunc('month', now()) + make_interval(months => ahead))::date as month from generate_series(0, ${monthsAhead}::int) as ahead
      union
      select month from event_months_elsewhen() as month) as wanted
     where to_regclass('public.events_' || to_char(month, 'YYYY_MM')) is null order by month`)
}

/**
 * Makes the partition of a month; returns how many events were moved into it. Moving many takes long and blocks all writes of events
 * meanwhile.
 */
export function makeMonth(db: Database, { id }: EventMonth): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.run(sql`set local statement_timeout = '10min'`)
    const { moved } = await tx.one<{ moved: bigint | null }>(sql`select make_event_month(${id}::date) as moved`)
    return Number(moved ?? 0)
  })
}

/** Months older than the retention time. */
export function listMonthsToDrop(db: Queryable, keptMonths: number): Promise<EventMonth[]> {
  return db.rows(sql`
    select to_date(right(c.relname, 7), 'YYYY_MM')::text as id from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_\\d{4}_\\d{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= date_trunc('month', now()) - make_interval(months => ${keptMonths}::int)
     order by 1`)
}

export async function dropMonth(db: Queryable, { id }: EventMonth): Promise<void> {
  await db.run(sql`select drop_event_month(${id}::date)`)
}
