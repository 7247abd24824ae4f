import type { Capability } from './capabilities.ts'
import type { ApiKeyId, OrganisationId, ProgramId, RoleId, SessionId, UserId } from './ids.ts'
import type { Tenant } from './tenant.ts'

/** The organisation of people who belong to none. It does not exist, so that every lookup finds no rows. */
export const noOrganisation = '00000000-0000-0000-0000-000000000000' as OrganisationId

/** A signed-in person, acting for one organisation in one mode. */
export interface UserCaller {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  /** When the person entered the password. Refreshing and switching do not change it. */
  readonly signedInAt: Date
  readonly tenant: Tenant
  /** `undefined` for people who belong to no organisation. */
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
  /** True if the key itself was sent, false if a token issued to the key was. */
  readonly itself: boolean
  readonly tenant: Tenant
  readonly country: string
  readonly capabilities: ReadonlySet<Capability>
}

/** A program that a person connected. It acts for that person in one organisation and one mode, with some of the person's capabilities. */
export interface ProgramCaller {
  readonly kind: 'program'
  readonly programId: ProgramId
  readonly name: string
  /** true if its token is for `/mcp` alone, where every change is prepared and confirmed */
  readonly isForMcpOnly: boolean
  readonly userId: UserId
  readonly tenant: Tenant
  readonly country: string
  readonly role: { readonly id: RoleId; readonly name: string }
  readonly capabilities: ReadonlySet<Capability>
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/** A caller without credentials. */
export interface PublicCaller {
  readonly kind: 'public'
}

/** Our own background jobs. */
export interface SystemCaller {
  readonly kind: 'system'
}

/** Who was behind a token, as stored in rows that outlive the request. */
export type Maker =
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'key'; readonly id: ApiKeyId }
  | { readonly kind: 'program'; readonly id: ProgramId }

export type TokenCaller = UserCaller | KeyCaller | ProgramCaller
export type Caller = TokenCaller | PublicCaller | SystemCaller

export const publicCaller: PublicCaller = { kind: 'public' }
export const systemCaller: SystemCaller = { kind: 'system' }

export function makerOf(caller: TokenCaller): Maker {
  switch (caller.kind) {
    case 'user':
      return { kind: 'session', id: caller.sessionId }
    case 'api_key':
      return { kind: 'key', id: caller.keyId }
    case 'program':
      return { kind: 'program', id: caller.programId }
  }
}
