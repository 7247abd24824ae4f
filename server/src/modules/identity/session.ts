import { hash, randomBytes } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import { newId, type OrganisationId, type SessionId, type UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { accessTokenSeconds, signAccessToken } from '../../platform/callers/access-token.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { findMembershipEpoch, listActiveMemberships } from '../organisations/index.ts'
import {
  insertSession,
  lastOrganisation,
  replaceRefreshToken,
  type Session,
  saveSessionPlace,
  saveSessionUsed,
} from './sessions.store.ts'

/** Counted from the last refresh. */
export const sessionLifeSeconds = 30 * 24 * 3600
const sessionLifeMs = sessionLifeSeconds * 1000
export const longestUserAgent = 300

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  readonly organisationId: OrganisationId | null
  readonly mode: Mode
}

/** Epoch in the token of a person without an organisation. */
export const noMembership = ''

export const sessionSubject = (id: SessionId) => `session:${id}`

export const hashRefreshToken = (token: string): string => hash('sha256', token)

/**
 * The organisation that the person last worked in, if they are still active there. Otherwise the first that they
 * joined.
 */
async function startingOrganisation(context: Inside<Caller>, userId: UserId): Promise<OrganisationId | null> {
  const open = (await listActiveMemberships(context.tx, userId)).map(({ organisationId }) => organisationId)
  const last = await lastOrganisation(context.tx, userId)
  return open.find((id) => id === last) ?? open[0] ?? null
}

export async function openSession(context: Inside<Caller>, userId: UserId, mode: Mode): Promise<TokenPair> {
  const { now, origin } = context
  const session: Session = {
    id: newId(),
    userId,
    organisationId: await startingOrganisation(context, userId),
    mode,
    epoch: 1,
    address: origin.address,
    userAgent: origin.userAgent.slice(0, longestUserAgent),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + sessionLifeMs),
  }
  await insertSession(context.tx, session)
  return await issueTokens(context, session)
}

/** A person who was suspended or removed continues in another of their organisations, or in none. */
export async function leaveClosedOrganisation(context: Inside<Caller>, session: Session): Promise<Session> {
  const { organisationId, userId } = session
  if (organisationId === null || (await findMembershipEpoch(context.tx, organisationId, userId)) !== undefined)
    return session
  return await saveSessionPlace(context.tx, session.id, await startingOrganisation(context, userId), session.mode)
}

/** The old refresh token stops working. Its reuse would end the session. */
export async function issueTokens(context: Inside<Caller>, session: Session): Promise<TokenPair> {
  const { tx, now, vault } = context
  const { id, userId, organisationId, mode, epoch } = session
  const refreshToken = `rt_${randomBytes(32).toString('base64url')}`
  await replaceRefreshToken(tx, id, hashRefreshToken(refreshToken), now)
  await saveSessionUsed(tx, id, now, new Date(now.getTime() + sessionLifeMs))
  const membershipEpoch = (organisationId && (await findMembershipEpoch(tx, organisationId, userId))) ?? noMembership
  const accessToken = await signAccessToken(
    vault,
    { kind: 'user', userId, sessionId: id, sessionEpoch: epoch, membershipEpoch },
    now,
  )
  return { accessToken, refreshToken, expiresIn: accessTokenSeconds, organisationId, mode }
}
