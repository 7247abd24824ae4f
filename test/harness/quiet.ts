import { expect } from 'vitest'
import type { Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { eventually } from './eventually.ts'

/** Consumers that have not read all events of their types, and jobs that are due or running, except scheduled ones. */
export const listBusy = (db: Queryable): Promise<unknown[]> =>
  db.rows(sql`
    select consumer as busy from event_cursors p where failures = 0 and exists (
      select 1 from events e where (e.era, e.xid, e.seq) > (p.era, p.xid, p.seq) and (p.follows is null or e.type = any (p.follows)))
    union all
    select job from jobs where queue <> 'schedule' and given_up_at is null and (due_at <= now() or taken_by is not null)`)

/** Waits until no consumer and no job is busy. */
export const untilQuiet = (db: Queryable): Promise<void> =>
  eventually(async () => expect(await listBusy(db)).toEqual([]))
