import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { type Member, type MemberStatus, requireToManage } from './member.ts'
import { saveMemberStatus } from './members.store.ts'
import { keepAnOwner, lockMemberToChange, membershipSubject } from './owners.ts'

export interface StatusChange {
  readonly userId: UserId
  readonly status: MemberStatus
  readonly reason?: string | undefined
}

/** Suspends or restores a member. Returns the member as before the change. */
export async function setMemberStatus(
  context: Inside<UserCaller>,
  { userId, status, reason }: StatusChange,
): Promise<Member> {
  const { tx, caller, emit, authChanged } = context
  const { organisationId } = caller.tenant
  const member = await lockMemberToChange(context, organisationId, userId)
  if (userId === caller.userId) throw refuse('member.is_you')
  requireToManage(caller.capabilities, member)
  if (member.status === status) return member
  if (status !== 'active') await keepAnOwner(context, member)
  await saveMemberStatus(tx, organisationId, userId, status, reason ?? null)
  emit(
    'member.status_changed',
    { organisationId, objectId: userId },
    { email: member.email, from: member.status, to: status, reason: reason ?? null },
  )
  authChanged(membershipSubject(organisationId, userId))
  return member
}
