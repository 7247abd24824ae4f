import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { lockPerson, passSecondFactor, refuseWrongPassword, tryOwnPassword } from '../../people/index.ts'
import { capabilitiesWith, ownerRoleId, requireOwnCapabilities, systemRoleById } from '../roles/role.ts'
import type { Member } from './member.ts'
import { lockMember, saveMemberRole } from './members.store.ts'
import { lockMemberToChange, membershipSubject } from './owners.ts'

interface Transfer {
  readonly toUserId: UserId
  readonly password: string
  readonly code?: string | undefined
  /** Stay an owner beside the new one. Otherwise the caller becomes an administrator. */
  readonly retainOwnership: boolean
}

/** The caller must prove their identity again. */
export const transferOwnership = preparedOperation(
  {
    time: 'real',
    needs: ['organization.transfer_ownership'],
    refuses: [
      'resource.not_found',
      'credentials.wrong',
      'credentials.second_factor_needed',
      'role.above_own',
      'transfer.not_fit',
    ],
  },
  async (outside: Outside<UserCaller>, { password }: Transfer) =>
    await tryOwnPassword(outside, 'ownership-transfer', password),
  async (context: Inside<UserCaller>, { toUserId, code, retainOwnership }: Transfer, tried) => {
    const { tx, caller, emit, authChanged } = context
    const { organisationId } = caller.tenant
    const self = await lockPerson(tx, caller.userId)
    if (tried.provenHash !== self.passwordHash) return await refuseWrongPassword(context, tried)
    if (self.totpEnabledAt) {
      if (code === undefined) throw refuse('credentials.second_factor_needed')
      if (!(await passSecondFactor(context, self, code))) return refuse('credentials.wrong')
    }
    const heir = await lockMemberToChange(context, organisationId, toUserId)
    // The giver may have been demoted or removed while the password was checked.
    const giver = await lockMember(tx, organisationId, caller.userId)
    if (giver?.status !== 'active') throw refuse('auth.token_outdated')
    requireOwnCapabilities(capabilitiesWith(giver.role, giver.extraCapabilities), systemRole('OWNER').capabilities)
    if (toUserId === caller.userId || heir.status !== 'active' || !heir.emailVerified) throw refuse('transfer.not_fit')
    const change = async (member: Member, role: Pick<Member['role'], 'id' | 'name'>) => {
      if (member.role.id === role.id) return
      await saveMemberRole(tx, organisationId, member.userId, role.id)
      emit(
        'member.role_changed',
        { organisationId, objectId: member.userId },
        { email: member.email, from: member.role.name, to: role.name },
      )
      authChanged(membershipSubject(organisationId, member.userId))
    }
    await change(heir, systemRole('OWNER'))
    if (!retainOwnership) await change(giver, systemRole('ADMIN'))
    return { ...heir, role: systemRoleById(ownerRoleId) as Member['role'] }
  },
)
