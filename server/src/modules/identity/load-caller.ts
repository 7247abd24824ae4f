import { noOrganisation } from '../../kernel/callers.ts'
import type { OrganisationId, SessionId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import {
  type KeyClaims,
  type ProgramClaims,
  readAccessToken,
  type UserClaims,
} from '../../platform/callers/access-token.ts'
import type { Authenticated, CallerLoader } from '../../platform/callers/authentication.ts'
import type { RateLimits } from '../../platform/config.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { RateLimit } from '../../platform/limits/rate-limits.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import {
  capabilitiesOfKey,
  findUsableKey,
  findUsableKeyByText,
  type KeyPrincipal,
  keySubject,
  type LastUsed,
} from '../api-keys/index.ts'
import { capabilitiesWith, membershipSubject, roleFrom, roleSubject } from '../organisations/index.ts'
import { personSubject } from '../people/index.ts'
import { programAccess } from '../programs/index.ts'
import { noMembership, sessionSubject } from './session.ts'
import { findSessionPrincipal } from './sessions.store.ts'

const perMinute = (subject: string, perWindow: number): RateLimit => ({ subject, perWindow, windowSeconds: 60 })
const perDay = (subject: string, perWindow: number): RateLimit => ({ subject, perWindow, windowSeconds: 86_400 })

/**
 * A key's own limits only lower those of the operator. Otherwise anybody who creates keys could lift a limit that
 * protects all others. A daily quota that the limit per minute cannot reach has no effect.
 */
function limitsOfKey(
  { id, organisationId, requestsPerMinute, dailyQuota }: KeyPrincipal,
  most: RateLimits,
): RateLimit[] {
  const subject = keySubject(id)
  const minutely = perMinute(subject, Math.min(requestsPerMinute ?? most.key, most.key))
  const reachable = minutely.perWindow * (86_400 / 60)
  return [
    minutely,
    ...(dailyQuota !== null && dailyQuota < reachable ? [perDay(subject, dailyQuota)] : []),
    perMinute(`keys of organisation:${organisationId}`, most.organisation),
  ]
}

/** People are counted apart from keys and programs, so that a runaway program does not lock out people. */
const limitsOfSession = (sessionId: SessionId, organisationId: OrganisationId, most: RateLimits): RateLimit[] => [
  perMinute(sessionSubject(sessionId), most.session),
  ...(organisationId === noOrganisation
    ? []
    : [perMinute(`people of organisation:${organisationId}`, most.organisation)]),
]

const earliest = (...instants: (Date | null | undefined)[]): Date | undefined =>
  instants.filter((instant) => instant != null).sort((a, b) => a.getTime() - b.getTime())[0]

export interface CallerSources {
  readonly vault: Vault
  readonly limits: RateLimits
  readonly lastUsed: LastUsed
}

/** A key cannot be refreshed, so the message says what to check. */
const wrongKey = 'Check the API key: it is unknown, revoked, expired, or of another installation.'

/** Turns a bearer token into its caller: an API key, or an access token of a key, a program or a person. */
export function callerLoader(sources: CallerSources): CallerLoader {
  return async (db, token, now) => {
    if (token.startsWith('sk_')) {
      const key = await findUsableKeyByText(db, token, now)
      if (!key) throw refuse('auth.token_invalid', { message: wrongKey })
      return keyCaller(key, true, undefined, sources)
    }
    const { claims, resource, expiresAt } = await readAccessToken(sources.vault, token, now)
    switch (claims.kind) {
      case 'key':
        return await tokenOfKey(db, claims, expiresAt, now, sources)
      case 'program':
        return await tokenOfProgram(db, { ...claims, resource }, expiresAt, now, sources)
      case 'user':
        return await tokenOfUser(db, claims, expiresAt, now, sources)
    }
  }
}

function keyCaller(
  key: KeyPrincipal,
  itself: boolean,
  tokenExpiresAt: Date | undefined,
  { limits, lastUsed }: CallerSources,
): Authenticated {
  const { id, name, organisationId, mode, country, role } = key
  return {
    caller: {
      kind: 'api_key',
      keyId: id,
      name,
      itself,
      tenant: { organisationId, mode },
      country,
      capabilities: new Set(capabilitiesOfKey(key)),
    },
    validUntil: earliest(tokenExpiresAt, key.expiresAt, key.stopsAt),
    subjects: [keySubject(id), ...(role && !role.system ? [roleSubject(role.id)] : [])],
    limits: limitsOfKey(key, limits),
    noteUse: () => lastUsed.note(organisationId, id),
  }
}

async function tokenOfKey(
  db: Queryable,
  claims: KeyClaims,
  expiresAt: Date,
  now: Date,
  sources: CallerSources,
): Promise<Authenticated> {
  const key = await findUsableKey(db, claims.organisationId, claims.keyId, now)
  if (!key) throw refuse('auth.token_invalid')
  if (key.epoch !== claims.keyEpoch) throw refuse('auth.token_outdated')
  return keyCaller(key, false, expiresAt, sources)
}

async function tokenOfUser(
  db: Queryable,
  claims: UserClaims,
  validUntil: Date,
  now: Date,
  { limits }: CallerSources,
): Promise<Authenticated> {
  const { sessionId, userId } = claims
  const found = await findSessionPrincipal(db, sessionId, now)
  if (!found || found.userId !== userId) throw refuse('auth.token_invalid')
  if (found.sessionEpoch !== claims.sessionEpoch || (found.membershipEpoch ?? noMembership) !== claims.membershipEpoch)
    throw refuse('auth.token_outdated')
  const { mode, email, firstName, lastName, emailVerified, totpEnabled, roleId, customName, customCapabilities } = found
  const organisationId = found.organisationId ?? noOrganisation
  const role = roleId
    ? roleFrom({ roleId, customName, customCapabilities, customLabel: null, customDescription: null })
    : undefined
  return {
    caller: {
      kind: 'user',
      userId,
      sessionId,
      signedInAt: found.signedInAt,
      email,
      firstName,
      lastName,
      emailVerified,
      totpEnabled,
      tenant: { organisationId, mode },
      country: found.country ?? undefined,
      role: role && { id: role.id, name: role.name },
      capabilities: role ? capabilitiesWith(role, found.extraCapabilities ?? []) : new Set(),
    },
    validUntil,
    subjects: [
      sessionSubject(sessionId),
      personSubject(userId),
      membershipSubject(organisationId, userId),
      ...(role && !role.system ? [roleSubject(role.id)] : []),
    ],
    limits: limitsOfSession(sessionId, organisationId, limits),
  }
}

/** Current capabilities of the person count, so a program loses what its person loses. */
async function tokenOfProgram(
  db: Queryable,
  { programId, resource }: ProgramClaims & { readonly resource: string },
  validUntil: Date,
  now: Date,
  { limits }: CallerSources,
): Promise<Authenticated> {
  const found = await programAccess.findProgramPrincipal(db, programId, now)
  if (!found || found.resource !== resource) throw refuse('auth.token_invalid')
  const { userId, organisationId, mode, country, role, held, name, email, firstName, lastName } = found
  return {
    caller: {
      kind: 'program',
      programId,
      name,
      isForMcpOnly: programAccess.kindOfResource(resource) === 'mcp',
      userId,
      tenant: { organisationId, mode },
      country,
      role: { id: role.id, name: role.name },
      capabilities: held,
      email,
      firstName,
      lastName,
    },
    validUntil,
    subjects: [
      programAccess.programSubject(programId),
      personSubject(userId),
      membershipSubject(organisationId, userId),
      ...(role.system ? [] : [roleSubject(role.id)]),
    ],
    limits: [
      perMinute(programAccess.programSubject(programId), limits.key),
      perMinute(`keys of organisation:${organisationId}`, limits.organisation),
    ],
  }
}
