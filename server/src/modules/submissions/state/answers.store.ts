import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { Attempt, AttemptResult, Submission, SubmissionId } from './submission.ts'
import { submissionColumns } from './submissions.store.ts'

/** A locked submission, with the time of the database. */
export type LockedSubmission = Submission & { readonly queries: number; readonly now: Date }

/** Locks in the order of ids, so that two callers cannot deadlock. */
export function lockSubmissions(tx: Tx, tenant: Tenant, ids: readonly SubmissionId[]): Promise<LockedSubmission[]> {
  return tx.rows(sql`
    select ${submissionColumns}, queries, clock_timestamp() as now from submissions
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = any (${ids}::uuid[])
     order by id for no key update`)
}

/** `keep`: unchanged; a number: milliseconds from now; null: never */
export type DueTime = 'keep' | number | null
const asColumns = (when: DueTime) => ({ keep: when === 'keep', ms: when === 'keep' ? null : when })

/** The state after an answer, and when the next step is due. */
export interface SavedState
  extends Pick<
    Submission,
    | 'id'
    | 'state'
    | 'isFailed'
    | 'isDelivered'
    | 'sends'
    | 'lastSentAt'
    | 'absentAt'
    | 'refused'
    | 'tries'
    | 'triedSince'
    | 'fence'
  > {
  readonly queries: number
  readonly due: DueTime
  /** when the next follow-up is due */
  readonly followUp: DueTime
}

export type EndedAttempt = AttemptResult & Pick<Attempt, 'number' | 'isLate'> & { readonly id: SubmissionId }

/** A new attempt; with its answer if it has ended already. */
export interface BegunAttempt
  extends Pick<Attempt, 'number' | 'step' | 'sha256' | 'cause' | 'answer' | 'why' | 'messages'> {
  readonly id: SubmissionId
  readonly askedBy: object | null
}

const dueAt = (given: Sql): Sql => sql`clock_timestamp() + (${given} ->> 'ms')::float8 * interval '1 millisecond'`
const unlessKept = (given: Sql, kept: Sql, due: Sql): Sql =>
  sql`case when (${given} ->> 'keep')::boolean then ${kept} else ${due} end`

/**
 * Writes everything that a batch of answers changes on submissions, in one round trip. The submissions must be
 * locked.
 */
export async function saveAnswers(
  tx: Tx,
  tenant: Tenant,
  states: readonly SavedState[],
  ended: readonly EndedAttempt[],
  begun: readonly BegunAttempt[],
): Promise<void> {
  const { organisationId, mode } = tenant
  const given = states.map((one) => ({ ...one, due: asColumns(one.due), followUp: asColumns(one.followUp) }))
  // Times are computed before the updates, because Citus allows only immutable functions in them.
  await tx.run(sql`
    with w as materialized (
      select w.*, now() as at, ${dueAt(sql`w.due`)} as due_at, ${dueAt(sql`w."followUp"`)} as follow_up_at,
             case when w.refused is not null then array(select jsonb_array_elements_text(w.refused)) end as refused_for
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
               as w (id uuid, state text, "isFailed" boolean, sends int, "lastSentAt" timestamptz, "absentAt" timestamptz, refused jsonb, tries int,
                     "triedSince" timestamptz, fence int, queries int, due jsonb, "followUp" jsonb, "isDelivered" boolean)),
    e as materialized (
      select e.*, clock_timestamp() as ended_at, array(select jsonb_array_elements_text(e.messages)) as authority_messages
        from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as e (id uuid, number int, answer text, why text, messages jsonb, "isLate" boolean)),
    ends as (
      update submission_attempts a
         set ended_at = e.ended_at, answer = e.answer, why = e.why, told = e.authority_messages, is_late = e."isLate"
        from e
       where a.organisation_id = ${organisationId} and a.mode = ${mode} and a.submission_id = any (array(select id from e))
         and a.submission_id = e.id and a.number = e.number),
    begins as (
      insert into submission_attempts (organisation_id, mode, submission_id, number, step, sha256, cause, asked_by, begun_at, ended_at, answer, why, told)
      select ${organisationId}, ${mode}, b.id, b.number, b.step, b.sha256, b.cause, b."askedBy", clock_timestamp(),
             case when b.answer is not null then clock_timestamp() end, b.answer, b.why, array(select jsonb_array_elements_text(b.messages))
        from jsonb_to_recordset(${JSON.stringify(begun)}::jsonb)
               as b (id uuid, number int, step text, sha256 text, cause text, "askedBy" jsonb, answer text, why text, messages jsonb)
      on conflict (organisation_id, mode, submission_id, number) do update
        set asked_by = excluded.asked_by, begun_at = excluded.begun_at, ended_at = excluded.ended_at, answer = excluded.answer, why = excluded.why,
            told = excluded.told)
    update submissions s
       set state = w.state, failed_at = case when w."isFailed" then coalesce(s.failed_at, w.at) end, sends = w.sends,
           last_sent_at = w."lastSentAt", absent_at = w."absentAt", refused = w.refused_for,
           tries = w.tries, tried_since = w."triedSince", fence = w.fence, queries = w.queries,
           delivered_at = case when w."isDelivered" then coalesce(s.delivered_at, w.at) end,
           due_at = ${unlessKept(sql`w.due`, sql`s.due_at`, sql`w.due_at`)}, follow_up_at = ${unlessKept(sql`w."followUp"`, sql`s.follow_up_at`, sql`w.follow_up_at`)},
           follow_up_cause = case when (w."followUp" ->> 'keep')::boolean then s.follow_up_cause end
      from w
     where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.id = any (${states.map(({ id }) => id)}::uuid[]) and s.id = w.id`)
}
