import { departureOperations } from '../../modules/departures/index.ts'
import { organisationOperations } from '../../modules/organisations/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const users = '/a/v1/organizations/{orgId}/users'
const user = `${users}/{userId}`
const aboutKeys =
  'API keys belong to the organisation and go on working. `apiKeys` lists those that the person made, and every owner gets the list by mail. `revokeKeys=true` revokes them too and also needs `api_key.revoke`.'

const asksOthers =
  'A member of other organisations is asked by mail and can confirm within 24 hours. The reply is then 202 with `awaitingConfirmation`.'

export const memberRoutes = {
  list: defineRoute('GET', users, 'user', organisationOperations.listOrganisationMembers, { summary: 'List members' }),
  get: defineRoute('GET', user, 'user', organisationOperations.getMember, { summary: 'Get a member' }),
  update: defineRoute('PATCH', user, 'user', organisationOperations.updateMember, {
    summary: 'Change a member’s name',
    description: asksOthers,
  }),
  remove: defineRoute('DELETE', user, 'user', departureOperations.removeMember, {
    summary: 'Remove a member',
    description: `Invitations that the member sent are withdrawn. ${aboutKeys}`,
  }),
  changeRole: defineRoute('PATCH', `${user}/role`, 'user', organisationOperations.changeMemberRole, {
    summary: 'Give a member another role',
    description: 'The member’s tokens are refused until they are refreshed.',
  }),
  changeStatus: defineRoute('PATCH', `${user}/status`, 'user', departureOperations.changeMemberStatus, {
    summary: 'Suspend or restore a member',
    description: `Suspending needs \`member.suspend\`, restoring \`member.restore\`. Suspending withdraws the invitations that the member sent. ${aboutKeys}`,
  }),
  getPermissions: defineRoute('GET', `${user}/permissions`, 'user', organisationOperations.getMemberPermissions, {
    summary: 'Get what a member may do',
  }),
  grantPermissions: defineRoute('POST', `${user}/permissions`, 'user', organisationOperations.grantPermissions, {
    summary: 'Give a member permissions beside the role',
  }),
  withdrawPermissions: defineRoute(
    'DELETE',
    `${user}/permissions`,
    'user',
    organisationOperations.withdrawPermissions,
    {
      summary: 'Take back permissions beside the role',
    },
  ),
  sendPhoneCode: defineRoute(
    'POST',
    `${user}/send-phone-verification`,
    'user',
    organisationOperations.sendMemberPhoneCode,
    {
      summary: 'Send a code to a member’s phone',
    },
  ),
  verifyPhone: defineRoute('POST', `${user}/verify-phone`, 'user', organisationOperations.verifyMemberPhone, {
    summary: 'Verify a member’s phone',
    description: asksOthers,
  }),
  removeSecondFactor: defineRoute('DELETE', `${user}/totp`, 'user', organisationOperations.removeSecondFactor, {
    summary: 'Switch off a member’s second factor',
    description: `Only owners can do this. The member is informed by mail. ${asksOthers}`,
  }),
  confirmChange: defineRoute('POST', '/a/v1/auth/confirm-change', 'public', organisationOperations.confirmChange, {
    summary: 'Confirm a change that an organisation has requested',
    description: 'Send the code from the mail within 24 hours.',
    constantTime: true,
  }),
  leave: defineRoute('POST', '/a/v1/organizations/{orgId}/leave', 'user', departureOperations.leaveOrganisation, {
    summary: 'Leave the organisation',
    description: `Invitations that you sent are withdrawn. ${aboutKeys}`,
  }),
  transferOwnership: defineRoute(
    'POST',
    '/a/v1/organizations/{orgId}/ownership-transfer',
    'user',
    organisationOperations.transferOwnership,
    {
      summary: 'Transfer ownership to another member',
      description: 'Needs your password, and a code if your account has a second factor.',
    },
  ),
}
