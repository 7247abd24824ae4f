import Type from 'typebox'
import type { Organisation, Profile, ProfileChange } from '../../modules/organisations/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Email,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  OrganisationName,
  OrgId,
  Text,
  Uuid,
  WebAddress,
} from '../definitions/fields.ts'
import { organisationRoutes as routes } from '../routes/organisations.ts'
import { RoleRef } from '../shared/members.ts'
import {
  AddressView,
  auditLogRoute,
  letterheadChanges,
  letterheadFields,
  switchRoute,
} from '../shared/organisations.ts'
import { meaningOf } from '../shared/value-meanings.ts'

const summary = {
  id: means('Unique identifier of the organisation (UUIDv7).', Uuid),
  name: means('Name of the organisation.', Type.String()),
  country: means('Country of the organisation, as a code of ISO 3166-1 such as `NG`.', Type.String()),
  website: means('Website of the organisation. Null if none is known.', Maybe(Type.String())),
}
const toSummary = ({ id, name, country, website }: Organisation) => ({ id, name, country, website })

const ProfileView = Named('Organization', {
  ...summary,
  contactEmail: means('Email address for business with the organisation. Null if none is known.', Maybe(Type.String())),
  address: means('Postal address of the organisation. Null if none is known.', Maybe(AddressView)),
  ...letterheadFields,
  taxNumber: means('Tax number that the authority confirmed. Null until it did.', Maybe(Type.String())),
  phone: means('Telephone number of the organisation (E.164). Null if none is known.', Maybe(Type.String())),
  phoneVerified: means('True once somebody has entered the code that was sent to the number.', Type.Boolean()),
  parentOrganizationId: means(
    'Unique identifier of the organisation that this one is a child of. Null if there is none.',
    Maybe(Uuid),
  ),
  onboardedAt: means('When onboarding was completed. Null until it is.', Maybe(Instant)),
  createdAt: means('When the organisation was created.', Instant),
})

const Update = Named('OrganizationChange', {
  name: Type.Optional(means('New name of the organisation.', OrganisationName(1, 255))),
  contactEmail: Type.Optional(means('New email address for business with the organisation.', Email())),
  website: Type.Optional(means('New website of the organisation.', WebAddress)),
  address: Type.Optional(means('New postal address. It replaces the old one as a whole.', AddressView)),
  ...letterheadChanges,
})

const updateDescription = {
  status: 200,
  body: Update,
  reply: Named('ChangedOrganization', {
    ...summary,
    contactEmail: Type.Optional(
      means('Email address for business with the organisation. Only if it changed.', Maybe(Type.String())),
    ),
    address: Type.Optional(means('Postal address of the organisation. Only if it changed.', Maybe(AddressView))),
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
  listMine: describeRoute(routes.listMine, {
    path: '/a/v1/organizations/me',
    status: 200,
    reply: List(
      Named('OwnMembership', {
        id: means('Unique identifier of the organisation (UUIDv7).', Uuid),
        name: means('Name of the organisation.', Type.String()),
        country: means('Country of the organisation, as a code of ISO 3166-1 such as `NG`.', Type.String()),
        role: means('Your role in the organisation.', RoleRef),
        membershipStatus: means(
          `Status of your membership. ${meaningOf.memberStatuses}`,
          OneOf('active', 'suspended', 'deactivated'),
        ),
        current: means('True for the organisation that the token acts for.', Type.Boolean()),
        joinedAt: means('When you joined the organisation.', Instant),
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
  updateCurrent: describeRoute(routes.updateCurrent, { ...updateDescription, decode: ({ body }) => body }),
  get: describeRoute(routes.get, {
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
  update: describeRoute(routes.update, {
    ...updateDescription,
    params: Fields({ orgId: OrgId }),
    decode: ({ body }) => body,
  }),
  switch: switchRoute,
  listChildren: elsewhere,
  partFromChild: elsewhere,
  getCreditPool: elsewhere,
  changeCreditPool: elsewhere,
  sendPhoneCode: elsewhere,
  verifyPhone: elsewhere,
  verifyTaxNumber: describeRoute(routes.verifyTaxNumber, {
    status: 200,
    body: Fields({
      taxId: Type.String({
        ...Text(1, 50),
        description: 'The tax number of the business.',
        examples: ['20198222-0001'],
      }),
    }),
    reply: Named('ConfirmedTaxNumber', {
      organizationId: means('Unique identifier of the organisation.', Uuid),
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
