import type { UserCaller } from '../../../kernel/callers.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { personSubject, saveTotpOff } from '../../people/index.ts'
import { type Member, requireToManage } from './member.ts'
import { lockMemberToChange } from './owners.ts'

async function tellMember(context: Inside<UserCaller>, member: Member): Promise<void> {
  const letter = compose({
    greeting: `Hello ${member.firstName},`,
    paragraphs: [
      `${context.caller.email}, an owner of your organisation, switched off the second factor of your account. You can now sign in with your password alone.`,
    ],
    closing:
      'Set up a second factor again as soon as you can. If you did not ask for this, change your password at once.',
  })
  await queueMessage(context, {
    cause: `second-factor-removed:${newId()}`,
    channel: 'email',
    to: member.email,
    subject: 'Second factor switched off',
    ...letter,
  })
}

/** For a member who has lost their phone. Only owners hold what this needs, and the member is told by mail. */
export const removeSecondFactor = operation(
  {
    needs: ['organization.transfer_ownership'],
    refuses: ['resource.not_found', 'member.is_you', 'member.above_own', 'totp.not_on'],
  },
  async (context: Inside<UserCaller>, { userId }: { userId: UserId }): Promise<Member> => {
    const { tx, caller, now, emit, authChanged } = context
    const { organisationId } = caller.tenant
    const member = await lockMemberToChange(context, organisationId, userId)
    if (userId === caller.userId)
      throw refuse('member.is_you', { message: 'Switch off your own second factor with your password and a code.' })
    requireToManage(caller.capabilities, member)
    if (!member.totpEnabled) throw refuse('totp.not_on')
    await saveTotpOff(tx, userId, now)
    emit('member.second_factor_removed', { organisationId, objectId: userId }, { email: member.email })
    authChanged(personSubject(userId))
    await tellMember(context, member)
    return { ...member, totpEnabled: false }
  },
)
