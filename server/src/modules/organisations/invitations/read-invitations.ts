import type { UserCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { InvitationId, InvitationStatus } from './invitation.ts'
import { findInvitation, listInvitations } from './invitations.store.ts'

export const listOrganisationInvitations = reading(
  { time: 'real', needs: ['invitation.read'], refuses: [] },
  ({ db, caller, now }: Outside<UserCaller>, { status, page }: { status: InvitationStatus; page: PageRequest }) =>
    listInvitations(db, caller.tenant.organisationId, status, now, page),
)

export const getInvitation = reading(
  { time: 'real', needs: ['invitation.read'], refuses: ['resource.not_found'] },
  async ({ db, caller, now }: Outside<UserCaller>, { id }: { id: InvitationId }) => {
    const invitation = await findInvitation(db, caller.tenant.organisationId, id, now)
    if (!invitation) throw refuse('resource.not_found')
    return invitation
  },
)
