import type { Capability } from '../../kernel/capabilities.ts'
import type { OrganisationId, ProgramId, UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'

/** Counted from the last token. */
export const programLifeMs = 30 * 24 * 3600_000
/** Programs of one person that work at the same time. */
export const mostPrograms = 50

/** What a person sees of a program. */
export interface ProgramIdentity {
  readonly clientId: string
  readonly name: string
  /** the host that vouches for the name; null for our own programs, and for those that registered themselves */
  readonly host: string | null
}

/** The most that a program may confirm. Null means without a limit. The currency is that of the amounts. */
export interface SpendingLimits {
  readonly mostPerChange: bigint | null
  readonly mostPerDay: bigint | null
  readonly currency: string | null
  readonly mostChangesPerDay: number | null
}

export interface Spent {
  readonly amountMinor: bigint
  readonly changes: number
}

/** A program that a person connected. */
export interface ConnectedProgram extends ProgramIdentity, SpendingLimits {
  readonly id: ProgramId
  readonly userId: UserId
  readonly organisationId: OrganisationId
  readonly mode: Mode
  /** the address that its tokens are for */
  readonly resource: string
  readonly capabilities: readonly Capability[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date
}

export const hasLimits = ({ mostPerChange, mostPerDay, mostChangesPerDay }: SpendingLimits): boolean =>
  mostPerChange !== null || mostPerDay !== null || mostChangesPerDay !== null

/** Key of a program in the log of changes that outdate tokens. */
export const programSubject = (id: ProgramId): string => `program:${id}`

const mcpPath = '/mcp'

/** What a token can be for: the whole API at the origin, or the tools alone. */
export type ResourceKind = 'api' | 'mcp'

export const kindOfResource = (resource: string): ResourceKind => (resource.endsWith(mcpPath) ? 'mcp' : 'api')

/** The resource in one spelling; `undefined` if it is none of ours. */
export function resourceFrom(given: string | undefined, issuer: string): string | undefined {
  if (given === undefined || given === issuer || given === `${issuer}/`) return issuer
  return given === `${issuer}${mcpPath}` ? given : undefined
}

export const issuerOf = (resource: string): string =>
  kindOfResource(resource) === 'mcp' ? resource.slice(0, -mcpPath.length) : resource
