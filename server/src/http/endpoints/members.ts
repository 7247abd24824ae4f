import { changeMemberStatus, leaveOrganisation, removeMember } from '../../modules/departures/index.ts'
import {
  changeMemberRole,
  confirmChange,
  getMember,
  getMemberPermissions,
  grantPermissions,
  listOrganisationMembers,
  removeSecondFactor,
  sendMemberPhoneCode,
  transferOwnership,
  updateMember,
  verifyMemberPhone,
  withdrawPermissions,
} from '../../modules/organisations/index.ts'
import { endpoint } from '../endpoint.ts'

const users = '/a/v1/organizations/{orgId}/users'
const user = `${users}/{userId}`
/** said wherever somebody goes */
const aboutKeys =
  'API keys belong to the organisation and go on working: `apiKeys` lists those that the person made, and every owner is mailed the list. `revokeKeys=true` revokes them in the same step, which also needs `api_key.revoke`.'

const asksOthers =
  'A member who belongs to other organisations too is asked by mail and has 24 hours to confirm: 202, with `awaitingConfirmation`.'

export const memberEndpoints = {
  list: endpoint('GET', users, 'user', listOrganisationMembers, { summary: 'Members' }),
  get: endpoint('GET', user, 'user', getMember, { summary: 'A member' }),
  update: endpoint('PATCH', user, 'user', updateMember, {
    summary: 'Change a member’s name',
    description: asksOthers,
  }),
  remove: endpoint('DELETE', user, 'user', removeMember, {
    summary: 'Remove a member',
    description: `Invitations that they sent are withdrawn. ${aboutKeys}`,
  }),
  changeRole: endpoint('PATCH', `${user}/role`, 'user', changeMemberRole, {
    summary: 'Give a member another role',
    description: 'Tokens the member holds are refused until refreshed.',
  }),
  changeStatus: endpoint('PATCH', `${user}/status`, 'user', changeMemberStatus, {
    summary: 'Suspend or restore a member',
    description: `Suspending needs \`member.suspend\`, restoring \`member.restore\`. Suspending withdraws the invitations that they sent. ${aboutKeys}`,
  }),
  getPermissions: endpoint('GET', `${user}/permissions`, 'user', getMemberPermissions, {
    summary: 'What a member may do',
  }),
  grantPermissions: endpoint('POST', `${user}/permissions`, 'user', grantPermissions, {
    summary: 'Give a member permissions beside their role',
  }),
  withdrawPermissions: endpoint('DELETE', `${user}/permissions`, 'user', withdrawPermissions, {
    summary: 'Take back permissions given beside the role',
  }),
  sendPhoneCode: endpoint('POST', `${user}/send-phone-verification`, 'user', sendMemberPhoneCode, {
    summary: 'Text a code to a member’s phone',
  }),
  verifyPhone: endpoint('POST', `${user}/verify-phone`, 'user', verifyMemberPhone, {
    summary: 'Verify a member’s phone',
    description: asksOthers,
  }),
  removeSecondFactor: endpoint('DELETE', `${user}/totp`, 'user', removeSecondFactor, {
    summary: 'Switch off a member’s lost second factor',
    description: `Owners only. The member is told by mail. ${asksOthers}`,
  }),
  confirmChange: endpoint('POST', '/a/v1/auth/confirm-change', 'public', confirmChange, {
    summary: 'Confirm a change that an organisation asked for',
    description: 'With the code from the mail that asked for it, within 24 hours.',
    steady: true,
  }),
  leave: endpoint('POST', '/a/v1/organizations/{orgId}/leave', 'user', leaveOrganisation, {
    summary: 'Leave the organisation',
    description: `Invitations that you sent are withdrawn. ${aboutKeys}`,
  }),
  transferOwnership: endpoint('POST', '/a/v1/organizations/{orgId}/ownership-transfer', 'user', transferOwnership, {
    summary: 'Hand the organisation to another owner',
    description: 'Takes your password, and a code when your account has a second factor.',
  }),
}
