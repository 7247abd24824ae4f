import type { UserCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Member } from '../members/member.ts'
import type { Invitation, InvitationId } from './invitation.ts'
import { lockInvitation, saveInvitationEnded, withdrawPendingBy } from './invitations.store.ts'

/** Withdraws the invitations of a member who has left. */
export async function withdrawInvitationsOf(
  { tx, now, emit }: Inside<UserCaller>,
  { organisationId, userId }: Pick<Member, 'organisationId' | 'userId'>,
): Promise<void> {
  for (const { id, email } of await withdrawPendingBy(tx, organisationId, userId, now))
    emit('invitation.withdrawn', { organisationId, objectId: id }, { email, reason: 'sender_gone' })
}

export const withdrawInvitation = operation(
  { time: 'real', needs: ['invitation.withdraw'], refuses: ['resource.not_found', 'invitation.not_pending'] },
  async ({ tx, caller, now, emit }: Inside<UserCaller>, { id }: { id: InvitationId }): Promise<Invitation> => {
    const { organisationId } = caller.tenant
    const invitation = await lockInvitation(tx, organisationId, id, now)
    if (!invitation) throw refuse('resource.not_found')
    if (invitation.status !== 'pending') throw refuse('invitation.not_pending')
    await saveInvitationEnded(tx, organisationId, id, 'withdrawn', now)
    emit('invitation.withdrawn', { organisationId, objectId: id }, { email: invitation.email })
    return { ...invitation, status: 'withdrawn' }
  },
)
