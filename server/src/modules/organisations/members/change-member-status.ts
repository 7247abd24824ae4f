import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type Member, type MemberStatus, requireToManage } from './member.ts'
import { saveMemberStatus } from './members.store.ts'
import { keepAnOwner, lockMemberToChange, membershipSubject } from './owners.ts'

interface StatusChange {
  readonly userId: UserId
  readonly status: MemberStatus
  readonly reason?: string | undefined
}

/** Suspends or restores a member. While suspended they may do nothing here, whatever tokens they hold. */
export const changeMemberStatus = operation(
  {
    needs: {
      all: [],
      oneOf: ['member.suspend', 'member.restore'],
      by: ({ status }: StatusChange) => [status === 'active' ? 'member.restore' : 'member.suspend'],
    },
    refuses: ['resource.not_found', 'member.above_own', 'member.is_you', 'member.last_owner'],
  },
  async (context: Inside<UserCaller>, { userId, status, reason }: StatusChange): Promise<Member> => {
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
    return { ...member, status }
  },
)
