import type { Capability } from '../../kernel/capabilities.ts'
import type { ApiKeyId, OrganisationId, UserId } from '../../kernel/ids.ts'
import { type Fault, refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Role } from '../organisations/index.ts'

export const keyStatuses = ['active', 'rotating', 'revoked', 'expired'] as const
export type KeyStatus = (typeof keyStatuses)[number]

export interface ApiKey {
  readonly organisationId: OrganisationId
  readonly id: ApiKeyId
  readonly mode: Mode
  readonly name: string
  readonly hint: string
  readonly preset: string | null
  /** what the key holds by itself; a key with a role holds what the role holds instead */
  readonly ownCapabilities: readonly Capability[]
  readonly role: Role | null
  readonly requestsPerMinute: number | null
  readonly dailyQuota: number | null
  readonly createdBy: UserId | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly stopsAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

export const capabilitiesOfKey = (key: Pick<ApiKey, 'role' | 'ownCapabilities'>): readonly Capability[] =>
  key.role?.capabilities ?? key.ownCapabilities

/** Derived, so that a key expires and stops by itself; what ended it first is what it stays. */
export function statusOf(
  { revokedAt, stopsAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'stopsAt' | 'expiresAt'>,
  now: Date,
): KeyStatus {
  const expiresFirst = stopsAt && expiresAt && expiresAt < stopsAt
  if (revokedAt || (stopsAt && stopsAt <= now && !expiresFirst)) return 'revoked'
  if (expiresAt && expiresAt <= now) return 'expired'
  return stopsAt ? 'rotating' : 'active'
}

export interface ShownKey extends ApiKey {
  readonly status: KeyStatus
}

export const shown = (key: ApiKey, now: Date): ShownKey => ({ ...key, status: statusOf(key, now) })

const hour = 3600_000

/** More than an hour ahead, at most two years. */
export function expiryFaults(expiresAt: Date | undefined, now: Date): Fault[] {
  if (expiresAt === undefined) return []
  const ahead = expiresAt.getTime() - now.getTime()
  // Our calendar has no leap seconds, although the form of an instant does.
  if (Number.isNaN(ahead)) return [{ path: 'expiresAt', rule: 'format', message: 'must be an instant that exists' }]
  if (ahead <= hour) return [{ path: 'expiresAt', rule: 'minimum', message: 'must be more than one hour ahead' }]
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + 2)
  if (expiresAt > latest) return [{ path: 'expiresAt', rule: 'maximum', message: 'must be at most two years ahead' }]
  return []
}

/** Live keys touch real money and filings that cannot be undone: making one takes a capability of its own. */
export function requireLiveMode(own: ReadonlySet<Capability>, mode: Mode): void {
  if (mode === 'live' && !own.has('live_mode.use')) throw refuse('live_mode.not_allowed')
}
