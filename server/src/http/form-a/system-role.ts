import type { RoleId } from '../../kernel/ids.ts'
import { invalid } from '../../kernel/refusals.ts'
import { systemRoles } from '../../kernel/roles.ts'

/** This form knows the roles of the system; those that an organisation made itself are the other form's. */
export function systemRoleFrom(id: string): RoleId {
  if (systemRoles.some((role) => role.id === id)) return id as RoleId
  throw invalid([{ path: 'roleId', rule: 'unknown', message: 'must be a role of the system' }])
}
