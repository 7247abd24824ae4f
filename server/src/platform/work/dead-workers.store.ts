import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { programName } from '../database/connections.store.ts'
import { asQueryable, type Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** For a worker's connections and for the locks of its jobs: whose connections are gone has died. */
export const newWorkerName = (): string => `${programName} worker ${randomUUID()}`

/**
 * Gives back the jobs that died with their worker: the queue itself would wait for four hours. A worker that has lost
 * its connections may still be in the middle of an outside call; those end within the age that a lock must have.
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

/** What time called for and failed for the last time stays in the queue, until so long ago. */
export function purgeFailedSchedule(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null and run_at < ${before} limit ${limit}))`)
}
