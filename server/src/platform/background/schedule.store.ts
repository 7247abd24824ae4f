import { noOrganisation } from '../../kernel/callers.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { insertingJobs } from '../jobs/jobs.store.ts'
import type { Every } from './handlers.ts'

export interface ScheduleLine extends Every {
  readonly job: string
}

/** The lines as a table, with the next time of each after now. */
const linesOf = (lines: readonly ScheduleLine[]) => sql`
  (select job, date_bin(minutes * interval '1 minute', now(), timestamptz 'epoch' + after * interval '1 minute') + minutes * interval '1 minute' as next
     from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (job text, minutes int, after int))`

/** Adds missing rows. If a job has become due more often, its next time comes forward. */
export async function saveSchedule(db: Queryable, lines: readonly ScheduleLine[]): Promise<void> {
  await db.run(sql`
    insert into schedule as s (job, due_at) select job, next from ${linesOf(lines)} as line order by job
    on conflict (job) do update set due_at = excluded.due_at where excluded.due_at < s.due_at`)
}

/**
 * Removes jobs that this version does not have and that have been overdue for a day. During an upgrade, another version may still run a
 * job that this one does not know.
 */
export async function removeForgotten(db: Queryable, lines: readonly ScheduleLine[]): Promise<void> {
  await db.run(sql`
    delete from schedule where job <> all (${lines.map(({ job }) => job)}::text[]) and due_at < now() - interval '1 day'`)
}

/**
 * Moves due jobs to their next time after now and returns them, so a job that missed several times runs once. Locked rows are skipped:
 * another worker is enqueueing them.
 */
export async function advanceDue(tx: Tx, lines: readonly ScheduleLine[]): Promise<string[]> {
  const advanced = await tx.rows<{ job: string }>(sql`
    with due as (
      select job from schedule where due_at <= now() and job = any (${lines.map(({ job }) => job)}::text[])
       for no key update skip locked)
    update schedule s set due_at = line.next from ${linesOf(lines)} as line
     where line.job = s.job and s.job in (select job from due)
    returning s.job`)
  return advanced.map(({ job }) => job)
}

/** Enqueues scheduled jobs. A job that is still running runs once more afterwards. */
export async function enqueueScheduled(db: Queryable, jobs: readonly string[]): Promise<void> {
  if (jobs.length === 0) return
  const row = { queue: 'schedule', organisationId: noOrganisation, key: 'schedule', payload: {}, dueAt: null } as const
  await db.run(insertingJobs(jobs.map((job) => ({ ...row, job }))))
}
