import type { UserCaller } from '../../../kernel/callers.ts'
import type { RoleId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { systemRoleList } from './role.ts'
import { countRoleUse, findRole, listCustomRoles } from './roles.store.ts'

export const listSystemRoles = reading(
  { time: 'real', needs: ['role.read'], refuses: [] },
  async (_: Outside<UserCaller>) => systemRoleList,
)

/** Roles of the system by rank, then those of the organisation by name. */
export const listRoles = reading(
  { time: 'real', needs: ['role.read'], refuses: [] },
  async ({ db, caller }: Outside<UserCaller>) => [
    ...systemRoleList,
    ...(await listCustomRoles(db, caller.tenant.organisationId)),
  ],
)

export const getRole = reading(
  { time: 'real', needs: ['role.read'], refuses: ['resource.not_found'] },
  async ({ db, caller, now }: Outside<UserCaller>, { id }: { id: RoleId }) => {
    const { organisationId } = caller.tenant
    const role = await findRole(db, organisationId, id)
    if (!role) throw refuse('resource.not_found')
    return { ...role, use: await countRoleUse(db, organisationId, id, now) }
  },
)
