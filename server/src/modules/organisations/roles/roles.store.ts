import type { OrganisationId, RoleId } from '../../../kernel/ids.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Role, systemRoleById } from './role.ts'

const columns = sql`id, name, display_name as label, description, false as system, capabilities`

/** A role of the system, or of this organisation. */
export async function findRole(db: Queryable, organisationId: OrganisationId, id: RoleId): Promise<Role | undefined> {
  return (
    systemRoleById(id) ??
    (await db.maybe(
      sql`select ${columns} from roles where organisation_id = ${organisationId} and id = ${id} and deleted_at is null`,
    ))
  )
}

/** Locks a role that is about to be assigned. It can be neither changed nor deleted until then. */
export async function lockRole(tx: Tx, organisationId: OrganisationId, id: RoleId): Promise<Role | undefined> {
  return (
    systemRoleById(id) ??
    (await tx.maybe(
      sql`select ${columns} from roles where organisation_id = ${organisationId} and id = ${id} and deleted_at is null for share`,
    ))
  )
}

/** Locks a role for a change. `lockRole` waits for it. */
export function lockCustomRole(tx: Tx, organisationId: OrganisationId, id: RoleId): Promise<Role | undefined> {
  return tx.maybe(
    sql`select ${columns} from roles where organisation_id = ${organisationId} and id = ${id} and deleted_at is null for no key update`,
  )
}

/**
 * `for update`, although the row stays: accepting an invitation assigns its role without locking it, and a later count
 * of the role's holders must not miss that membership.
 */
export function lockRoleToDelete(tx: Tx, organisationId: OrganisationId, id: RoleId): Promise<Role | undefined> {
  return tx.maybe(
    sql`select ${columns} from roles where organisation_id = ${organisationId} and id = ${id} and deleted_at is null for update`,
  )
}

export function listCustomRoles(db: Queryable, organisationId: OrganisationId): Promise<Role[]> {
  return db.rows(
    sql`select ${columns} from roles where organisation_id = ${organisationId} and deleted_at is null order by name`,
  )
}

export type RoleFields = Pick<Role, 'name' | 'label' | 'description' | 'capabilities'>

/** False if the name is taken. */
export async function insertRole(
  tx: Tx,
  organisationId: OrganisationId,
  id: RoleId,
  role: RoleFields,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into roles (organisation_id, id, name, display_name, description, capabilities, created_at, updated_at)
    values (${organisationId}, ${id}, ${role.name}, ${role.label}, ${role.description}, ${role.capabilities}, ${now}, ${now})
    on conflict (organisation_id, name) where deleted_at is null do nothing`)
  return inserted === 1
}

/** False if another role has the name. */
export async function saveRole(
  tx: Tx,
  organisationId: OrganisationId,
  id: RoleId,
  role: RoleFields,
  now: Date,
): Promise<boolean> {
  const saved = await tx.run(sql`
    update roles set name = ${role.name}, display_name = ${role.label}, description = ${role.description},
                     epoch = epoch + (capabilities <> ${role.capabilities})::int, capabilities = ${role.capabilities}, updated_at = ${now}
     where organisation_id = ${organisationId} and id = ${id}
       and not exists (select from roles other where other.organisation_id = ${organisationId} and other.name = ${role.name} and other.id <> ${id} and other.deleted_at is null)`)
  return saved === 1
}

export async function saveRoleDeleted(tx: Tx, organisationId: OrganisationId, id: RoleId, now: Date): Promise<void> {
  await tx.run(sql`update roles set deleted_at = ${now} where organisation_id = ${organisationId} and id = ${id}`)
}

export interface RoleUse {
  readonly users: number
  readonly keys: number
  readonly invitations: number
}

/** Current holders. Ended keys and invitations do not count. */
export function countRoleUse(db: Queryable, organisationId: OrganisationId, id: RoleId, now: Date): Promise<RoleUse> {
  return db.one(sql`
    select (select count(*)::int from memberships where organisation_id = ${organisationId} and role_id = ${id}) as users,
           (select count(*)::int from api_keys where organisation_id = ${organisationId} and role_id = ${id} and revoked_at is null
              and (expires_at is null or expires_at > ${now}) and (stops_at is null or stops_at > ${now})) as keys,
           (select count(*)::int from invitations where organisation_id = ${organisationId} and role_id = ${id} and status = 'pending'
              and expires_at > ${now}) as invitations`)
}
