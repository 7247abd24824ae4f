import type { UserCaller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import { newId, type RoleId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { mailLimits } from '../../messages/index.ts'
import { hashPassword, normaliseEmail } from '../../people/index.ts'
import { requireCurrentCapabilities } from '../members/current-capabilities.ts'
import { isMemberByEmail } from '../members/members.store.ts'
import { findOrganisation } from '../organisations.store.ts'
import { memberRoleId, ownerRoleId, requireOwnCapabilities } from '../roles/role.ts'
import { lockRole } from '../roles/roles.store.ts'
import { emitExpired } from './expire-invitations.ts'
import { type Invitation, type InvitationId, invitationLifeMs, newInvitationCode } from './invitation.ts'
import { invitationMac } from './invitation-code.ts'
import { sendInvitation } from './invitation-mail.ts'
import { expireLapsed, insertInvitation } from './invitations.store.ts'

interface InvitationInput {
  readonly email: string
  readonly fullName: string
  readonly roleId?: RoleId | undefined
  readonly extraCapabilities: readonly Capability[]
  readonly message?: string | undefined
}

/** The role must not be above the inviter's own. */
export const createInvitation = preparedOperation(
  {
    time: 'real',
    needs: ['invitation.create'],
    refuses: [
      'role.above_own',
      'member.exists',
      'invitation.exists',
      'resource.not_found',
      'limit.invitations',
      'limit.mails',
    ],
  },
  async (_: Outside<UserCaller>, _input: InvitationInput) => {
    const code = newInvitationCode()
    return { code, codeHash: await hashPassword(code) }
  },
  async (context: Inside<UserCaller>, input: InvitationInput, { code, codeHash }): Promise<Invitation> => {
    const { tx, caller, now, vault, emit } = context
    const { organisationId } = caller.tenant
    const email = normaliseEmail(input.email)
    await requireCurrentCapabilities(context)
    const organisation = await findOrganisation(tx, organisationId)
    if (!organisation) throw refuse('resource.not_found')
    const role = await lockRole(tx, organisationId, input.roleId ?? memberRoleId)
    if (!role)
      throw invalid([
        { path: 'roleId', rule: 'unknown', message: 'must be a role of the system or of this organisation' },
      ])
    if (role.id === ownerRoleId)
      throw invalid([{ path: 'roleId', rule: 'owner', message: 'cannot be OWNER; transfer ownership instead' }])
    requireOwnCapabilities(caller.capabilities, [...role.capabilities, ...input.extraCapabilities])
    if (await isMemberByEmail(tx, organisationId, email)) throw refuse('member.exists')
    const id: InvitationId = newId()
    const expiresAt = new Date(now.getTime() + invitationLifeMs)
    const { fullName, message = null, extraCapabilities } = input
    emitExpired(context, await expireLapsed(tx, organisationId, email, now))
    const isNew = await insertInvitation(
      tx,
      organisationId,
      {
        id,
        email,
        fullName,
        roleId: role.id,
        extraCapabilities,
        message,
        codeMac: invitationMac(vault, email, code),
        codeHash,
        invitedBy: caller.userId,
        expiresAt,
      },
      now,
    )
    if (!isNew) throw refuse('invitation.exists')
    const invitation: Invitation = {
      organisationId,
      id,
      email,
      fullName,
      role,
      extraCapabilities,
      message,
      status: 'pending',
      invitedBy: caller.userId,
      createdAt: now,
      expiresAt,
    }
    await mailLimits.countInvitationMail(context)
    await sendInvitation(context, invitation, organisation.name, code, 'first')
    emit('invitation.created', { organisationId, objectId: id }, { email, role: role.name })
    return invitation
  },
)
