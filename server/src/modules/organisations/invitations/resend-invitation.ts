import type { UserCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { mailLimits } from '../../messages/index.ts'
import { hashPassword } from '../../people/index.ts'
import { requireCurrentCapabilities } from '../members/current-capabilities.ts'
import { findOrganisation } from '../organisations.store.ts'
import { requireOwnCapabilities } from '../roles/role.ts'
import { type Invitation, type InvitationId, invitationLifeMs, newInvitationCode } from './invitation.ts'
import { invitationMac } from './invitation-code.ts'
import { sendInvitation } from './invitation-mail.ts'
import { lockInvitation, saveNewCode } from './invitations.store.ts'

/** The new code works for seven days, the old one stops working, and the caller becomes the sender. */
export const resendInvitation = preparedOperation(
  {
    time: 'real',
    needs: ['invitation.create'],
    refuses: ['resource.not_found', 'invitation.not_pending', 'role.above_own', 'limit.invitations', 'limit.mails'],
  },
  async ({ throttle }: Outside<UserCaller>, { id }: { id: InvitationId }) => {
    await throttle('resend-invitation', id)
    const code = newInvitationCode()
    return { code, codeHash: await hashPassword(code) }
  },
  async (context: Inside<UserCaller>, { id }: { id: InvitationId }, { code, codeHash }): Promise<Invitation> => {
    const { tx, caller, now, vault, emit } = context
    const { organisationId } = caller.tenant
    await requireCurrentCapabilities(context)
    const invitation = await lockInvitation(tx, organisationId, id, now)
    const organisation = await findOrganisation(tx, organisationId)
    if (!invitation || !organisation) throw refuse('resource.not_found')
    if (invitation.status !== 'pending') throw refuse('invitation.not_pending')
    requireOwnCapabilities(caller.capabilities, [...invitation.role.capabilities, ...invitation.extraCapabilities])
    const expiresAt = new Date(now.getTime() + invitationLifeMs)
    const codeMac = invitationMac(vault, invitation.email, code)
    const invitedBy = caller.userId
    await saveNewCode(tx, organisationId, id, { codeMac, codeHash, invitedBy, expiresAt })
    const renewed = { ...invitation, invitedBy, expiresAt }
    await mailLimits.countInvitationMail(context)
    await sendInvitation(context, renewed, organisation.name, code, newId())
    emit('invitation.resent', { organisationId, objectId: id }, { email: invitation.email, role: invitation.role.name })
    return renewed
  },
)
