import type { Capability } from '../../../kernel/capabilities.ts'
import type { OrganisationId, RoleId, UserId } from '../../../kernel/ids.ts'
import { mapped, type Page, type PageRequest } from '../../../kernel/paging.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, sql } from '../../../platform/database/sql.ts'
import { type RoleColumns, roleFrom } from '../members/member.ts'
import type { Invitation, InvitationId, InvitationStatus } from './invitation.ts'

/** An invitation past its time is expired even before the sweep has seen it. */
const statusAt = (now: Date) =>
  sql`case when i.status = 'pending' and i.expires_at <= ${now} then 'expired' else i.status end`

const columns = (now: Date) => sql`
  i.organisation_id, i.id, i.email, i.full_name, i.extra_capabilities, i.message, ${statusAt(now)} as status, i.invited_by, i.created_at, i.expires_at,
  i.role_id, r.name as custom_name, r.display_name as custom_label, r.description as custom_description, r.capabilities as custom_capabilities`

const tables = sql`invitations i left join roles r on r.organisation_id = i.organisation_id and r.id = i.custom_role_id`

type InvitationRow = Omit<Invitation, 'role'> & RoleColumns

function toInvitation(row: InvitationRow): Invitation {
  const { roleId, customName, customLabel, customDescription, customCapabilities, ...rest } = row
  return { ...rest, role: roleFrom({ roleId, customName, customLabel, customDescription, customCapabilities }) }
}

export interface NewInvitation {
  readonly id: InvitationId
  readonly email: string
  readonly fullName: string
  readonly roleId: RoleId
  readonly extraCapabilities: readonly Capability[]
  readonly message: string | null
  readonly codeMac: string
  readonly codeHash: string
  readonly invitedBy: UserId
  readonly expiresAt: Date
}

/** False if the address has a pending invitation to this organisation. */
export async function insertInvitation(
  tx: Tx,
  organisationId: OrganisationId,
  invitation: NewInvitation,
  now: Date,
): Promise<boolean> {
  const { id, email, fullName, roleId, extraCapabilities, message, codeMac, codeHash, invitedBy, expiresAt } =
    invitation
  const inserted = await tx.run(sql`
    insert into invitations (organisation_id, id, email, full_name, role_id, extra_capabilities, message, code_mac, code_hash, invited_by, created_at, expires_at)
    values (${organisationId}, ${id}, ${email}, ${fullName}, ${roleId}, ${extraCapabilities}, ${message}, ${codeMac}, ${codeHash}, ${invitedBy}, ${now}, ${expiresAt})
    on conflict (organisation_id, lower(email)) where status = 'pending' do nothing`)
  return inserted === 1
}

export async function findInvitation(
  db: Queryable,
  organisationId: OrganisationId,
  id: InvitationId,
  now: Date,
): Promise<Invitation | undefined> {
  const row = await db.maybe<InvitationRow>(
    sql`select ${columns(now)} from ${tables} where i.organisation_id = ${organisationId} and i.id = ${id}`,
  )
  return row && toInvitation(row)
}

export async function lockInvitation(
  tx: Tx,
  organisationId: OrganisationId,
  id: InvitationId,
  now: Date,
): Promise<Invitation | undefined> {
  const row = await tx.maybe<InvitationRow>(sql`
    select ${columns(now)} from ${tables} where i.organisation_id = ${organisationId} and i.id = ${id} for no key update of i`)
  return row && toInvitation(row)
}

/** Locks the matched invitation. `undefined` if it has received another code since. */
export async function lockMatchedInvitation(
  tx: Tx,
  organisationId: OrganisationId,
  { id, codeHash }: Pick<InvitationByCode, 'id' | 'codeHash'>,
  now: Date,
): Promise<Invitation | undefined> {
  const row = await tx.maybe<InvitationRow>(sql`
    select ${columns(now)} from ${tables}
     where i.organisation_id = ${organisationId} and i.id = ${id} and i.code_hash = ${codeHash} for no key update of i`)
  return row && toInvitation(row)
}

