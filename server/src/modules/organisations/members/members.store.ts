import type { Capability } from '../../../kernel/capabilities.ts'
import type { OrganisationId, RoleId, UserId } from '../../../kernel/ids.ts'
import { mapped, type Page, type PageRequest } from '../../../kernel/paging.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { oldestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, literalLike, sql } from '../../../platform/database/sql.ts'
import type { Organisation } from '../organisation.ts'
import { ownerRoleId } from '../roles/role.ts'
import { type Member, type MemberStatus, type RoleColumns, roleFrom } from './member.ts'

const memberColumns = sql`
  m.organisation_id, m.user_id, u.email, u.first_name, u.last_name, u.phone, u.phone_verified_at is not null as phone_verified,
  u.email_verified_at is not null as email_verified, u.totp_enabled_at is not null as totp_enabled, m.extra_capabilities, m.status, m.joined_at,
  m.role_id, r.name as custom_name, r.display_name as custom_label, r.description as custom_description, r.capabilities as custom_capabilities`

const memberTables = sql`
  memberships m join users u on u.id = m.user_id
  left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id`

type MemberRow = Omit<Member, 'role'> & RoleColumns

function toMember(row: MemberRow): Member {
  const { roleId, customName, customLabel, customDescription, customCapabilities, ...rest } = row
  return { ...rest, role: roleFrom({ roleId, customName, customLabel, customDescription, customCapabilities }) }
}

export interface NewMembership {
  readonly userId: UserId
  readonly roleId: RoleId
  readonly extraCapabilities: readonly Capability[]
}

/** False if the person is a member already. */
export async function insertMembership(
  tx: Tx,
  organisationId: OrganisationId,
  membership: NewMembership,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into memberships (organisation_id, user_id, role_id, extra_capabilities, joined_at)
    values (${organisationId}, ${membership.userId}, ${membership.roleId}, ${membership.extraCapabilities}, ${now})
    on conflict (organisation_id, user_id) do nothing`)
  return inserted === 1
}

export async function findMember(
  db: Queryable,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<Member | undefined> {
  const row = await db.maybe<MemberRow>(sql`
    select ${memberColumns} from ${memberTables} where m.organisation_id = ${organisationId} and m.user_id = ${userId}`)
  return row && toMember(row)
}

export async function lockMember(tx: Tx, organisationId: OrganisationId, userId: UserId): Promise<Member | undefined> {
  const row = await tx.maybe<MemberRow>(sql`
    select ${memberColumns} from ${memberTables} where m.organisation_id = ${organisationId} and m.user_id = ${userId} for no key update of m`)
  return row && toMember(row)
}

/** Whether a person belongs to any other organisation, in any status. */
export async function belongsElsewhere(
  db: Queryable,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<boolean> {
  const { elsewhere } = await db.one<{ elsewhere: boolean }>(sql`
    select exists (select 1 from memberships where user_id = ${userId} and organisation_id <> ${organisationId}) as elsewhere`)
  return elsewhere
}

export async function isMemberByEmail(db: Queryable, organisationId: OrganisationId, email: string): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from memberships m join users u on u.id = m.user_id where m.organisation_id = ${organisationId} and lower(u.email) = ${email}`)
  return found !== undefined
}

/** Whether an active member has proved that the address is theirs. */
export async function isOwnAddress(db: Queryable, organisationId: OrganisationId, email: string): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from memberships m join users u on u.id = m.user_id
     where m.organisation_id = ${organisationId} and m.status = 'active' and lower(u.email) = lower(${email}) and u.email_verified_at is not null`)
  return found !== undefined
}

export interface MemberFilter {
  readonly status?: MemberStatus | undefined
  readonly roleId?: RoleId | undefined
  /** Beginning of a name or of the email address. */
  readonly search?: string | undefined
}

export async function listMembers(
  db: Queryable,
  organisationId: OrganisationId,
  filter: MemberFilter,
  page: PageRequest,
): Promise<Page<Member>> {
  const { status, roleId, search } = filter
  const conditions = [sql`m.organisation_id = ${organisationId}`]
  if (status !== undefined) conditions.push(sql`m.status = ${status}`)
  if (roleId !== undefined) conditions.push(sql`m.role_id = ${roleId}`)
  if (search !== undefined) {
    const start = `${literalLike(search.toLowerCase())}%`
    conditions.push(
      sql`(lower(u.first_name || ' ' || u.last_name) like ${start} or lower(u.last_name) like ${start} or lower(u.email) like ${start})`,
    )
  }
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from ${memberTables} where ${matching}`,
  )
  const order = oldestFirst(sql`m.joined_at`, sql`m.user_id`)
  const query = { columns: memberColumns, tables: memberTables, matching, order, total }
  return mapped(await readPage<MemberRow>(db, query, page), toMember)
}

export async function listActiveMembers(
  db: Queryable,
  organisationId: OrganisationId,
  limit: number,
): Promise<Member[]> {
  const rows = await db.rows<MemberRow>(sql`
    select ${memberColumns} from ${memberTables}
     where m.organisation_id = ${organisationId} and m.status = 'active' order by m.joined_at, m.user_id limit ${limit}`)
  return rows.map(toMember)
}

