import type { Queryable, Tx } from './database.ts'
import { sql } from './sql.ts'

export interface OutboxRow {
  readonly id: string
  readonly kind: 'event' | 'job'
  readonly name: string
  readonly organisationId: string | null
  readonly mode: string | null
  readonly payload: object
  readonly runAt: Date | null
  readonly jobKey: string | null
}

export async function insertOutboxRows(tx: Tx, rows: readonly OutboxRow[], now: Date): Promise<void> {
  await tx.run(sql`
    insert into outbox (id, kind, name, organisation_id, mode, payload, run_at, job_key, created_at)
    select r.id, r.kind, r.name, r."organisationId", r.mode, r.payload, r."runAt", r."jobKey", ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id uuid, kind text, name text, "organisationId" uuid, mode text, payload jsonb, "runAt" timestamptz, "jobKey" text)`)
}

export interface WaitingRow extends OutboxRow {
  readonly seq: bigint
}

/** Rows that no other relay is working on. */
export function lockWaitingRows(tx: Tx, limit: number): Promise<WaitingRow[]> {
  return tx.rows(sql`
    select seq, id, kind, name, organisation_id, mode, payload, run_at, job_key
      from outbox where relayed_at is null order by seq limit ${limit} for update skip locked`)
}

export interface JobSpec {
  readonly identifier: string
  readonly payload: object
  readonly runAt: Date | null
  readonly maxAttempts: number
  readonly jobKey: string | null
}

export async function addJobs(tx: Tx, specs: readonly JobSpec[]): Promise<void> {
  await tx.run(sql`
    select graphile_worker.add_jobs(array(
      select row(s.identifier, s.payload, null, s."runAt", s."maxAttempts", s."jobKey", null, null)::graphile_worker.job_spec
        from json_to_recordset(${JSON.stringify(specs)}::json)
          as s (identifier text, payload json, "runAt" timestamptz, "maxAttempts" integer, "jobKey" text)))`)
}

export async function finishRows(tx: Tx, rows: readonly WaitingRow[]): Promise<void> {
  const seqsOf = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.seq)
  await tx.run(sql`
    with jobs as (delete from outbox where seq = any(${seqsOf('job')}::bigint[]))
    update outbox set relayed_at = now() where seq = any(${seqsOf('event')}::bigint[])`)
}

export async function oldestWaitingSeconds(db: Queryable): Promise<number> {
  const row = await db.maybe<{ age: number }>(sql`
    select extract(epoch from now() - created_at)::float8 as age from outbox where relayed_at is null order by seq limit 1`)
  return row?.age ?? 0
}

export const queueIsReachable = (db: Queryable): Promise<unknown> =>
  db.maybe(sql`select 1 from graphile_worker.jobs limit 1`)
