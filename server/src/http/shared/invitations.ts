import Type from 'typebox'
import type { Invitation, Member, Organisation } from '../../modules/organisations/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Email,
  Fields,
  Instant,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  OrgId,
  PageQuery,
  PersonName,
  pageFrom,
  Secret,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { invitationRoutes as routes } from '../routes/invitations.ts'
import { RoleRef } from './members.ts'

/** Eight characters, with room for spaces and hyphens that people type. */
export const InvitationCode = Text(8, 16)

export const InvitationView = Named('Invitation', {
  id: means('Unique identifier of the invitation (UUIDv7).', Uuid),
  email: means('Email address that the invitation was sent to.', Type.String()),
  fullName: means('Full name of the invited person, as the sender gave it.', Type.String()),
  role: means('Role that the person gets on joining.', RoleRef),
  customPermissions: means('Names of the capabilities that the person gets beside the role.', List(Type.String())),
  message: means('Message of the sender in the mail. Null if there is none.', Maybe(Type.String())),
  status: means(
    'Status of the invitation: not answered yet (`pending`), `accepted`, taken back (`withdrawn`), or `expired`.',
    OneOf('pending', 'accepted', 'withdrawn', 'expired'),
  ),
  invitedBy: means('Unique identifier of the member who sent the invitation.', Uuid),
  createdAt: means('When the invitation was created.', Instant),
  expiresAt: means('When the code in the mail expires, seven days after it was sent.', Instant),
})

export const toInvitation = ({
  id,
  email,
  fullName,
  role,
  extraCapabilities,
  message,
  status,
  invitedBy,
  createdAt,
  expiresAt,
}: Invitation) => ({
  id,
  email,
  fullName,
  role: { id: role.id, name: role.name, label: role.label },
  customPermissions: [...extraCapabilities],
  message,
  status,
  invitedBy,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

const OneParams = Fields({ orgId: OrgId, id: means('Unique identifier of the invitation.', Uuid) })
const one = { status: 200, params: OneParams, reply: InvitationView, encode: toInvitation } as const

export const JoinedView = Named('Joined', {
  organization: means(
    'Organisation that you joined.',
    Fields({
      id: means('Unique identifier of the organisation (UUIDv7).', Uuid),
      name: means('Name of the organisation.', Type.String()),
    }),
  ),
  userId: means('Unique identifier of the person who joined.', Uuid),
  role: means('Role of the person in the organisation.', RoleRef),
})

export const toJoined = ({ organisation, member }: { organisation: Organisation; member: Member }) => ({
  organization: { id: organisation.id, name: organisation.name },
  userId: member.userId,
  role: { id: member.role.id, name: member.role.name, label: member.role.label },
})

/** The same in both forms, except for the path. */
export const acceptWithNewAccount = (own: { readonly path?: string } = {}) =>
  describeRoute(routes.acceptWithNewAccount, {
    ...own,
    status: 201,
    body: Fields({
      invitationCode: means('Code from the mail, eight characters. Spaces and hyphens are ignored.', InvitationCode),
      email: means('Email address that the mail was sent to.', Email()),
      password: means(
        'Password of the new account, 8 to 50 characters. If the address has an account already, the password of that account.',
        Secret(8, 50),
      ),
      firstName: means('First name of the person. Ignored if the account exists.', PersonName(1, 100)),
      lastName: means('Last name of the person. Ignored if the account exists.', PersonName(1, 100)),
    }),
    reply: JoinedView,
    decode: ({ body: { invitationCode, ...body } }) => ({ code: invitationCode, ...body }),
    encode: toJoined,
    location: ({ member }) => `/a/v1/organizations/me/users/${member.userId}`,
  })

/** The same in both forms. */
export const sharedInvitations = {
  list: describeRoute(routes.list, {
    status: 200,
    params: Fields({ orgId: OrgId }),
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(
        means(
          'Return only invitations with this status: `pending` (the default), `accepted`, `withdrawn` or `expired`.',
          OneOf('pending', 'accepted', 'withdrawn', 'expired'),
        ),
      ),
    }),
    reply: List(InvitationView),
    decode: ({ query }) => ({ status: query.status ?? 'pending', page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toInvitation),
    pagination: (page) => page,
  }),
  get: describeRoute(routes.get, { ...one, decode: ({ params }) => ({ id: params.id as Invitation['id'] }) }),
  withdraw: describeRoute(routes.withdraw, { ...one, decode: ({ params }) => ({ id: params.id as Invitation['id'] }) }),
  resend: describeRoute(routes.resend, { ...one, decode: ({ params }) => ({ id: params.id as Invitation['id'] }) }),
  preview: describeRoute(routes.preview, {
    status: 200,
    body: Fields({
      invitationCode: means('Code from the mail, eight characters. Spaces and hyphens are ignored.', InvitationCode),
      email: means('Email address that the mail was sent to.', Email()),
    }),
    reply: Named('InvitationPreview', {
      organization: means(
        'Organisation that invites you.',
        Fields({
          name: means('Name of the organisation.', Type.String()),
          country: means('Country of the organisation, as a code of ISO 3166-1 such as `NG`.', Type.String()),
        }),
      ),
      email: means('Email address that the invitation was sent to.', Type.String()),
      fullName: means('Full name of the invited person, as the sender gave it.', Type.String()),
      role: means(
        'Role that you get on joining.',
        Fields({
          name: means('Name of the role for programs, such as `ADMIN`.', Type.String()),
          label: means('Name of the role for people, such as `Admin`.', Type.String()),
        }),
      ),
      invitedBy: means('Full name of the member who sent the invitation.', Type.String()),
      message: means('Message of the sender. Null if there is none.', Maybe(Type.String())),
      expiresAt: means('When the invitation expires.', Instant),
    }),
    decode: ({ body }) => ({ code: body.invitationCode, email: body.email }),
    encode: ({ invitation, organisation, inviterName }) => ({
      organization: { name: organisation.name, country: organisation.country },
      email: invitation.email,
      fullName: invitation.fullName,
      role: { name: invitation.role.name, label: invitation.role.label },
      invitedBy: inviterName,
      message: invitation.message,
      expiresAt: invitation.expiresAt.toISOString(),
    }),
  }),
}
