import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { programName } from '../database/connections.store.ts'
import { asQueryable, type Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Names a worker's connections and the locks of its jobs. A worker without connections is dead. */
export const newWorkerName = (): string => `${programName} worker ${randomUUID()}`

/**
 * Frees the jobs of dead workers; graphile-worker itself would wait four hours. A worker that has lost its connections may still be in an
 * outside call. Such calls end within the minimum age of a freed lock.
 */
export async function freeJobsOfDeadWorkers(pool: pg.Pool, me: string, lockedForSeconds: number): Promise<void> {
  await asQueryable(pool).run(sql`
    with living as (select application_name as name from pg_stat_activity where datname = current_database()),
         dead as (
           select distinct locked_by from graphile_worker.jobs
            where locked_at < now() - make_interval(secs => ${lockedForSeconds})
              and not exists (select from living where name = locked_by))
    select graphile_worker.force_unlock_workers(array(select locked_by from dead))
     where exists (select from dead) and exists (select from living where name = ${me})`)
}

/** How long a scheduled job that failed for the last time stays in the table. */
export function purgeFailedSchedule(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null and run_at < ${before} limit ${limit}))`)
}
