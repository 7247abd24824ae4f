import Type from 'typebox'
import type { RoleId } from '../../kernel/ids.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Email, Fields, MailedWords, means, PersonName, Uuid } from '../definitions/fields.ts'
import { invitationRoutes as routes } from '../routes/invitations.ts'
import { acceptWithNewAccount, InvitationView, sharedInvitations, toInvitation } from '../shared/invitations.ts'
import { OrgParams } from '../shared/members.ts'
import { PermissionList, readPermissions } from './permissions.ts'

export const invitations = {
  ...sharedInvitations,
  create: describeRoute(routes.create, {
    status: 201,
    params: OrgParams,
    body: Fields({
      email: means('Email address of the person to invite. The mail with the code goes there.', Email()),
      fullName: means('Full name of the person to invite.', PersonName(2, 255)),
      roleId: Type.Optional(
        means('Unique identifier of the role that the person gets on joining. `MEMBER` if you leave it out.', Uuid),
      ),
      customPermissions: Type.Optional(
        means('Names of the permissions that the person gets beside the role.', PermissionList),
      ),
      message: Type.Optional(means('Message for the mail, without web or email addresses.', MailedWords(0, 500))),
    }),
    reply: InvitationView,
    decode: ({ body: { customPermissions = [], ...body } }) => ({
      ...body,
      message: body.message?.trim() ? body.message : undefined,
      roleId: body.roleId as RoleId | undefined,
      extraCapabilities: readPermissions(customPermissions, 'customPermissions'),
    }),
    encode: toInvitation,
    location: ({ id }) => `/a/v1/organizations/me/invitations/${id}`,
  }),
  accept: elsewhere,
  acceptWithNewAccount: acceptWithNewAccount(),
}
