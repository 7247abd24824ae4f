import { organisationOperations } from '../../modules/organisations/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const invitations = '/a/v1/organizations/{orgId}/invitations'

export const invitationRoutes = {
  list: defineRoute('GET', invitations, 'user', organisationOperations.listOrganisationInvitations, {
    summary: 'List invitations',
  }),
  create: defineRoute('POST', invitations, 'user', organisationOperations.createInvitation, {
    summary: 'Invite a person',
    description: 'Sends a code by mail. The code works once, for seven days, and is never shown elsewhere.',
  }),
  get: defineRoute('GET', `${invitations}/{id}`, 'user', organisationOperations.getInvitation, {
    summary: 'Get an invitation',
  }),
  withdraw: defineRoute('DELETE', `${invitations}/{id}`, 'user', organisationOperations.withdrawInvitation, {
    summary: 'Withdraw a pending invitation',
  }),
  resend: defineRoute('POST', `${invitations}/{id}/resend`, 'user', organisationOperations.resendInvitation, {
    summary: 'Send an invitation again',
    description: 'Sends a new code. The old code stops working.',
  }),
  preview: defineRoute('POST', '/a/v1/verify-invitation', 'public', organisationOperations.previewInvitation, {
    summary: 'Get what an invitation is for',
    description:
      'Every mismatch gets the same 404. After ten wrong codes for one email address, your network is locked out for an hour.',
    constantTime: true,
  }),
  accept: defineRoute('POST', '/a/v1/accept-invitation', 'user', organisationOperations.acceptInvitation, {
    summary: 'Join an organisation with an invitation code',
    description:
      'The code must have been sent to your verified email address. Switch to the organisation to get tokens for it. People without an account use `accept-invitation/new-account`.',
    constantTime: true,
  }),
  acceptWithNewAccount: defineRoute(
    'POST',
    '/a/v1/accept-invitation',
    'public',
    organisationOperations.acceptWithNewAccount,
    {
      summary: 'Join an organisation with a new account',
      description:
        'The code proves the email address, so the account is verified at once. If the address has an account already, send the password of that account, which keeps its names. Sign in afterwards to get tokens. Wrong codes here and in `verify-invitation` count together: ten lock your network out for an hour.',
      constantTime: true,
    },
  ),
}
