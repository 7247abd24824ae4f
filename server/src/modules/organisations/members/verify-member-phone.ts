import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { issueCode, redeemCode, requireTextMessages, savePersonPhone, textPhoneCode } from '../../people/index.ts'
import { requireToManage } from './member.ts'
import { findMember } from './members.store.ts'
import { lockMemberToChange } from './owners.ts'

/** Texts a code to the phone that is to become a member's. */
export const sendMemberPhoneCode = preparedOperation(
  { needs: ['member.update'], refuses: ['resource.not_found', 'member.above_own'] },
  async ({ throttle, caller, ports, db }: Outside<UserCaller>, { userId }: { userId: UserId; phone: string }) => {
    requireTextMessages(ports)
    await throttle('member-phone', userId)
    const member = await findMember(db, caller.tenant.organisationId, userId)
    if (!member) throw refuse('resource.not_found')
    requireToManage(caller.capabilities, member)
  },
  async (context: Inside<UserCaller>, { userId, phone }: { userId: UserId; phone: string }) => {
    await textPhoneCode(context, phone, await issueCode(context, userId, 'verify_phone', { phone }))
    return { phone }
  },
)

export const verifyMemberPhone = preparedOperation(
  { needs: ['member.update'], refuses: ['resource.not_found', 'member.above_own', 'phone.code_wrong'] },
  async ({ throttle }: Outside<UserCaller>, { userId }: { userId: UserId; phone: string; code: string }) =>
    await throttle('member-phone-code', userId),
  async (context: Inside<UserCaller>, { userId, phone, code }: { userId: UserId; phone: string; code: string }) => {
    const { tx, caller, now, emit } = context
    const { organisationId } = caller.tenant
    const member = await lockMemberToChange(context, organisationId, userId)
    requireToManage(caller.capabilities, member)
    const claims = await redeemCode(context, userId, 'verify_phone', code)
    if (claims?.phone !== phone) return refuse('phone.code_wrong')
    await savePersonPhone(tx, userId, phone, now)
    emit('member.updated', { organisationId, objectId: userId }, { email: member.email, phone })
    return { ...member, phone, phoneVerified: true }
  },
)
