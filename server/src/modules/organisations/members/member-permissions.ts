import type { UserCaller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { requireOwnCapabilities } from '../roles/role.ts'
import { type Member, requireToManage } from './member.ts'
import { findMember, saveExtraCapabilities } from './members.store.ts'
import { lockMemberToChange, membershipSubject } from './owners.ts'

interface PermissionChange {
  readonly userId: UserId
  readonly permissions: readonly Capability[]
}

export const getMemberPermissions = reading(
  { time: 'real', needs: ['member.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<UserCaller>, { userId }: { userId: UserId }) => {
    const member = await findMember(db, caller.tenant.organisationId, userId)
    if (!member) throw refuse('resource.not_found')
    return member
  },
)

async function saveExtra(context: Inside<UserCaller>, member: Member, extra: readonly Capability[]): Promise<Member> {
  const { organisationId, userId, email } = member
  await saveExtraCapabilities(context.tx, organisationId, userId, extra)
  context.emit(
    'member.role_changed',
    { organisationId, objectId: userId },
    { email, role: member.role.name, extraPermissions: extra },
  )
  context.authChanged(membershipSubject(organisationId, userId))
  return { ...member, extraCapabilities: extra }
}

export const grantPermissions = operation(
  {
    time: 'real',
    needs: ['member.change_role'],
    refuses: ['resource.not_found', 'member.above_own', 'role.above_own'],
  },
  async (context: Inside<UserCaller>, { userId, permissions }: PermissionChange): Promise<Member> => {
    const { caller } = context
    const member = await lockMemberToChange(context, caller.tenant.organisationId, userId)
    requireToManage(caller.capabilities, member)
    requireOwnCapabilities(caller.capabilities, permissions)
    const added = permissions.filter(
      (name) => !member.extraCapabilities.includes(name) && !member.role.capabilities.includes(name),
    )
    return added.length === 0
      ? member
      : await saveExtra(context, member, [...member.extraCapabilities, ...new Set(added)])
  },
)

/** Capabilities of the role itself stay. */
export const withdrawPermissions = operation(
  { time: 'real', needs: ['member.change_role'], refuses: ['resource.not_found', 'member.above_own'] },
  async (context: Inside<UserCaller>, { userId, permissions }: PermissionChange): Promise<Member> => {
    const { caller } = context
    const member = await lockMemberToChange(context, caller.tenant.organisationId, userId)
    requireToManage(caller.capabilities, member)
    const kept = member.extraCapabilities.filter((name) => !permissions.includes(name))
    return kept.length === member.extraCapabilities.length ? member : await saveExtra(context, member, kept)
  },
)
