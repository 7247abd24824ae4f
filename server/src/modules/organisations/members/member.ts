import { type Capability, missingFrom } from '../../../kernel/capabilities.ts'
import type { OrganisationId, RoleId, UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { capabilitiesWith, type Role, systemRoleById } from '../roles/role.ts'

export const memberStatuses = ['active', 'suspended', 'deactivated'] as const
export type MemberStatus = (typeof memberStatuses)[number]

export interface Member {
  readonly organisationId: OrganisationId
  readonly userId: UserId
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly phone: string | null
  readonly phoneVerified: boolean
  readonly emailVerified: boolean
  readonly totpEnabled: boolean
  readonly role: Role
  readonly extraCapabilities: readonly Capability[]
  readonly status: MemberStatus
  readonly joinedAt: Date
}

/** A row before its role is resolved. The columns of a custom role are null for a role of the system. */
export interface RoleColumns {
  readonly roleId: RoleId
  readonly customName: string | null
  readonly customLabel: string | null
  readonly customDescription: string | null
  readonly customCapabilities: readonly Capability[] | null
}

export function roleFrom({
  roleId,
  customName,
  customLabel,
  customDescription,
  customCapabilities,
}: RoleColumns): Role {
  const system = systemRoleById(roleId)
  if (system) return system
  if (customName === null || customCapabilities === null)
    throw new Error(`a role that does not exist is in use: ${roleId}`)
  return {
    id: roleId,
    name: customName,
    label: customLabel ?? customName,
    description: customDescription ?? '',
    system: false,
    capabilities: customCapabilities,
  }
}

/** Managing a member needs every capability that the member has: an administrator cannot touch an owner. */
export function requireToManage(
  own: ReadonlySet<Capability>,
  member: Pick<Member, 'role' | 'extraCapabilities'>,
): void {
  const missing = missingFrom(own, capabilitiesWith(member.role, member.extraCapabilities))
  if (missing.length === 0) return
  throw refuse('member.above_own', {
    details: missing.map((name) => ({ path: name, rule: 'capability', message: `you lack ${name}` })),
  })
}
