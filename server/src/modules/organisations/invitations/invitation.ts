import { randomInt } from 'node:crypto'
import type { Capability } from '../../../kernel/capabilities.ts'
import type { Id, OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { Role } from '../roles/role.ts'

export type InvitationId = Id<'invitation'>
export const invitationStatuses = ['pending', 'accepted', 'withdrawn', 'expired'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

export interface Invitation {
  readonly organisationId: OrganisationId
  readonly id: InvitationId
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly extraCapabilities: readonly Capability[]
  readonly message: string | null
  readonly status: InvitationStatus
  readonly invitedBy: UserId
  readonly createdAt: Date
  readonly expiresAt: Date
}

export const invitationLifeMs = 7 * 24 * 3600_000

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 8

export const newInvitationCode = (): string =>
  Array.from({ length: codeLength }, () => alphabet[randomInt(32)]).join('')

/** Accepts any case, spaces, hyphens, and the letters that Crockford's alphabet reads as digits. */
export function readInvitationCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === codeLength && [...code].every((symbol) => alphabet.includes(symbol)) ? code : undefined
}

/** Two groups are easier to type. */
export const spacedCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
