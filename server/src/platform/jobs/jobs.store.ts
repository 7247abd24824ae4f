import { newId, type OrganisationId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import { firstDueOf, roomBeside, walkingTurns } from '../database/fair-turns.store.ts'
import { type Sql, sql } from '../database/sql.ts'
import { type QueueName, queueNames } from './jobs.ts'
import { atTheirMost } from './turns.ts'

export interface NewJob {
  readonly queue: QueueName
  readonly organisationId: OrganisationId
  readonly job: string
  readonly key: string | null
  readonly payload: object
  /** null: due at once */
  readonly dueAt: Date | null
}

/** The statement that enqueues jobs. Of two jobs with the same key only one waits. If that job is running, it runs once more afterwards. */
export function insertingJobs(rows: readonly NewJob[]): Sql {
  const once = new Map(rows.map((row, at) => [row.key === null ? String(at) : `${row.job} ${row.key}`, row]))
  // Keys are locked in one order, so that two transactions with the same keys cannot deadlock.
  const inOrder = [...once].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => ({ ...row, id: newId() }))
  return sql`
    insert into jobs as w (id, queue, organisation_id, job, key, payload, due_at)
    select r.id, r.queue, r."organisationId", r.job, r.key, r.payload, coalesce(r."dueAt", now())
      from jsonb_to_recordset(${JSON.stringify(inOrder)}::jsonb)
        as r (id uuid, queue text, "organisationId" uuid, job text, key text, payload jsonb, "dueAt" timestamptz)
    on conflict (job, key) where key is not null and given_up_at is null do update
      set payload = excluded.payload, is_wanted_again = w.taken_by is not null,
          due_at = case when w.taken_by is null then least(w.due_at, excluded.due_at) else w.due_at end`
}

export interface ClaimedJob {
  readonly id: string
  readonly organisationId: OrganisationId
  readonly job: string
  readonly payload: object
  readonly attempts: number
}

export interface Claim {
  readonly queue: QueueName
  readonly taker: string
  readonly jobs: readonly string[]
  /** jobs that this worker runs, or whose result it still writes; their rows may look free if a reply was lost */
  readonly running: readonly string[]
  readonly limit: number
  /** the lowest organisation id whose turn it may be: turns go round in the order of ids */
  readonly from: string
  /** running jobs of each organisation; each gets at most what is left up to the limit */
  readonly underWay: ReadonlyMap<string, number>
  readonly mostPerOrganisation: number
  /** the limit for sandbox turns */
  readonly mostOfSandbox: number
  readonly leaseMs: number
}

/**
 * Claims due jobs: one of each organisation in turn, then a second of each. However long one backlog is, another organisation's single job
 * is among the next. Sandbox jobs take turns of their own (`turnOf`). The query walks from organisation to organisation by index instead of
 * reading the backlog. Unknown job names are left for other processes.
 */
export function claimJobs(db: Queryable, claim: Claim): Promise<ClaimedJob[]> {
  const { queue, taker, jobs, running, limit, from, underWay, mostPerOrganisation, mostOfSandbox, leaseMs } = claim
  const full = atTheirMost(underWay, mostPerOrganisation, mostOfSandbox)
  const counts = JSON.stringify(Object.fromEntries(underWay))
  const isDue = sql`queue = ${queue} and given_up_at is null and due_at <= now() and job = any (${jobs}::text[]) and id <> all (${running}::uuid[])`
  const most = sql`case when substr(turns.organisation_id::text, 15, 1) = '8' then ${mostOfSandbox}::int else ${mostPerOrganisation}::int end`
  const rows = { rows: sql`from jobs`, owner: 'organisation_id' } as const
  return db.rows(sql`
    with recursive ${walkingTurns({ ...rows, waits: sql`organisation_id <> all (${full}::uuid[]) and ${isDue}`, from, most: limit })},
    chosen as (
      select piece.id from turns cross join lateral (
        ${firstDueOf({ ...rows, key: sql`id`, isDue, room: roomBeside(most, counts, sql`turns.organisation_id`) })}) as piece
       order by piece.nth, turns.turn limit ${limit}::int),
    free as materialized (
      select id from jobs where id in (select id from chosen) and due_at <= now() and given_up_at is null for no key update skip locked)
    update jobs set taken_by = ${taker}, attempts = attempts + 1, due_at = now() + ${leaseMs} * interval '1 millisecond'
     where id in (select id from free)
    returning id, organisation_id, job, payload, attempts`)
}

