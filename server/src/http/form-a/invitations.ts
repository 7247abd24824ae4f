import Type from 'typebox'
import { describeRoute } from '../definitions/describe-route.ts'
import { Email, Fields, MailedWords, means, PersonName, Uuid } from '../definitions/fields.ts'
import { invitationRoutes as routes } from '../routes/invitations.ts'
import {
  acceptWithNewAccount,
  InvitationCode,
  InvitationView,
  JoinedView,
  sharedInvitations,
  toInvitation,
  toJoined,
} from '../shared/invitations.ts'
import { OrgParams } from '../shared/members.ts'
import { systemRoleFrom } from './system-role.ts'

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
      message: Type.Optional(means('Message for the mail, without web or email addresses.', MailedWords(1, 500))),
    }),
    reply: InvitationView,
    decode: ({ body }) => ({
      ...body,
      roleId: body.roleId === undefined ? undefined : systemRoleFrom(body.roleId),
      extraCapabilities: [],
    }),
    encode: toInvitation,
    location: ({ id }) => `/a/v1/organizations/me/invitations/${id}`,
  }),
  accept: describeRoute(routes.accept, {
    status: 200,
    body: Fields({
      invitationCode: means('Code from the mail, eight characters. Spaces and hyphens are ignored.', InvitationCode),
    }),
    reply: JoinedView,
    decode: ({ body }) => ({ code: body.invitationCode }),
    encode: toJoined,
  }),
  // `accept` has the default path here, so this route needs another one.
  acceptWithNewAccount: acceptWithNewAccount({ path: '/a/v1/accept-invitation/new-account' }),
}