export async function listOwners(db: Queryable, organisationId: OrganisationId): Promise<Member[]> {
  const rows = await db.rows<MemberRow>(sql`
    select ${memberColumns} from ${memberTables}
     where m.organisation_id = ${organisationId} and m.status = 'active' and m.role_id = ${ownerRoleId} order by m.joined_at, m.user_id`)
  return rows.map(toMember)
}

export interface OrganisationOfPerson extends Pick<Organisation, 'id' | 'parentId' | 'name' | 'country'> {
  readonly role: Member['role']
  readonly status: MemberStatus
  readonly joinedAt: Date
}

export async function listOrganisationsOf(
  db: Queryable,
  userId: UserId,
  page: PageRequest,
): Promise<Page<OrganisationOfPerson>> {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from memberships where user_id = ${userId}`,
  )
  const columns = sql`
    o.id, o.parent_id, o.name, o.country, m.status, m.joined_at,
           m.role_id, r.name as custom_name, r.display_name as custom_label, r.description as custom_description, r.capabilities as custom_capabilities`
  const tables = sql`
    memberships m join organisations o on o.id = m.organisation_id
      left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id`
  const matching = sql`m.user_id = ${userId}`
  const order = oldestFirst(sql`m.joined_at`, sql`o.id`)
  type Row = Omit<OrganisationOfPerson, 'role'> & RoleColumns
  const found = await readPage<Row>(db, { columns, tables, matching, order, total }, page)
  return mapped(found, (row) => ({ ...row, role: roleFrom(row) }))
}

/** Children of an organisation that a person owns, by name. Few people have more. */
export function listChildrenOwnedBy(
  db: Queryable,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<Pick<Organisation, 'id' | 'name'>[]> {
  return db.rows(sql`
    select o.id, o.name from organisations o
      join memberships m on m.organisation_id = o.id and m.user_id = ${userId} and m.role_id = ${ownerRoleId}
     where o.parent_id = ${organisationId} order by o.name, o.id limit 100`)
}

export interface ActiveMembership extends Pick<Member, 'organisationId' | 'role' | 'extraCapabilities'> {
  readonly organisationName: string
}

/** The organisations in which a person is active, earliest first. */
export async function listActiveMemberships(db: Queryable, userId: UserId): Promise<ActiveMembership[]> {
  type Row = Omit<ActiveMembership, 'role'> & RoleColumns
  const rows = await db.rows<Row>(sql`
    select m.organisation_id, o.name as organisation_name, m.extra_capabilities,
           m.role_id, r.name as custom_name, r.display_name as custom_label, r.description as custom_description, r.capabilities as custom_capabilities
      from memberships m join organisations o on o.id = m.organisation_id
      left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id
     where m.user_id = ${userId} and m.status = 'active' order by m.joined_at, m.organisation_id`)
  return rows.map(({ organisationId, organisationName, extraCapabilities, ...role }) => ({
    organisationId,
    organisationName,
    extraCapabilities,
    role: roleFrom(role),
  }))
}

/** Epoch for a token issued now. `undefined` if the person is not active in the organisation. */
export async function findMembershipEpoch(
  db: Queryable,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<string | undefined> {
  const row = await db.maybe<{ epoch: string }>(sql`
    select m.epoch || '.' || coalesce(r.epoch, 0) as epoch
      from memberships m left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id
     where m.organisation_id = ${organisationId} and m.user_id = ${userId} and m.status = 'active'`)
  return row?.epoch
}

/** Valid only while the organisation's row is locked. */
export async function countOtherOwners(tx: Tx, organisationId: OrganisationId, exceptUserId: UserId): Promise<number> {
  const { owners } = await tx.one<{ owners: number }>(sql`
    select count(*)::int as owners from memberships
     where organisation_id = ${organisationId} and role_id = ${ownerRoleId} and status = 'active' and user_id <> ${exceptUserId}`)
  return owners
}

export async function saveMemberRole(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
  roleId: RoleId,
): Promise<void> {
  await tx.run(sql`
    update memberships set role_id = ${roleId}, epoch = epoch + 1 where organisation_id = ${organisationId} and user_id = ${userId}`)
}

export async function saveMemberStatus(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
  status: MemberStatus,
  reason: string | null,
): Promise<void> {
  await tx.run(sql`
    update memberships set status = ${status}, status_reason = ${reason}, epoch = epoch + 1
     where organisation_id = ${organisationId} and user_id = ${userId}`)
}

export async function saveExtraCapabilities(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
  extra: readonly Capability[],
): Promise<void> {
  await tx.run(sql`
    update memberships set extra_capabilities = ${extra}, epoch = epoch + 1 where organisation_id = ${organisationId} and user_id = ${userId}`)
}

export async function deleteMembership(tx: Tx, organisationId: OrganisationId, userId: UserId): Promise<void> {
  await tx.run(sql`delete from memberships where organisation_id = ${organisationId} and user_id = ${userId}`)
}
