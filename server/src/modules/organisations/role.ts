import type { Capability } from '../../kernel/capabilities.ts'
import type { RoleId } from '../../kernel/ids.ts'
import { systemRoles } from '../../kernel/roles.ts'

export interface Role {
  readonly id: RoleId
  readonly name: string
  readonly capabilities: ReadonlySet<Capability>
}

const byId = new Map<string, Role>(
  systemRoles.map(({ id, name, capabilities }) => [id, { id, name, capabilities: new Set(capabilities) }]),
)

export function roleById(id: RoleId): Role {
  const role = byId.get(id)
  if (!role) throw new Error(`a membership names a role that does not exist: ${id}`)
  return role
}
