import type { UserCaller } from '../../../kernel/callers.ts'
import type { RoleId, UserId } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { ownerRoleId, requireOwnCapabilities } from '../roles/role.ts'
import { lockRole } from '../roles/roles.store.ts'
import { type Member, requireToManage } from './member.ts'
import { saveMemberRole } from './members.store.ts'
import { keepAnOwner, lockMemberToChange, membershipSubject } from './owners.ts'

/** The member's tokens are refused until they are refreshed. */
export const changeMemberRole = operation(
  {
    time: 'real',
    needs: ['member.change_role'],
    refuses: ['resource.not_found', 'member.above_own', 'role.above_own', 'member.last_owner'],
  },
  async (context: Inside<UserCaller>, { userId, roleId }: { userId: UserId; roleId: RoleId }): Promise<Member> => {
    const { tx, caller, emit, authChanged } = context
    const { organisationId } = caller.tenant
    const member = await lockMemberToChange(context, organisationId, userId)
    const role = await lockRole(tx, organisationId, roleId)
    if (!role)
      throw invalid([
        { path: 'roleId', rule: 'unknown', message: 'must be a role of the system or of this organisation' },
      ])
    if (role.id === ownerRoleId)
      throw invalid([{ path: 'roleId', rule: 'owner', message: 'cannot be OWNER; use ownership-transfer' }])
    requireToManage(caller.capabilities, member)
    requireOwnCapabilities(caller.capabilities, role.capabilities)
    if (member.role.id === role.id) return member
    await keepAnOwner(context, member)
    await saveMemberRole(tx, organisationId, userId, role.id)
    emit(
      'member.role_changed',
      { organisationId, objectId: userId },
      { email: member.email, from: member.role.name, to: role.name },
    )
    authChanged(membershipSubject(organisationId, userId))
    return { ...member, role }
  },
)
