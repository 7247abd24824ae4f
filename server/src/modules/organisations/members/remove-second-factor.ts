import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type ChangedMember, changePerson, lockMemberAsPerson } from './change-person.ts'
import { requireToManage } from './member.ts'
import { mailSecondFactorOff } from './second-factor-mail.ts'

/**
 * For a member who has lost their phone. Only owners have the capability. The member is informed by mail, or asked by
 * mail if they belong to other organisations too.
 */
export const removeSecondFactor = operation(
  {
    time: 'real',
    needs: ['organization.transfer_ownership'],
    refuses: ['resource.not_found', 'member.is_you', 'member.above_own', 'totp.not_on'],
  },
  async (context: Inside<UserCaller>, { userId }: { userId: UserId }): Promise<ChangedMember> => {
    const { caller } = context
    const member = await lockMemberAsPerson(context, userId)
    if (userId === caller.userId)
      throw refuse('member.is_you', {
        message: 'This is your own account. Switch the second factor off with your password and a code.',
      })
    requireToManage(caller.capabilities, member)
    if (!member.totpEnabled) throw refuse('totp.not_on')
    const changed = await changePerson(context, member, { what: 'second_factor' })
    if (!changed.awaited)
      await mailSecondFactorOff(context, member, `by ${caller.email}, an owner of your organisation`)
    return changed
  },
)