/** Deletes finished jobs, unless they were enqueued again meanwhile. Jobs that another worker has claimed since are left alone. */
export async function deleteJobs(db: Queryable, taker: string, ids: readonly string[]): Promise<void> {
  const ended = await db.run(sql`
    delete from jobs where id = any (${ids}::uuid[]) and taken_by = ${taker} and not is_wanted_again`)
  if (ended < ids.length)
    await db.run(sql`
      update jobs set taken_by = null, is_wanted_again = false, attempts = 0, due_at = now()
       where id = any (${ids}::uuid[]) and taken_by = ${taker}`)
}

/**
 * Schedules the next attempt of failed jobs, or ends them if no attempt is left. A job that was enqueued again meanwhile gets all its
 * attempts and the shorter wait, because the new request knows nothing of the failures.
 */
export async function postponeJob(
  db: Queryable,
  taker: string,
  id: string,
  { nextMs, anewMs }: { readonly nextMs: number | undefined; readonly anewMs: number },
  reason: string,
): Promise<void> {
  await db.run(sql`
    update jobs
       set taken_by = null, is_wanted_again = false, reason = ${reason}, attempts = case when is_wanted_again then 0 else attempts end,
           due_at = now() + case when is_wanted_again then ${anewMs}::float8 else ${nextMs ?? 0}::float8 end * interval '1 millisecond',
           given_up_at = case when ${nextMs === undefined} and not is_wanted_again then now() end
     where id = ${id} and taken_by = ${taker}`)
}

/** Extends the leases of running jobs. Jobs that another worker has claimed since are left alone. */
export async function renewLeases(
  db: Queryable,
  taker: string,
  ids: readonly string[],
  leaseMs: number,
): Promise<void> {
  if (ids.length === 0) return
  await db.run(sql`
    update jobs set due_at = now() + ${leaseMs} * interval '1 millisecond' where id = any (${ids}::uuid[]) and taken_by = ${taker}`)
}

/** Jobs of a process that it does not run, or does not run any more, are due at once, and the attempt does not count. */
export async function releaseJobs(db: Queryable, taker: string, running: readonly string[]): Promise<void> {
  await db.run(sql`
    update jobs set taken_by = null, attempts = attempts - 1, due_at = now()
     where taken_by = ${taker} and not id = any (${running}::uuid[])`)
}

/** Deletes jobs that failed finally so long ago that an operator has had time to look. */
export function purgeGivenUp(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from jobs where id in (select id from jobs where given_up_at < ${before} limit ${limit})`)
}

export interface QueueLoad {
  readonly queue: QueueName
  readonly waiting: number
  readonly givenUp: number
  readonly oldestSeconds: number
}

/** Includes empty queues: a missing metric looks like one that is not measured. */
export function readQueueLoads(db: Queryable): Promise<QueueLoad[]> {
  return db.rows(sql`
    select queue, (count(w.id) filter (where given_up_at is null))::int as waiting, (count(w.id) filter (where given_up_at is not null))::int as given_up,
           coalesce(extract(epoch from now() - min(created_at) filter (where given_up_at is null)), 0)::float8 as oldest_seconds
      from jobs w full join unnest(${queueNames}::text[]) as l (queue) using (queue) group by queue`)
}

export const jobsAreReachable = (db: Queryable): Promise<unknown> => db.maybe(sql`select 1 from jobs limit 1`)
