import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { type Member, requireToManage } from './member.ts'
import { deleteMembership } from './members.store.ts'
import { keepAnOwner, lockMemberToChange, membershipSubject } from './owners.ts'

async function end(context: Inside<UserCaller>, member: Member, how: 'removed' | 'left'): Promise<Member> {
  const { organisationId, userId, email } = member
  await keepAnOwner(context, member)
  await deleteMembership(context.tx, organisationId, userId)
  context.emit('member.removed', { organisationId, objectId: userId }, { email, role: member.role.name, how })
  context.authChanged(membershipSubject(organisationId, userId))
  return member
}

/** Removes a member and returns them as before. */
export async function endMembership(context: Inside<UserCaller>, userId: UserId): Promise<Member> {
  const { caller } = context
  const member = await lockMemberToChange(context, caller.tenant.organisationId, userId)
  if (userId === caller.userId) throw refuse('member.is_you')
  requireToManage(caller.capabilities, member)
  return await end(context, member, 'removed')
}

export async function endOwnMembership(context: Inside<UserCaller>): Promise<Member> {
  const { userId, tenant } = context.caller
  return await end(context, await lockMemberToChange(context, tenant.organisationId, userId), 'left')
}
