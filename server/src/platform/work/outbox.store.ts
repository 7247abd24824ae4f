import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export interface OutboxRow {
  readonly job: string
  readonly payload: object
  readonly runAt: Date | null
  readonly jobKey: string | null
}

export async function insertOutboxRows(tx: Tx, rows: readonly OutboxRow[], now: Date): Promise<void> {
  await tx.run(sql`
    insert into outbox (job, payload, run_at, job_key, created_at)
    select r.job, r.payload, r."runAt", r."jobKey", ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (job text, payload jsonb, "runAt" timestamptz, "jobKey" text)`)
}

/** Takes rows that no other relay is carrying; they are gone for good once the transaction commits. */
export function takeOutboxRows(tx: Tx, limit: number): Promise<OutboxRow[]> {
  return tx.rows(sql`
    delete from outbox where seq in (select seq from outbox order by seq limit ${limit} for update skip locked)
    returning job, payload, run_at, job_key`)
}

export interface JobSpec {
  readonly identifier: string
  readonly payload: object
  readonly runAt: Date | null
  readonly maxAttempts: number
  readonly jobKey: string | null
}

/** Of several with one key, the last stands for all: the queue itself would take none of the batch. */
const oncePerKey = (specs: readonly JobSpec[]): JobSpec[] => [
  ...new Map(specs.map((spec) => [spec.jobKey ?? spec, spec])).values(),
]

export async function addJobs(tx: Tx, specs: readonly JobSpec[]): Promise<void> {
  await tx.run(sql`
    select graphile_worker.add_jobs(array(
      select row(s.identifier, s.payload, null, s."runAt", s."maxAttempts", s."jobKey", null, null)::graphile_worker.job_spec
        from json_to_recordset(${JSON.stringify(oncePerKey(specs))}::json)
          as s (identifier text, payload json, "runAt" timestamptz, "maxAttempts" integer, "jobKey" text)))`)
}

/**
 * Calls for work that one call stands for, however many come before it begins: a call that waits already keeps its time. Each
 * has a queue of its own, so that a call that comes while it is done waits until it has been.
 */
export async function callCollapsed(
  tx: Tx,
  jobs: readonly { readonly name: string; readonly maxAttempts: number }[],
  waitMs: number,
): Promise<void> {
  await tx.run(sql`
    select graphile_worker.add_jobs(array(
      select row(s.name, '{}'::json, s.name, now() + ${waitMs} * interval '1 millisecond', s."maxAttempts", s.name, null, null)::graphile_worker.job_spec
        from json_to_recordset(${JSON.stringify(jobs)}::json) as s (name text, "maxAttempts" integer)), true)`)
}

export async function oldestWaitingSeconds(db: Queryable): Promise<number> {
  const row = await db.maybe<{ age: number }>(sql`
    select extract(epoch from now() - created_at)::float8 as age from outbox order by seq limit 1`)
  return row?.age ?? 0
}

export const queueIsReachable = (db: Queryable): Promise<unknown> =>
  db.maybe(sql`select 1 from graphile_worker.jobs limit 1`)
