import type { Mode } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface SubmissionQueueLoad {
  readonly country: string
  readonly mode: Mode
  readonly waiting: number
  readonly oldestSeconds: number
  readonly failed: number
}

/** Reads the two small indexes of undecided submissions, and no decided rows. */
export function readQueueLoad(db: Queryable): Promise<SubmissionQueueLoad[]> {
  return db.rows(sql`
    select country, mode, sum(waiting)::int as waiting, coalesce(max(oldest_seconds), 0)::float8 as oldest_seconds, sum(failed)::int as failed
      from (select country, mode, count(*) as waiting, extract(epoch from now() - min(created_at)) as oldest_seconds, 0 as failed
              from submissions where due_at is not null group by country, mode
            union all
            select country, mode, 0, 0, count(*) from submissions where failed_at is not null group by country, mode) as counted
     group by country, mode`)
}
