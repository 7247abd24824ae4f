import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { asQueryable } from './database.ts'
import { sql } from './sql.ts'

/** Our connections are told from those of others by the beginning of this name. */
const programName = 'risiti'

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

/** Whether another process of ours works with this server. */
export async function othersAreConnected(connection: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { others } = await asQueryable(client).one<{ others: boolean }>(sql`
      select exists (
        select from pg_stat_activity where application_name like ${`${programName}%`} and pid <> pg_backend_pid()) as others`)
    return others
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
