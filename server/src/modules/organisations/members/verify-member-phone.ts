import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { normaliseEmail, oneTimeCodes, requireTextMessages, textPhoneCode, textsADay } from '../../people/index.ts'
import { type ChangedMember, changePerson, lockMemberAsPerson } from './change-person.ts'
import { requireToManage } from './member.ts'
import { findMember } from './members.store.ts'

export const sendMemberPhoneCode = preparedOperation(
  { time: 'real', needs: ['member.update'], refuses: ['resource.not_found', 'member.above_own'] },
  async ({ throttle, caller, ports, db }: Outside<UserCaller>, { userId }: { userId: UserId; phone: string }) => {
    requireTextMessages(ports)
    await throttle('member-phone', userId, { perDay: textsADay })
    const member = await findMember(db, caller.tenant.organisationId, userId)
    if (!member) throw refuse('resource.not_found')
    requireToManage(caller.capabilities, member)
  },
  async (context: Inside<UserCaller>, { userId, phone }: { userId: UserId; phone: string }) => {
    await textPhoneCode(
      context,
      phone,
      await oneTimeCodes.issueCode(context, userId, 'verify_phone', { claims: { phone } }),
    )
    return { phone }
  },
)

export const verifyMemberPhone = preparedOperation(
  { time: 'real', needs: ['member.update'], refuses: ['resource.not_found', 'member.above_own', 'phone.code_wrong'] },
  async ({ throttle }: Outside<UserCaller>, { userId }: { userId: UserId; phone: string; code: string }) =>
    await throttle('member-phone-code', userId),
  async (
    context: Inside<UserCaller>,
    { userId, phone, code }: { userId: UserId; phone: string; code: string },
  ): Promise<ChangedMember | Refusal> => {
    const member = await lockMemberAsPerson(context, userId)
    requireToManage(context.caller.capabilities, member)
    const account = normaliseEmail(member.email)
    const person = { ...member, id: userId }
    const redeemed = await oneTimeCodes.redeemCode(context, { purpose: 'verify_phone', account, person }, code)
    if (redeemed?.claims.phone !== phone) return refuse('phone.code_wrong')
    return await changePerson(context, member, { what: 'phone', phone })
  },
)
