import { expect } from 'vitest'
import type { Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { eventually } from './eventually.ts'

/** Consumers that have not read all events of their types, and jobs that are due or running, except scheduled ones. */
export const listBusy = (db: Queryable): Promise<unknown[]> =>
  db.rows(sql`
    select p.consumer as busy
      from consumers p
     cross join (select organisation_id, type, max(position) as position from events group by organisation_id, type) e
      left join consumer_cursors c on c.organisation_id = e.organisation_id and c.consumer = p.consumer
     where e.position > coalesce(c.position, 0) and coalesce(c.failures, 0) = 0 and (p.follows is null or e.type = any (p.follows))
     group by p.consumer
    union all
    select job from jobs where queue <> 'schedule' and given_up_at is null and (due_at <= now() or taken_by is not null)`)

/** Waits until no consumer and no job is busy. */
export const untilQuiet = (db: Queryable): Promise<void> =>
  eventually(async () => expect(await listBusy(db)).toEqual([]))
