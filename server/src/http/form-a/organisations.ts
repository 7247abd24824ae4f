import Type from 'typebox'
import type { Organisation, Profile, ProfileChange } from '../../modules/organisations/index.ts'
import { RoleRef } from '../both/members.ts'
import { AddressView, auditLogRoute, letterheadChanges, letterheadFields, switchRoute } from '../both/organisations.ts'
import { organisationEndpoints as endpoints } from '../endpoints/organisations.ts'
import {
  Email,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  Named,
  OneOf,
  OrganisationName,
  OrgId,
  Text,
  Uuid,
  WebAddress,
} from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'

const summary = { id: Uuid, name: Type.String(), country: Type.String(), website: Maybe(Type.String()) }
const toSummary = ({ id, name, country, website }: Organisation) => ({ id, name, country, website })

const ProfileView = Named('Organization', {
  ...summary,
  contactEmail: Maybe(Type.String()),
  address: Maybe(AddressView),
  ...letterheadFields,
  taxNumber: Maybe(Type.String()),
  phone: Maybe(Type.String()),
  phoneVerified: Type.Boolean(),
  parentOrganizationId: Maybe(Uuid),
  onboardedAt: Maybe(Instant),
  createdAt: Instant,
})

const Update = Named('OrganizationChange', {
  name: Type.Optional(OrganisationName(1, 255)),
  contactEmail: Type.Optional(Email()),
  website: Type.Optional(WebAddress),
  address: Type.Optional(AddressView),
  ...letterheadChanges,
})

const updateSpeech = {
  status: 200,
  body: Update,
  reply: Named('ChangedOrganization', {
    ...summary,
    contactEmail: Type.Optional(Maybe(Type.String())),
    address: Type.Optional(Maybe(AddressView)),
    ...letterheadChanges,
  }),
  encode: ({ organisation, changed }: { organisation: Profile; changed: readonly (keyof ProfileChange)[] }) => ({
    ...toSummary(organisation),
    ...(changed.includes('contactEmail') ? { contactEmail: organisation.contactEmail } : {}),
    ...(changed.includes('address') ? { address: organisation.address } : {}),
    ...(changed.includes('logo') ? { logo: organisation.logo } : {}),
    ...(changed.includes('bankDetails') ? { bankDetails: organisation.bankDetails } : {}),
  }),
} as const

export const organisations = {
  listMine: speak(endpoints.listMine, {
    path: '/a/v1/organizations/me',
    status: 200,
    reply: List(
      Named('OwnMembership', {
        id: Uuid,
        name: Type.String(),
        country: Type.String(),
        role: RoleRef,
        membershipStatus: OneOf('active', 'suspended', 'deactivated'),
        current: Type.Boolean(),
        joinedAt: Instant,
      }),
    ),
    decode: () => undefined,
    encode: ({ rows }) =>
      rows.map(({ id, name, country, role, status, current, joinedAt }) => ({
        id,
        name,
        country,
        role: { id: role.id, name: role.name, label: role.label },
        membershipStatus: status,
        current,
        joinedAt: joinedAt.toISOString(),
      })),
    pagination: ({ rows, total }) => ({ page: 1, limit: Math.max(1, rows.length), total }),
  }),
  create: elsewhere,
  getCurrent: elsewhere,
  updateCurrent: speak(endpoints.updateCurrent, { ...updateSpeech, decode: ({ body }) => body }),
  get: speak(endpoints.get, {
    status: 200,
    params: Fields({ orgId: OrgId }),
    reply: ProfileView,
    decode: () => undefined,
    encode: (organisation) => ({
      ...toSummary(organisation),
      contactEmail: organisation.contactEmail,
      address: organisation.address,
      logo: organisation.logo,
      bankDetails: organisation.bankDetails,
      taxNumber: organisation.taxNumber,
      phone: organisation.phone,
      phoneVerified: organisation.phoneVerifiedAt !== null,
      parentOrganizationId: organisation.parentId,
      onboardedAt: isoOrNull(organisation.onboardedAt),
      createdAt: organisation.createdAt.toISOString(),
    }),
  }),
  update: speak(endpoints.update, { ...updateSpeech, params: Fields({ orgId: OrgId }), decode: ({ body }) => body }),
  switch: switchRoute,
  listChildren: elsewhere,
  partFromChild: elsewhere,
  getCreditPool: elsewhere,
  changeCreditPool: elsewhere,
  sendPhoneCode: elsewhere,
  verifyPhone: elsewhere,
  verifyTaxNumber: speak(endpoints.verifyTaxNumber, {
    status: 200,
    body: Fields({
      taxId: Type.String({
        ...Text(1, 50),
        description: 'The tax number of the business.',
        examples: ['20198222-0001'],
      }),
    }),
    reply: Named('ConfirmedTaxNumber', {
      organizationId: Uuid,
      taxNumber: Type.String({
        description: 'The tax number that the authority confirmed.',
        examples: ['20198222-0001'],
      }),
    }),
    decode: ({ body }) => body,
    encode: ({ id, taxNumber }) => ({ organizationId: id, taxNumber: taxNumber ?? '' }),
  }),
  completeOnboarding: elsewhere,
  auditLog: auditLogRoute,
}
