import type { PublicCaller } from '../../../kernel/callers.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { findPerson, normaliseEmail } from '../../people/index.ts'
import { findOrganisation } from '../profile/organisations.store.ts'
import { forgetGuesses, matchInvitation, refuseUnknownCode } from './invitation-code.ts'
import { findInvitation } from './invitations.store.ts'

interface Asking {
  readonly code: string
  readonly email: string
}

/** What the invited person may see before they accept. */
export const previewInvitation = preparedOperation(
  { needs: [], refuses: ['invitation.unknown'] },
  async (outside: Outside<PublicCaller>, { code, email }: Asking) => ({
    match: await matchInvitation(outside, normaliseEmail(email), code),
  }),
  async (context: Inside<PublicCaller>, { email }: Asking, { match }) => {
    const { tx, now } = context
    const invitation = match && (await findInvitation(tx, match.organisationId, match.id, now))
    const organisation = match && (await findOrganisation(tx, match.organisationId))
    if (!invitation || !organisation) return await refuseUnknownCode(context, normaliseEmail(email))
    await forgetGuesses(context, normaliseEmail(email))
    const inviter = await findPerson(tx, invitation.invitedBy)
    return { invitation, organisation, inviterName: inviter ? `${inviter.firstName} ${inviter.lastName}` : '' }
  },
)
