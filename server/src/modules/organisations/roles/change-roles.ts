import { isDeepStrictEqual } from 'node:util'
import type { UserCaller } from '../../../kernel/callers.ts'
import { newId, type RoleId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { lockOrganisation } from '../organisations.store.ts'
import { type Role, requireOwnCapabilities, systemRoleById, systemRoleList } from './role.ts'
import {
  countRoleUse,
  insertRole,
  lockCustomRole,
  lockRoleToDelete,
  type RoleFields,
  saveRole,
  saveRoleDeleted,
} from './roles.store.ts'

export const roleSubject = (id: string) => `role:${id}`

const reserved = new Set(systemRoleList.map((role) => role.name.toLowerCase()))

export const createRole = operation(
  { time: 'real', needs: ['role.manage'], refuses: ['role.above_own', 'role.name_taken'] },
  async ({ tx, caller, now, emit }: Inside<UserCaller>, fields: RoleFields): Promise<Role> => {
    const { organisationId } = caller.tenant
    requireOwnCapabilities(caller.capabilities, fields.capabilities)
    const id: RoleId = newId()
    await lockOrganisation(tx, organisationId)
    if (reserved.has(fields.name) || !(await insertRole(tx, organisationId, id, fields, now)))
      throw refuse('role.name_taken')
    emit('role.created', { organisationId, objectId: id }, { name: fields.name, capabilities: fields.capabilities })
    return { id, system: false, ...fields }
  },
)

/**
 * The change applies at once to everyone with the role and outdates their tokens. The organisation is locked, here and
 * on creation, so that two roles cannot take one name.
 */
export const updateRole = operation(
  {
    time: 'real',
    needs: ['role.manage'],
    refuses: ['role.is_system', 'role.above_own', 'role.name_taken', 'resource.not_found'],
  },
  async (
    { tx, caller, now, emit, authChanged }: Inside<UserCaller>,
    { id, change }: { id: RoleId; change: Partial<RoleFields> },
  ): Promise<Role> => {
    const { organisationId } = caller.tenant
    if (systemRoleById(id)) throw refuse('role.is_system')
    await lockOrganisation(tx, organisationId)
    const before = await lockCustomRole(tx, organisationId, id)
    if (!before) throw refuse('resource.not_found')
    // The caller needs every capability of the role, before and after the change.
    requireOwnCapabilities(caller.capabilities, [...before.capabilities, ...(change.capabilities ?? [])])
    const { name, label, description, capabilities } = { ...before, ...change }
    if (isDeepStrictEqual({ ...before, ...change }, before)) return before
    if (
      reserved.has(name) ||
      !(await saveRole(tx, organisationId, id, { name, label, description, capabilities }, now))
    )
      throw refuse('role.name_taken')
    emit('role.updated', { organisationId, objectId: id }, { name, capabilities })
    authChanged(roleSubject(id))
    return { id, system: false, name, label, description, capabilities }
  },
)

export const removeRole = operation(
  {
    time: 'real',
    needs: ['role.manage'],
    refuses: ['role.is_system', 'role.in_use', 'role.above_own', 'resource.not_found'],
  },
  async ({ tx, caller, now, emit }: Inside<UserCaller>, { id }: { id: RoleId }) => {
    const { organisationId } = caller.tenant
    if (systemRoleById(id)) throw refuse('role.is_system')
    const role = await lockRoleToDelete(tx, organisationId, id)
    if (!role) throw refuse('resource.not_found')
    requireOwnCapabilities(caller.capabilities, role.capabilities)
    const { users, keys, invitations } = await countRoleUse(tx, organisationId, id, now)
    if (users + keys + invitations > 0) throw refuse('role.in_use')
    await saveRoleDeleted(tx, organisationId, id, now)
    emit('role.deleted', { organisationId, objectId: id }, { name: role.name })
    return { id, deleted: true as const }
  },
)
