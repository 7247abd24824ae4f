import type { Caller, UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { attemptLimits, normaliseEmail } from '../../people/index.ts'
import { addMember } from '../members/add-member.ts'
import type { Member } from '../members/member.ts'
import { findMember } from '../members/members.store.ts'
import type { Organisation } from '../organisation.ts'
import { findOrganisation, lockOrganisationShared } from '../organisations.store.ts'
import type { Invitation } from './invitation.ts'
import { forgetGuesses, type InvitationTry, refuseUnknownCode, tryInvitation } from './invitation-code.ts'
import { type InvitationByCode, lockMatchedInvitation, saveInvitationEnded } from './invitations.store.ts'
import { isVouchedFor } from './vouched-for.ts'

export interface JoinResult {
  readonly organisation: Organisation
  readonly member: Member
}

/**
 * The invitation may have ended or received another code since the match. The organisation is locked first, as
 * everywhere else, so that locks cannot form a circle.
 */
export async function lockPending(
  { tx, now }: Inside<Caller>,
  match: InvitationByCode | undefined,
): Promise<Invitation | undefined> {
  if (!match) return undefined
  await lockOrganisationShared(tx, match.organisationId)
  const invitation = await lockMatchedInvitation(tx, match.organisationId, match, now)
  return invitation?.status === 'pending' && (await isVouchedFor(tx, invitation)) ? invitation : undefined
}

export async function join(
  context: Inside<Caller>,
  { organisationId, id, role, extraCapabilities }: Invitation,
  person: { id: UserId; email: string },
  tried: InvitationTry,
): Promise<JoinResult> {
  const { tx, now, emit } = context
  if (!(await addMember(context, organisationId, { person, role, extraCapabilities }))) throw refuse('member.exists')
  await saveInvitationEnded(tx, organisationId, id, 'accepted', now)
  await forgetGuesses(context, tried)
  const actor = { kind: 'user', id: person.id, name: person.email } as const
  emit('invitation.accepted', { organisationId, objectId: id, actor }, { email: person.email })
  const organisation = (await findOrganisation(tx, organisationId)) as Organisation
  const member = (await findMember(tx, organisationId, person.id)) as Member
  return { organisation, member }
}

/** A signed-in person joins with the code that was mailed to their verified address. */
export const acceptInvitation = preparedOperation(
  { time: 'real', needs: [], refuses: ['invitation.unknown', 'member.exists'] },
  async (outside: Outside<UserCaller>, { code }: { code: string }) => {
    await outside.throttle('accept-invitation', outside.caller.userId)
    const email = normaliseEmail(outside.caller.email)
    // The person is signed in with this address, so that guesses of strangers do not count in any network.
    return await tryInvitation(
      outside,
      email,
      { ...(await attemptLimits.networkOf(outside, email)), known: true },
      code,
    )
  },
  async (context: Inside<UserCaller>, _input: { code: string }, tried) => {
    const { userId: id, email } = context.caller
    const invitation = await lockPending(context, tried.match)
    if (!invitation) return await refuseUnknownCode(context, tried)
    return await join(context, invitation, { id, email }, tried)
  },
)