export async function listInvitations(
  db: Queryable,
  organisationId: OrganisationId,
  status: InvitationStatus,
  now: Date,
  page: PageRequest,
): Promise<Page<Invitation>> {
  const matching = joined([sql`i.organisation_id = ${organisationId}`, sql`${statusAt(now)} = ${status}`], ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from invitations i where ${matching}`,
  )
  const order = newestFirst(sql`i.created_at`, sql`i.id`)
  const query = { columns: columns(now), tables, matching, order, total }
  return mapped(await readPage<InvitationRow>(db, query, page), toInvitation)
}

/** The person who sends an invitation again becomes its sender. */
export async function saveNewCode(
  tx: Tx,
  organisationId: OrganisationId,
  id: InvitationId,
  renewed: Pick<NewInvitation, 'codeMac' | 'codeHash' | 'invitedBy' | 'expiresAt'>,
): Promise<void> {
  const { codeMac, codeHash, invitedBy, expiresAt } = renewed
  await tx.run(sql`
    update invitations set code_mac = ${codeMac}, code_hash = ${codeHash}, invited_by = ${invitedBy}, expires_at = ${expiresAt}
     where organisation_id = ${organisationId} and id = ${id}`)
}

/** Withdraws all pending invitations of a sender and returns them. */
export function withdrawPendingBy(
  tx: Tx,
  organisationId: OrganisationId,
  invitedBy: UserId,
  now: Date,
): Promise<Pick<Invitation, 'id' | 'email'>[]> {
  return tx.rows(sql`
    update invitations set status = 'withdrawn', ended_at = ${now}
     where organisation_id = ${organisationId} and invited_by = ${invitedBy} and status = 'pending' and expires_at > ${now}
    returning id, email`)
}

export async function saveInvitationEnded(
  tx: Tx,
  organisationId: OrganisationId,
  id: InvitationId,
  status: InvitationStatus,
  now: Date,
): Promise<boolean> {
  return (
    (await tx.run(sql`
    update invitations set status = ${status}, ended_at = ${now} where organisation_id = ${organisationId} and id = ${id} and status = 'pending'`)) ===
    1
  )
}

export interface InvitationByCode {
  readonly organisationId: OrganisationId
  readonly id: InvitationId
  readonly codeHash: string
}

/** Reads across organisations, because the invited person has only the code. */
export function findPendingByCode(
  db: Queryable,
  email: string,
  codeMacs: readonly string[],
  now: Date,
): Promise<InvitationByCode | undefined> {
  return db.maybe(sql`
    select organisation_id, id, code_hash from invitations
     where lower(email) = ${email} and code_mac = any(${codeMacs}::text[]) and status = 'pending' and expires_at > ${now}`)
}

export interface ExpiredInvitation {
  readonly organisationId: OrganisationId
  readonly id: InvitationId
  readonly email: string
}

/** An expired invitation that the sweep has not seen yet must not block a new one. */
export function expireLapsed(
  tx: Tx,
  organisationId: OrganisationId,
  email: string,
  now: Date,
): Promise<ExpiredInvitation[]> {
  return tx.rows(sql`
    update invitations set status = 'expired', ended_at = expires_at
     where organisation_id = ${organisationId} and lower(email) = ${email} and status = 'pending' and expires_at <= ${now}
    returning organisation_id, id, email`)
}

/** For the sweep, across organisations: those with invitations past their time, after a given one. */
export function listOrganisationsWithLapsed(
  db: Queryable,
  after: OrganisationId,
  now: Date,
  limit: number,
): Promise<{ organisationId: OrganisationId }[]> {
  return db.rows(sql`
    select distinct organisation_id from invitations
     where status = 'pending' and expires_at <= ${now} and organisation_id > ${after} order by organisation_id limit ${limit}`)
}

/** Skips rows that are locked, because they are being accepted or withdrawn. The next run takes them. */
export function expireSome(
  tx: Tx,
  organisationId: OrganisationId,
  now: Date,
  limit: number,
): Promise<ExpiredInvitation[]> {
  return tx.rows(sql`
    with due as materialized (
      select id from invitations
       where organisation_id = ${organisationId} and status = 'pending' and expires_at <= ${now}
       order by expires_at limit ${limit} for no key update skip locked)
    update invitations i set status = 'expired', ended_at = i.expires_at from due
     where i.organisation_id = ${organisationId} and i.id = due.id
    returning i.organisation_id, i.id, i.email`)
}
