import type { PublicCaller } from '../../../kernel/callers.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { attemptLimits, findPerson, normaliseEmail } from '../../people/index.ts'
import { findOrganisation } from '../organisations.store.ts'
import { forgetGuesses, refuseUnknownCode, tryInvitation } from './invitation-code.ts'
import { findInvitation } from './invitations.store.ts'
import { isVouchedFor } from './vouched-for.ts'

interface PreviewInput {
  readonly code: string
  readonly email: string
}

export const previewInvitation = preparedOperation(
  { time: 'real', needs: [], refuses: ['invitation.unknown'] },
  async (outside: Outside<PublicCaller>, { code, email: typed }: PreviewInput) => {
    const email = normaliseEmail(typed)
    return await tryInvitation(outside, email, await attemptLimits.networkOf(outside, email), code)
  },
  async (context: Inside<PublicCaller>, _input: PreviewInput, tried) => {
    const { tx, now } = context
    const { match } = tried
    const invitation = match && (await findInvitation(tx, match.organisationId, match.id, now))
    const organisation = match && (await findOrganisation(tx, match.organisationId))
    if (!invitation || !organisation || !(await isVouchedFor(tx, invitation)))
      return await refuseUnknownCode(context, tried)
    await forgetGuesses(context, tried)
    const inviter = await findPerson(tx, invitation.invitedBy)
    return { invitation, organisation, inviterName: inviter ? `${inviter.firstName} ${inviter.lastName}` : '' }
  },
)
