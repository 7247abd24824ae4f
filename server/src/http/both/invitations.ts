import Type from 'typebox'
import type { Invitation, InvitationId } from '../../modules/organisations/index.ts'
import { invitationEndpoints as endpoints } from '../endpoints/invitations.ts'
import { Email, Fields, Instant, List, Maybe, Named, OneOf, OrgId, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { speak } from '../speak.ts'
import { RoleRef } from './members.ts'

/** Eight symbols, but people type spaces and hyphens. */
export const InvitationCode = Text(8, 16)

export const InvitationView = Named('Invitation', {
  id: Uuid,
  email: Type.String(),
  fullName: Type.String(),
  role: RoleRef,
  customPermissions: List(Type.String()),
  message: Maybe(Type.String()),
  status: OneOf('pending', 'accepted', 'withdrawn', 'expired'),
  invitedBy: Uuid,
  createdAt: Instant,
  expiresAt: Instant,
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

const OneParams = Fields({ orgId: OrgId, id: Uuid })
const one = { status: 200, params: OneParams, reply: InvitationView, encode: toInvitation } as const

export const JoinedView = Named('Joined', {
  organization: Fields({ id: Uuid, name: Type.String() }),
  userId: Uuid,
  role: RoleRef,
})

/** The same words in both forms. */
export const sharedInvitations = {
  list: speak(endpoints.list, {
    status: 200,
    params: Fields({ orgId: OrgId }),
    query: Fields({ ...PageQuery(), status: Type.Optional(OneOf('pending', 'accepted', 'withdrawn', 'expired')) }),
    reply: List(InvitationView),
    decode: ({ query }) => ({ status: query.status ?? 'pending', page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toInvitation),
    pagination: (page) => page,
  }),
  get: speak(endpoints.get, { ...one, decode: ({ params }) => ({ id: params.id as InvitationId }) }),
  withdraw: speak(endpoints.withdraw, { ...one, decode: ({ params }) => ({ id: params.id as InvitationId }) }),
  resend: speak(endpoints.resend, { ...one, decode: ({ params }) => ({ id: params.id as InvitationId }) }),
  preview: speak(endpoints.preview, {
    status: 200,
    body: Fields({ invitationCode: InvitationCode, email: Email() }),
    reply: Named('InvitationPreview', {
      organization: Fields({ name: Type.String(), country: Type.String() }),
      email: Type.String(),
      fullName: Type.String(),
      role: Fields({ name: Type.String(), label: Type.String() }),
      invitedBy: Type.String(),
      message: Maybe(Type.String()),
      expiresAt: Instant,
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
