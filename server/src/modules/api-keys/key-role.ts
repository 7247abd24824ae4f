import type { OrganisationId, RoleId } from '../../kernel/ids.ts'
import { invalid } from '../../kernel/refusals.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockRole, type Role } from '../organisations/index.ts'

/** Locks the role of a new key, so that it cannot be deleted meanwhile. */
export async function roleForKey(tx: Tx, organisationId: OrganisationId, id: RoleId): Promise<Role> {
  const role = await lockRole(tx, organisationId, id)
  if (!role)
    throw invalid([
      { path: 'roleId', rule: 'unknown', message: 'must be a role of the system or of this organisation' },
    ])
  return role
}
