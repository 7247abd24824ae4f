import type { Capability } from './capabilities.ts'
import type { ApiKeyId, OrganisationId, RoleId, SessionId, UserId } from './ids.ts'
import type { Tenant } from './tenant.ts'

/** The organisation of people who belong to none: it exists nowhere, so whatever they look for is not found. */
export const noOrganisation = '00000000-0000-0000-0000-000000000000' as OrganisationId

/** A signed-in person, acting for one organisation in one mode. */
export interface UserCaller {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  /** when they proved who they are; refreshing and switching do not count */
  readonly signedInAt: Date
  readonly tenant: Tenant
  /** where the organisation is; nothing for people who belong to none */
  readonly country: string | undefined
  readonly role: { readonly id: RoleId; readonly name: string } | undefined
  readonly capabilities: ReadonlySet<Capability>
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly emailVerified: boolean
  readonly totpEnabled: boolean
}

/** A program with an API key, or with a short-lived token issued to that key. */
export interface KeyCaller {
  readonly kind: 'api_key'
  readonly keyId: ApiKeyId
  readonly name: string
  /** the key itself was shown, not a token issued to it */
  readonly itself: boolean
  readonly tenant: Tenant
  readonly country: string
  readonly capabilities: ReadonlySet<Capability>
}

/** Nobody in particular. */
export interface PublicCaller {
  readonly kind: 'public'
}

/** Our own jobs. */
export interface SystemCaller {
  readonly kind: 'system'
}

/** Who stood behind a token, as it is told in what outlives the request. */
export type Maker =
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'key'; readonly id: ApiKeyId }

export type TokenCaller = UserCaller | KeyCaller
export type Caller = TokenCaller | PublicCaller | SystemCaller

export const publicCaller: PublicCaller = { kind: 'public' }
export const systemCaller: SystemCaller = { kind: 'system' }

export const makerOf = (caller: TokenCaller): Maker =>
  caller.kind === 'user' ? { kind: 'session', id: caller.sessionId } : { kind: 'key', id: caller.keyId }
