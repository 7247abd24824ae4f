import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { personSubject, saveNames } from '../../people/index.ts'
import { type Member, requireToManage } from './member.ts'
import { lockMemberToChange } from './owners.ts'

interface NameChange {
  readonly userId: UserId
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

export const updateMember = operation(
  { needs: ['member.update'], refuses: ['resource.not_found', 'member.above_own'] },
  async (context: Inside<UserCaller>, { userId, ...change }: NameChange): Promise<Member> => {
    const { tx, caller, now, emit, authChanged } = context
    const { organisationId } = caller.tenant
    const member = await lockMemberToChange(context, organisationId, userId)
    requireToManage(caller.capabilities, member)
    const names = { firstName: change.firstName ?? member.firstName, lastName: change.lastName ?? member.lastName }
    if (names.firstName === member.firstName && names.lastName === member.lastName) return member
    await saveNames(tx, userId, names, now)
    emit('member.updated', { organisationId, objectId: userId }, { email: member.email, ...names })
    authChanged(personSubject(userId))
    return { ...member, ...names }
  },
)
