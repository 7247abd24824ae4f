import type { Capability } from '../../kernel/capabilities.ts'
import type { OrganisationId, SessionId, UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findOwned } from '../../platform/database/their-shards.store.ts'
import type { RoleColumns } from '../organisations/index.ts'

export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  readonly organisationId: OrganisationId | null
  readonly mode: Mode
  readonly epoch: number
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

const columns = sql`id, user_id, organisation_id, mode, epoch, address, user_agent, created_at, last_used_at, expires_at`

export async function insertSession(tx: Tx, session: Session): Promise<void> {
  await tx.run(sql`
    insert into sessions (id, user_id, organisation_id, mode, epoch, address, user_agent, created_at, last_used_at, expires_at)
    values (${session.id}, ${session.userId}, ${session.organisationId}, ${session.mode}, ${session.epoch}, ${session.address},
            ${session.userAgent}, ${session.createdAt}, ${session.lastUsedAt}, ${session.expiresAt})`)
}

export function lockLiveSession(tx: Tx, id: SessionId, now: Date): Promise<Session | undefined> {
  return tx.maybe(
    sql`select ${columns} from sessions where id = ${id} and ended_at is null and expires_at > ${now} for no key update`,
  )
}

export function listLiveSessions(db: Queryable, userId: UserId, now: Date): Promise<Session[]> {
  return db.rows(sql`
    select ${columns} from sessions where user_id = ${userId} and ended_at is null and expires_at > ${now} order by last_used_at desc, id desc`)
}

export async function lastOrganisation(db: Queryable, userId: UserId): Promise<OrganisationId | null> {
  const row = await db.maybe<{ organisationId: OrganisationId | null }>(sql`
    select organisation_id from sessions where user_id = ${userId} order by last_used_at desc limit 1`)
  return row?.organisationId ?? null
}

export function saveSessionPlace(
  tx: Tx,
  id: SessionId,
  organisationId: OrganisationId | null,
  mode: Mode,
): Promise<Session> {
  return tx.one(sql`
    update sessions set organisation_id = ${organisationId}, mode = ${mode}, epoch = epoch + 1 where id = ${id} returning ${columns}`)
}

export async function saveSessionUsed(tx: Tx, id: SessionId, now: Date, expiresAt: Date): Promise<void> {
  await tx.run(sql`update sessions set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${id}`)
}

export async function endSession(tx: Tx, userId: UserId, id: SessionId, now: Date): Promise<boolean> {
  return (
    (await tx.run(
      sql`update sessions set ended_at = ${now} where id = ${id} and user_id = ${userId} and ended_at is null and expires_at > ${now}`,
    )) === 1
  )
}

/** Ends all sessions of a person except `kept` and returns their ids. */
export async function endSessionsOf(tx: Tx, userId: UserId, kept: SessionId | null, now: Date): Promise<SessionId[]> {
  const ended = await tx.rows<{ id: SessionId }>(sql`
    update sessions set ended_at = ${now} where user_id = ${userId} and ended_at is null and id is distinct from ${kept} returning id`)
  return ended.map((row) => row.id)
}

/** A session has one working refresh token. A new one retires those before. */
export async function replaceRefreshToken(tx: Tx, sessionId: SessionId, tokenHash: string, now: Date): Promise<void> {
  await tx.run(sql`update refresh_tokens set used_at = ${now} where session_id = ${sessionId} and used_at is null`)
  await tx.run(
    sql`insert into refresh_tokens (token_hash, session_id, issued_at) values (${tokenHash}, ${sessionId}, ${now})`,
  )
}

/** Locked, so that the second of two requests with one token sees that it was used. */
export function lockRefreshToken(
  tx: Tx,
  tokenHash: string,
): Promise<{ sessionId: SessionId; usedAt: Date | null } | undefined> {
  return tx.maybe(sql`select session_id, used_at from refresh_tokens where token_hash = ${tokenHash} for no key update`)
}

export function purgeSessions(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from sessions where id in (
      select id from sessions where expires_at < ${before} or ended_at < ${before} limit ${limit})`)
}

export interface SessionPrincipal {
  readonly userId: UserId
  readonly organisationId: OrganisationId | null
  readonly mode: Mode
  readonly country: string | null
  readonly sessionEpoch: number
  readonly signedInAt: Date
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly emailVerified: boolean
  readonly totpEnabled: boolean
  readonly membershipEpoch: string | null
  readonly extraCapabilities: readonly Capability[] | null
  readonly roleId: RoleColumns['roleId'] | null
  readonly customName: string | null
  readonly customCapabilities: readonly Capability[] | null
}

/** One round trip on one PostgreSQL, because every request needs it. */
export function findSessionPrincipal(
  db: Queryable,
  sessionId: SessionId,
  now: Date,
): Promise<SessionPrincipal | undefined> {
  return findOwned(
    db,
    sql`select organisation_id from sessions where id = ${sessionId}`,
    (named) => sql`
    select s.user_id, s.organisation_id, s.mode, o.country, s.epoch as session_epoch, s.created_at as signed_in_at,
           u.email, u.first_name, u.last_name, u.email_verified_at is not null as email_verified, u.totp_enabled_at is not null as totp_enabled,
           m.role_id, m.extra_capabilities, m.epoch || '.' || coalesce(r.epoch, 0) as membership_epoch,
           r.name as custom_name, r.capabilities as custom_capabilities
      from sessions s
      join users u on u.id = s.user_id
      left join organisations o on o.id = s.organisation_id
      left join memberships m
        on m.organisation_id = s.organisation_id and m.user_id = s.user_id and m.status = 'active' ${named('m')}
      left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id ${named('r')}
     where s.id = ${sessionId} and s.ended_at is null and s.expires_at > ${now}`,
  )
}

/** The member behind a session. `undefined` if the session has ended or the member is not active. */
export function findSessionMember(
  db: Queryable,
  organisationId: OrganisationId,
  sessionId: SessionId,
  now: Date,
): Promise<(RoleColumns & { readonly extraCapabilities: readonly Capability[] }) | undefined> {
  return db.maybe(sql`
    select m.role_id, m.extra_capabilities, r.name as custom_name, r.display_name as custom_label, r.description as custom_description,
           r.capabilities as custom_capabilities
      from sessions s
      join memberships m on m.organisation_id = ${organisationId} and m.user_id = s.user_id and m.status = 'active'
      left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id
     where s.id = ${sessionId} and s.ended_at is null and s.expires_at > ${now}`)
}
