import { type Capability, missingFrom } from '../../../kernel/capabilities.ts'
import type { RoleId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { systemRole, systemRoles } from '../../../kernel/roles.ts'

/** A named set of capabilities, of the system or of an organisation. */
export interface Role {
  readonly id: RoleId
  readonly name: string
  readonly label: string
  readonly description: string
  readonly system: boolean
  readonly capabilities: readonly Capability[]
}

export const systemRoleList: readonly Role[] = systemRoles.map(({ id, name, label, description, capabilities }) => ({
  id,
  name,
  label,
  description,
  system: true,
  capabilities,
}))

const byId = new Map<string, Role>(systemRoleList.map((role) => [role.id, role]))

export const systemRoleById = (id: string): Role | undefined => byId.get(id)

export const ownerRoleId: RoleId = systemRole('OWNER').id
export const memberRoleId: RoleId = systemRole('MEMBER').id

/** Capabilities of the role and those beside it. */
export const capabilitiesWith = (
  role: Pick<Role, 'capabilities'>,
  extra: readonly Capability[],
): ReadonlySet<Capability> => new Set([...role.capabilities, ...extra])

/** Nobody can grant, invite to or assign capabilities that they lack. */
export function requireOwnCapabilities(own: ReadonlySet<Capability>, granted: Iterable<Capability>): void {
  const missing = missingFrom(own, granted)
  if (missing.length === 0) return
  throw refuse('role.above_own', {
    details: missing.map((name) => ({ path: name, rule: 'capability', message: `you lack ${name}` })),
  })
}
