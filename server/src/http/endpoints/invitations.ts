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
    summary: 'List invitations',
  }),
  create: endpoint('POST', invitations, 'user', createInvitation, {
    summary: 'Invite a person',
    description: 'Sends a code by mail. The code works once, for seven days, and is never shown elsewhere.',
  }),
  get: endpoint('GET', `${invitations}/{id}`, 'user', getInvitation, { summary: 'Get an invitation' }),
  withdraw: endpoint('DELETE', `${invitations}/{id}`, 'user', withdrawInvitation, {
    summary: 'Withdraw a pending invitation',
  }),
  resend: endpoint('POST', `${invitations}/{id}/resend`, 'user', resendInvitation, {
    summary: 'Send an invitation again',
    description: 'Sends a new code. The old code stops working.',
  }),
  preview: endpoint('POST', '/a/v1/verify-invitation', 'public', previewInvitation, {
    summary: 'Get what an invitation is for',
    description:
      'Every mismatch gets the same 404. After ten wrong codes for one email address, the sender is locked out for an hour.',
    steady: true,
  }),
  accept: endpoint('POST', '/a/v1/accept-invitation', 'user', acceptInvitation, {
    summary: 'Join an organisation with an invitation code',
    description:
      'The code must have been sent to your verified email address. Switch to the organisation to get tokens for it.',
    steady: true,
  }),
  acceptWithNewAccount: endpoint('POST', '/a/v1/accept-invitation', 'public', acceptWithNewAccount, {
    summary: 'Join an organisation with a new account',
    description: 'If the email address has an account already, send the password of that account.',
    steady: true,
  }),
}
