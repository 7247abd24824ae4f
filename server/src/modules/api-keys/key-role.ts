import type { OrganisationId, RoleId } from '../../kernel/ids.ts'
import { invalid } from '../../kernel/refusals.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockRole, type Role } from '../organisations/index.ts'

/** The role that a key is to have; it cannot be deleted until the key has it. */
export async function roleForKey(tx: Tx, organisationId: OrganisationId, id: RoleId): Promise<Role> {
  const role = await lockRole(tx, organisationId, id)
  if (!role) throw invalid([{ path: 'roleId', rule: 'unknown', message: 'is not a role of this organisation' }])
  return role
}
