import {
  acceptInvitation,
  acceptWithNewAccount,
  createInvitation,
  getInvitation,
  listOrganisationInvitations,
  previewInvitation,
  resendInvitation,
  withdrawInvitation,
} from '../../modules/organisations/index.ts'
import { endpoint } from '../endpoint.ts'

const invitations = '/a/v1/organizations/{orgId}/invitations'

export const invitationEndpoints = {
  list: endpoint('GET', invitations, 'user', listOrganisationInvitations, {
    summary: 'Invitations, without their codes',
  }),
  create: endpoint('POST', invitations, 'user', createInvitation, {
    summary: 'Invite somebody',
    description: 'Mails a code that works once, for seven days. The code is in that mail and nowhere else.',
  }),
  get: endpoint('GET', `${invitations}/{id}`, 'user', getInvitation, { summary: 'An invitation' }),
  withdraw: endpoint('DELETE', `${invitations}/{id}`, 'user', withdrawInvitation, {
    summary: 'Withdraw a pending invitation',
  }),
  resend: endpoint('POST', `${invitations}/{id}/resend`, 'user', resendInvitation, {
    summary: 'Mail a new code; the one before stops working',
  }),
  preview: endpoint('POST', '/a/v1/verify-invitation', 'public', previewInvitation, {
    summary: 'See what an invitation is for',
    description:
      'Every mismatch answers the same 404. Ten wrong codes lock an address for an hour where they came from.',
    steady: true,
  }),
  accept: endpoint('POST', '/a/v1/accept-invitation', 'user', acceptInvitation, {
    summary: 'Join with the code mailed to your verified address',
    description: 'No tokens are returned; switch to the organisation.',
    steady: true,
  }),
  acceptWithNewAccount: endpoint('POST', '/a/v1/accept-invitation', 'public', acceptWithNewAccount, {
    summary: 'Join, making an account for the invited address',
    description: 'An address that has an account joins with its password.',
    steady: true,
  }),
}
