import type { OrganisationId, RoleId, UserId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export interface Organisation {
  readonly id: OrganisationId
  readonly name: string
  readonly country: string
  readonly createdAt: Date
}

export async function insertOrganisation(tx: Tx, organisation: Organisation): Promise<void> {
  await tx.run(sql`
    insert into organisations (id, name, country, created_at, updated_at)
    values (${organisation.id}, ${organisation.name}, ${organisation.country}, ${organisation.createdAt}, ${organisation.createdAt})`)
}

export async function saveOrganisationName(
  tx: Tx,
  organisationId: OrganisationId,
  name: string,
  country: string,
  now: Date,
): Promise<void> {
  await tx.run(
    sql`update organisations set name = ${name}, country = ${country}, updated_at = ${now} where id = ${organisationId}`,
  )
}

export interface Membership {
  readonly organisationId: OrganisationId
  readonly userId: UserId
  readonly roleId: RoleId
  readonly epoch: number
}

export async function insertMembership(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
  roleId: RoleId,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into memberships (organisation_id, user_id, role_id, joined_at) values (${organisationId}, ${userId}, ${roleId}, ${now})`)
}

/** Where a person may act, the earliest first. */
export function listActiveMemberships(db: Queryable, userId: UserId): Promise<Membership[]> {
  return db.rows(sql`
    select organisation_id, user_id, role_id, epoch from memberships
     where user_id = ${userId} and status = 'active' order by joined_at, organisation_id`)
}

export function findActiveMembership(
  db: Queryable,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<Membership | undefined> {
  return db.maybe(sql`
    select organisation_id, user_id, role_id, epoch from memberships
     where organisation_id = ${organisationId} and user_id = ${userId} and status = 'active'`)
}
