import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import {
  firstDueOf,
  firstDueOnShards,
  roomBeside,
  turnsOnShards,
  walkingTurns,
} from '../../../platform/database/fair-turns.store.ts'
import { orOnShards, type Sql, sql } from '../../../platform/database/sql.ts'
import type { SubmissionId, SubmissionRef } from '../state/submission.ts'
import type { Step } from '../state/submission-state.ts'

/** A submission with a lease. The attempt is stored already, as if the step had started. */
export interface ClaimedSubmission extends SubmissionRef {
  readonly invoiceId: string
  readonly country: string
  readonly reference: string
  readonly fence: number
  readonly step: Step
  /** the bytes to send or to compare; null if the step needs neither */
  readonly payload: Buffer | null
}

export interface ClaimLimits {
  readonly country: string
  readonly mode: Mode
  readonly limit: number
  /** the walk starts at this organisation id; turns go round in the order of ids */
  readonly from: string
  /** documents under way by organisation; each may fill up to its limit */
  readonly underWay: ReadonlyMap<string, number>
  readonly mostPerOrganisation: number
}

/** The due submissions that one organisation may have in this round. */
export interface DueShare {
  readonly organisationId: OrganisationId
  readonly ids: readonly SubmissionId[]
}

/**
 * How many documents of an organisation are taken in one turn. Documents that start together are answered and written
 * together.
 */
const documentsPerTurn = 4
/** How many organisations one walk passes, most of which only wait. */
const longestWalk = 1_000

export interface ChosenShares {
  readonly shares: readonly DueShare[]
  /** the last organisation of the walk, if there may be more behind it */
  readonly reached: OrganisationId | undefined
}

/**
 * Chooses due submissions: a few of each organisation in turn, then a few more of each, however long one backlog is.
 * Walks the index from organisation to organisation.
 */
export async function chooseDue(db: Queryable, limits: ClaimLimits): Promise<ChosenShares> {
  const { country, mode, limit, from, underWay, mostPerOrganisation } = limits
  const counts = JSON.stringify(Object.fromEntries(underWay))
  const ofLink = sql`country = ${country} and mode = ${mode}`
  const room = roomBeside(sql`${mostPerOrganisation}::int`, counts, sql`turns.organisation_id`)
  const waiting = { rows: sql`from submissions`, owner: 'organisation_id' } as const
  const walk = { ...waiting, waits: sql`${ofLink} and due_at is not null`, from, most: longestWalk }
  const due = { ...waiting, key: sql`id`, isDue: sql`${ofLink} and due_at <= now()`, room }
  const choosing = (turns: Sql, pieces: Sql): Sql => sql`
    ${turns},
    chosen as (
      select turns.organisation_id, piece.id from turns ${pieces}
       order by (piece.nth - 1) / ${documentsPerTurn}::int, turns.turn, piece.nth limit ${limit}::int)
    select walk.reached, share.organisation_id, share.ids
      from (select (select organisation_id from turns where turn = ${longestWalk}::int) as reached) as walk
      left join (select organisation_id, array_agg(id) as ids from chosen group by organisation_id) as share on true
     order by share.organisation_id`
  const usual = choosing(
    sql`with recursive ${walkingTurns(walk)}`,
    sql`cross join lateral (${firstDueOf(due)}) as piece`,
  )
  const onShards = choosing(sql`with ${turnsOnShards(walk)}`, sql`join ${firstDueOnShards(due)}`)
  const rows = await db.rows<{ [Key in keyof DueShare]: DueShare[Key] | null } & { reached: OrganisationId | null }>(
    orOnShards(usual, onShards),
  )
  return {
    shares: rows.flatMap(({ organisationId, ids }) => (organisationId && ids ? [{ organisationId, ids }] : [])),
    reached: rows[0]?.reached ?? undefined,
  }
}

export interface Lease {
  readonly leaseMs: number
  /** if a row was due this long without being taken, the workers were down, and its retry counter is reset */
  readonly forgottenAfterMs: number
}

/**
 * Leases the chosen submissions of one organisation that are still due and free. A submission that is about to be
 * sent becomes `unknown`, and its attempt is stored in the same statement. So the next worker after a crash looks it
 * up first. This is the rule of `nextStep` and `beginStep` in `submission-state.ts`, as SQL: change both.
 */
export function claimSubmissions(
  db: Queryable,
  { organisationId, mode }: Tenant,
  ids: readonly SubmissionId[],
  { leaseMs, forgottenAfterMs }: Lease,
): Promise<ClaimedSubmission[]> {
  return db.rows(sql`
    with free as materialized (
      select id, state, next_cause, due_at < now() - ${forgottenAfterMs} * interval '1 millisecond' as is_forgotten,
             now() as began_at, now() + ${leaseMs} * interval '1 millisecond' as leased_until
        from submissions
       where organisation_id = ${organisationId} and mode = ${mode} and id = any (${ids}::uuid[]) and due_at <= now()
         for no key update skip locked),
    taken as (
      update submissions s
         set fence = s.fence + 1, due_at = f.leased_until,
             state = case when f.state = 'queued' then 'unknown' else f.state end,
             sends = s.sends + case when f.state = 'queued' then 1 else 0 end,
             last_sent_at = case when f.state = 'queued' then f.began_at else s.last_sent_at end,
             absent_at = case when f.state = 'queued' then null else s.absent_at end,
             refused = case when f.state = 'queued' then null else s.refused end,
             tries = case when f.is_forgotten then 0 else s.tries end,
             tried_since = case when s.tried_since is null or f.is_forgotten then f.began_at else s.tried_since end,
             next_cause = 'automatic'
        from free f
       where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.id = any (array(select id from free)) and s.id = f.id
      returning s.organisation_id, s.mode, s.id, s.invoice_id, s.country, s.reference, s.fence, s.sha256, s.asked_by, f.next_cause,
                case f.state when 'queued' then 'sign' when 'unknown' then 'lookup' when 'signed' then 'transmit' else 'confirm' end as step,
                case when f.state in ('queued', 'unknown') then s.payload end as payload),
    noted as (
      insert into submission_attempts (organisation_id, mode, submission_id, number, step, sha256, cause, asked_by, begun_at)
      select organisation_id, mode, id, fence, step, case step when 'sign' then sha256 end,
             next_cause, case next_cause when 'automatic' then null else asked_by end, now() from taken)
    select organisation_id, mode, id, invoice_id, country, reference, fence, step, payload from taken`)
}

/**
 * Ends the leases of a tenant's submissions when a process stops. They are due at once, and started requests are
 * looked up first.
 */
export async function handBack(
  db: Queryable,
  { organisationId, mode }: Tenant,
  held: readonly { readonly id: SubmissionId; readonly fence: number }[],
): Promise<void> {
  await db.run(sql`
    with held as materialized (
      select s.id from submissions s join unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ fence }) => fence)}::int[]) as h (id, fence) on h.id = s.id
       where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.fence = h.fence and s.due_at is not null
       order by s.id for no key update of s)
    update submissions s set due_at = now() from held
     where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.id = held.id`)
}

/** Whether a document of the tenant is on its way. In the sandbox that ends within seconds. */
export async function isSubmitting(db: Queryable, { organisationId, mode }: Tenant): Promise<boolean> {
  const { isWaiting } = await db.one<{ isWaiting: boolean }>(sql`
    select exists (select from submissions where organisation_id = ${organisationId} and mode = ${mode} and due_at is not null) as is_waiting`)
  return isWaiting
}
