import { noOrganisation } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Authenticated, CallerLoader } from '../../platform/authentication.ts'
import type { RateLimits } from '../../platform/config.ts'
import type { Queryable } from '../../platform/database.ts'
import type { RateLimit } from '../../platform/rate-limits.ts'
import type { Vault } from '../../platform/secrets.ts'
import { findUsableKey, findUsableKeyByHash, hashOfKey, isKeyText, type KeyPrincipal } from '../api-keys/index.ts'
import { roleById } from '../organisations/index.ts'
import { type KeyClaims, readAccessToken, type UserClaims } from './access-token.ts'
import { keySubject, membershipSubject, sessionSubject, userSubject } from './session.ts'
import { findSessionPrincipal } from './sessions.store.ts'

const perMinute = (subject: string, perWindow: number): RateLimit => ({ subject, perWindow, windowSeconds: 60 })

/** Turns a bearer token into its caller: an API key, a token issued to a key, or a user's access token. */
export function callerLoader(vault: Vault, limits: RateLimits): CallerLoader {
  return async (db, token, now) => {
    if (token.startsWith('sk_')) {
      const key = isKeyText(token) ? await findUsableKeyByHash(db, hashOfKey(token), now) : undefined
      if (!key) throw refuse('auth.token_invalid')
      return keyCaller(key, true, key.expiresAt ?? undefined, limits)
    }
    const { claims, expiresAt } = await readAccessToken(vault, token, now)
    return claims.kind === 'key'
      ? await tokenOfKey(db, claims, expiresAt, now, limits)
      : await tokenOfUser(db, claims, expiresAt, now, limits)
  }
}

function keyCaller(
  key: KeyPrincipal,
  itself: boolean,
  validUntil: Date | undefined,
  limits: RateLimits,
): Authenticated {
  const { id, name, organisationId, mode } = key
  return {
    caller: {
      kind: 'api_key',
      keyId: id,
      name,
      itself,
      tenant: { organisationId, mode },
      capabilities: new Set(key.capabilities),
    },
    validUntil,
    subjects: [keySubject(id)],
    limits: [perMinute(keySubject(id), limits.key)],
  }
}

async function tokenOfKey(
  db: Queryable,
  claims: KeyClaims,
  tokenExpiresAt: Date,
  now: Date,
  limits: RateLimits,
): Promise<Authenticated> {
  const key = await findUsableKey(db, claims.organisationId, claims.keyId, now)
  if (!key) throw refuse('auth.token_invalid')
  if (key.epoch !== claims.keyEpoch) throw refuse('auth.token_outdated')
  const validUntil = key.expiresAt && key.expiresAt < tokenExpiresAt ? key.expiresAt : tokenExpiresAt
  return keyCaller(key, false, validUntil, limits)
}

async function tokenOfUser(
  db: Queryable,
  claims: UserClaims,
  validUntil: Date,
  now: Date,
  limits: RateLimits,
): Promise<Authenticated> {
  const { sessionId, userId } = claims
  const found = await findSessionPrincipal(db, sessionId, now)
  if (!found || found.userId !== userId) throw refuse('auth.token_invalid')
  if (found.sessionEpoch !== claims.sessionEpoch || (found.membershipEpoch ?? 0) !== claims.membershipEpoch)
    throw refuse('auth.token_outdated')
  const { organisationId, mode, email, firstName, lastName, emailVerified, totpEnabled, roleId } = found
  const role = roleId ? roleById(roleId) : undefined
  return {
    caller: {
      kind: 'user',
      userId,
      sessionId,
      email,
      firstName,
      lastName,
      emailVerified,
      totpEnabled,
      tenant: { organisationId: organisationId ?? noOrganisation, mode },
      role: role && { id: role.id, name: role.name },
      capabilities: role?.capabilities ?? new Set(),
    },
    validUntil,
    subjects: [
      sessionSubject(sessionId),
      userSubject(userId),
      membershipSubject(organisationId ?? noOrganisation, userId),
    ],
    limits: [perMinute(sessionSubject(sessionId), limits.session)],
  }
}
