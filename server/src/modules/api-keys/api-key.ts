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
  /** Capabilities of the key itself. A key with a role has those of the role instead. */
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

/** Derived from times, so that a key expires and stops without a job. The first end counts. */
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

/** At least an hour ahead, at most two years. */
export function expiryFaults(expiresAt: Date | undefined, now: Date): Fault[] {
  if (expiresAt === undefined) return []
  const ahead = expiresAt.getTime() - now.getTime()
  // Our calendar has no leap seconds, although an instant can be written with one.
  if (Number.isNaN(ahead)) return [{ path: 'expiresAt', rule: 'format', message: 'must be a time that exists' }]
  if (ahead <= hour) return [{ path: 'expiresAt', rule: 'minimum', message: 'must be more than one hour ahead' }]
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + 2)
  if (expiresAt > latest) return [{ path: 'expiresAt', rule: 'maximum', message: 'must be at most two years ahead' }]
  return []
}

/** Live keys act with real money and final reports, so that creating one needs its own capability. */
export function requireLiveMode(own: ReadonlySet<Capability>, mode: Mode): void {
  if (mode === 'live' && !own.has('live_mode.use')) throw refuse('live_mode.not_allowed')
}
