import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type Member, requireToManage } from './member.ts'
import { deleteMembership } from './members.store.ts'
import { keepAnOwner, lockMemberToChange, membershipSubject } from './owners.ts'

async function end(context: Inside<UserCaller>, member: Member, how: 'removed' | 'left') {
  const { organisationId, userId, email } = member
  await keepAnOwner(context, member)
  await deleteMembership(context.tx, organisationId, userId)
  context.emit('member.removed', { organisationId, objectId: userId }, { email, role: member.role.name, how })
  context.authChanged(membershipSubject(organisationId, userId))
}

export const removeMember = operation(
  {
    needs: ['member.remove'],
    refuses: ['resource.not_found', 'member.above_own', 'member.is_you', 'member.last_owner'],
  },
  async (context: Inside<UserCaller>, { userId }: { userId: UserId }) => {
    const { caller } = context
    const member = await lockMemberToChange(context, caller.tenant.organisationId, userId)
    if (userId === caller.userId) throw refuse('member.is_you')
    requireToManage(caller.capabilities, member)
    await end(context, member, 'removed')
    return { userId, removed: true as const }
  },
)

/** Ends the caller's own membership. */
export const leaveOrganisation = operation(
  { needs: [], refuses: ['resource.not_found', 'member.last_owner'] },
  async (context: Inside<UserCaller>) => {
    const { userId, tenant } = context.caller
    await end(context, await lockMemberToChange(context, tenant.organisationId, userId), 'left')
    return { organisationId: tenant.organisationId, left: true as const }
  },
)
