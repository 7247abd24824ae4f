import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type ChangedMember, changePerson, lockMemberAsPerson } from './change-person.ts'
import { requireToManage } from './member.ts'

interface NameChange {
  readonly userId: UserId
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

export const updateMember = operation(
  { time: 'real', needs: ['member.update'], refuses: ['resource.not_found', 'member.above_own'] },
  async (context: Inside<UserCaller>, { userId, ...change }: NameChange): Promise<ChangedMember> => {
    const member = await lockMemberAsPerson(context, userId)
    requireToManage(context.caller.capabilities, member)
    const { firstName = member.firstName, lastName = member.lastName } = change
    if (firstName === member.firstName && lastName === member.lastName) return { member }
    return await changePerson(context, member, { what: 'name', firstName, lastName })
  },
)
