import type { Id, OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export type RequestedChangeId = Id<'requested_change'>

/** Changes of a person that another person can request. */
export type PersonalChange =
  | { readonly what: 'name'; readonly firstName: string; readonly lastName: string }
  | { readonly what: 'phone'; readonly phone: string }
  | { readonly what: 'second_factor' }

export interface RequestedChange {
  readonly organisationId: OrganisationId
  readonly id: RequestedChangeId
  readonly userId: UserId
  readonly askedBy: UserId
  readonly change: PersonalChange
  readonly codeMac: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const columns = sql`organisation_id, id, user_id, asked_by, change, code_mac, created_at, expires_at`

/** A new request replaces the open one for the same thing. */
export async function replaceAskedChange(
  tx: Tx,
  organisationId: OrganisationId,
  asked: Omit<RequestedChange, 'organisationId'>,
): Promise<void> {
  const { id, userId, askedBy, change, codeMac, createdAt, expiresAt } = asked
  await tx.run(sql`
    update requested_changes set ended_at = ${createdAt}
     where organisation_id = ${organisationId} and user_id = ${userId} and what = ${change.what} and ended_at is null`)
  await tx.run(sql`
    insert into requested_changes (organisation_id, id, user_id, asked_by, what, change, code_mac, created_at, expires_at)
    values (${organisationId}, ${id}, ${userId}, ${askedBy}, ${change.what}, ${JSON.stringify(change)}::jsonb, ${codeMac}, ${createdAt}, ${expiresAt})`)
}

/** Across all organisations of the person. The caller must have locked the person's row. */
export function listOpenAskedChanges(tx: Tx, userId: UserId, now: Date): Promise<RequestedChange[]> {
  return tx.rows(sql`
    select ${columns} from requested_changes where user_id = ${userId} and ended_at is null and expires_at > ${now} order by created_at, id`)
}

export async function endAskedChange(
  tx: Tx,
  organisationId: OrganisationId,
  id: RequestedChangeId,
  now: Date,
): Promise<void> {
  await tx.run(
    sql`update requested_changes set ended_at = ${now} where organisation_id = ${organisationId} and id = ${id}`,
  )
}

/** Times at which an organisation asked a person since a moment, earliest first. */
export async function listAskedSince(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
  since: Date,
): Promise<Date[]> {
  const rows = await tx.rows<{ createdAt: Date }>(sql`
    select created_at from requested_changes
     where organisation_id = ${organisationId} and user_id = ${userId} and created_at > ${since} order by created_at`)
  return rows.map(({ createdAt }) => createdAt)
}

export function purgeAskedChanges(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from requested_changes where (organisation_id, id) in (
      select organisation_id, id from requested_changes where expires_at < ${before} limit ${limit})`)
}
