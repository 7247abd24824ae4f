import type { RoleId } from '../../kernel/ids.ts'
import { invalid } from '../../kernel/refusals.ts'
import { systemRoles } from '../../kernel/roles.ts'

/** This form has only the roles of the system. Custom roles belong to the other form. */
export function systemRoleFrom(id: string): RoleId {
  if (systemRoles.some((role) => role.id === id)) return id as RoleId
  throw invalid([{ path: 'roleId', rule: 'unknown', message: 'must be a role of the system' }])
}
