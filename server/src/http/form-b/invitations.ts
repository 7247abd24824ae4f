import Type from 'typebox'
import type { RoleId } from '../../kernel/ids.ts'
import { InvitationCode, InvitationView, JoinedView, sharedInvitations, toInvitation } from '../both/invitations.ts'
import { OrgParams } from '../both/members.ts'
import { invitationEndpoints as endpoints } from '../endpoints/invitations.ts'
import { Email, Fields, MailedWords, PersonName, Secret, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import { PermissionList, readPermissions } from './permissions.ts'

export const invitations = {
  ...sharedInvitations,
  create: speak(endpoints.create, {
    status: 201,
    params: OrgParams,
    body: Fields({
      email: Email(),
      fullName: PersonName(2, 255),
      roleId: Type.Optional(Uuid),
      customPermissions: Type.Optional(PermissionList),
      message: Type.Optional(MailedWords(0, 500)),
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
  acceptWithNewAccount: speak(endpoints.acceptWithNewAccount, {
    status: 201,
    body: Fields({
      invitationCode: InvitationCode,
      email: Email(),
      password: Secret(8, 50),
      firstName: PersonName(1, 100),
      lastName: PersonName(1, 100),
    }),
    reply: JoinedView,
    decode: ({ body: { invitationCode, ...body } }) => ({ code: invitationCode, ...body }),
    encode: ({ organisation, member }) => ({
      organization: { id: organisation.id, name: organisation.name },
      userId: member.userId,
      role: { id: member.role.id, name: member.role.name, label: member.role.label },
    }),
    location: ({ member }) => `/a/v1/organizations/me/users/${member.userId}`,
  }),
}
