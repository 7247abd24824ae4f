import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { tenantsOnShards, walkingTenants } from '../../../platform/database/fair-turns.store.ts'
import { orOnShards, sql } from '../../../platform/database/sql.ts'
import type { SubmissionId } from '../state/submission.ts'
import type { SubmissionStateName } from '../state/submission-state.ts'

export interface ToFollowUp {
  readonly id: SubmissionId
  readonly country: string
  readonly reference: string
  readonly state: SubmissionStateName
  readonly cause: 'notified' | 'automatic'
}

/** Must equal the condition of the index on undelivered documents. */
const isOnItsWay = sql`goes_to_buyer and delivered_at is null and state in ('unknown', 'signed', 'transmitted', 'accepted')`

export interface NamedDocuments {
  readonly country: string
  readonly references: readonly string[]
}

/** The tenants whose undelivered documents a callback names. */
export function listTenantsNamed(
  db: Queryable,
  mode: Mode,
  { country, references }: NamedDocuments,
): Promise<Tenant[]> {
  return db.rows(sql`
    select distinct organisation_id, mode from submissions
     where country = ${country} and mode = ${mode} and reference = any (${references}::text[]) and ${isOnItsWay}
     order by organisation_id`)
}

/** Makes the named documents due for a lookup now. Returns how many; 0 if all have arrived meanwhile. */
export function markNotified(
  tx: Tx,
  { organisationId, mode }: Tenant,
  { country, references }: NamedDocuments,
): Promise<number> {
  return tx.run(sql`
    with named as materialized (
      select id from submissions
       where organisation_id = ${organisationId} and mode = ${mode} and country = ${country} and reference = any (${references}::text[]) and ${isOnItsWay}
       order by id for no key update)
    update submissions s set follow_up_at = least(s.follow_up_at, now()), follow_up_cause = 'notified'
      from named n where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.id = n.id`)
}

/** The next batch, longest due first. */
export function listToFollowUp(db: Queryable, tenant: Tenant, limit: number): Promise<ToFollowUp[]> {
  return db.rows(sql`
    select id, country, reference, state, coalesce(follow_up_cause, 'automatic') as cause from submissions
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and follow_up_at <= now()
     order by follow_up_at limit ${limit}`)
}

/**
 * Tenants with a lookup that is due, after the given one. Walks the index from tenant to tenant, so a long backlog
 * costs nothing. Tenants without due rows are skipped and not counted.
 */
export function listTenantsToFollowUp(db: Queryable, after: Tenant | undefined, limit: number): Promise<Tenant[]> {
  const rows = sql`from submissions`
  const waiting = { rows, matching: sql`follow_up_at is not null`, more: sql`, follow_up_at`, after }
  const usual = sql`
    with recursive ${walkingTenants(waiting)} select organisation_id, mode from tenants where follow_up_at <= now() limit ${limit}`
  const onShards = tenantsOnShards({ rows, matching: sql`follow_up_at <= now()`, after, most: limit })
  return db.rows(orOnShards(usual, onShards))
}
