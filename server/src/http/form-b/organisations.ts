import Type from 'typebox'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Organisation, Profile, ProfileChange } from '../../modules/organisations/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Country,
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
  PageQuery,
  Phone,
  pageFrom,
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

const view = {
  id: means('Unique identifier of the organisation (UUIDv7).', Uuid),
  businessName: means('Name of the organisation.', Type.String()),
  email: means('Email address for business with the organisation. Null if none is known.', Maybe(Type.String())),
  taxNo: means('Tax number of the organisation. Null if none is known.', Maybe(Type.String())),
  taxNoVerified: means('True once the authority has confirmed the tax number.', Type.Boolean()),
  phoneNumber: means('Telephone number of the organisation (E.164). Null if none is known.', Maybe(Type.String())),
  phoneVerified: means('True once somebody has entered the code that was sent to the number.', Type.Boolean()),
  website: means('Website of the organisation. Null if none is known.', Maybe(Type.String())),
  country: means('Country of the organisation, as a code of ISO 3166-1 such as `NG`.', Type.String()),
  address: means('Postal address of the organisation. Null if none is known.', Maybe(AddressView)),
  parentId: means(
    'Unique identifier of the organisation that this one is a child of. Null if there is none.',
    Maybe(Uuid),
  ),
  onboardingCompleted: means('True once onboarding is completed.', Type.Boolean()),
  onboardingCompletedAt: means('When onboarding was completed. Null until it is.', Maybe(Instant)),
  createdAt: means('When the organisation was created.', Instant),
}
const OrganisationView = Named('Organization', view)
const ProfileView = Named('OrganizationProfile', { ...view, ...letterheadFields })

const toView = (organisation: Organisation) => ({
  id: organisation.id,
  businessName: organisation.name,
  email: organisation.contactEmail,
  taxNo: organisation.taxNumber,
  taxNoVerified: organisation.taxNumberVerifiedAt !== null,
  phoneNumber: organisation.phone,
  phoneVerified: organisation.phoneVerifiedAt !== null,
  website: organisation.website,
  country: organisation.country,
  address: organisation.address,
  parentId: organisation.parentId,
  onboardingCompleted: organisation.onboardedAt !== null,
  onboardingCompletedAt: isoOrNull(organisation.onboardedAt),
  createdAt: organisation.createdAt.toISOString(),
})

const toProfile = (profile: Profile) => ({
  ...toView(profile),
  logo: profile.logo,
  bankDetails: profile.bankDetails,
})

const Update = Named('OrganizationChange', {
  businessName: Type.Optional(means('New name of the organisation.', OrganisationName(1, 255))),
  email: Type.Optional(means('New email address for business with the organisation.', Email())),
  website: Type.Optional(means('New website of the organisation.', WebAddress)),
  address: Type.Optional(means('New postal address. It replaces the old one as a whole.', AddressView)),
  ...letterheadChanges,
})

interface UpdateBody {
  businessName?: string
  email?: string
  website?: string
  address?: ProfileChange['address'] & {}
  logo?: Profile['logo']
  bankDetails?: Profile['bankDetails']
}

const toChange = ({ businessName, email, ...alike }: UpdateBody): ProfileChange => ({
  ...(businessName === undefined ? {} : { name: businessName }),
  ...(email === undefined ? {} : { contactEmail: email }),
  ...alike,
})

const shown = { status: 200, reply: OrganisationView, encode: toView } as const
const profileShown = { status: 200, reply: ProfileView, encode: toProfile, decode: () => undefined } as const
const updated = {
  status: 200,
  body: Update,
  reply: ProfileView,
  encode: ({ organisation }: { organisation: Profile }) => toProfile(organisation),
} as const

const PoolView = Named('CreditPool', {
  primaryCoversSecondary: means(
    'True if the organisation, as a parent, pays for children that ask for it.',
    Type.Boolean(),
  ),
  fallbackToPrimary: means(
    'True if the organisation, as a child, asks its parent to pay once its own credits are used up.',
    Type.Boolean(),
  ),
  minimumReserve: means('Credits that the organisation, as a parent, keeps for itself.', Type.Integer({ minimum: 0 })),
})
const toPool = ({
  primaryCoversSecondary,
  fallbackToPrimary,
  minimumReserve,
}: {
  primaryCoversSecondary: boolean
  fallbackToPrimary: boolean
  minimumReserve: bigint
}) => ({
  primaryCoversSecondary,
  fallbackToPrimary,
  minimumReserve: Number(minimumReserve),
})

export const organisations = {
  listMine: describeRoute(routes.listMine, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(
      Named('OwnMembership', {
        id: means('Unique identifier of the organisation (UUIDv7).', Uuid),
        businessName: means('Name of the organisation.', Type.String()),
        country: means('Country of the organisation, as a code of ISO 3166-1 such as `NG`.', Type.String()),
        parentId: means(
          'Unique identifier of the organisation that this one is a child of. Null if there is none.',
          Maybe(Uuid),
        ),
        role: means('Your role in the organisation.', RoleRef),
        status: means(
          `Status of your membership. ${meaningOf.memberStatuses}`,
          OneOf('active', 'suspended', 'deactivated'),
        ),
        current: means('True for the organisation that the token acts for.', Type.Boolean()),
      }),
    ),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) =>
      rows.map(({ id, name, country, parentId, role, status, current }) => ({
        id,
        businessName: name,
        country,
        parentId,
        role: { id: role.id, name: role.name, label: role.label },
        status,
        current,
      })),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    body: Fields({
      businessName: means('Name of the organisation.', OrganisationName(2, 255)),
      email: means('Email address for business with the organisation.', Email()),
      taxNo: Type.Optional(
        means(
          'Tax number of the organisation. The authority confirms it later, during onboarding.',
          Type.String({ pattern: '^[0-9]{8}-[0-9]{4}$', explanation: 'must have the form 12345678-0001' }),
        ),
      ),
      phoneNumber: Type.Optional(means('Telephone number of the organisation.', Phone)),
      website: Type.Optional(means('Website of the organisation.', WebAddress)),
      country: Type.Optional(means('Country of the organisation. `NG` if you leave it out.', Country)),
      asChild: Type.Optional(
        means(
          'Set to `true` to make it a child of the organisation that the token acts for.',
          Type.Boolean({ default: false }),
        ),
      ),
    }),
    reply: OrganisationView,
    decode: ({ body }) => ({
      name: body.businessName,
      contactEmail: body.email,
      taxNumber: body.taxNo,
      phone: body.phoneNumber,
      website: body.website,
      country: body.country ?? 'NG',
      asChild: body.asChild ?? false,
    }),
    encode: toView,
    location: ({ id }) => `/a/v1/organizations/${id}`,
  }),
  getCurrent: describeRoute(routes.getCurrent, profileShown),
  updateCurrent: describeRoute(routes.updateCurrent, { ...updated, decode: ({ body }) => toChange(body) }),
  get: describeRoute(routes.get, { ...profileShown, params: Fields({ orgId: OrgId }) }),
  update: describeRoute(routes.update, {
    ...updated,
    params: Fields({ orgId: OrgId }),
    decode: ({ body }) => toChange(body),
  }),
  switch: switchRoute,
  listChildren: describeRoute(routes.listChildren, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(OrganisationView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  partFromChild: describeRoute(routes.partFromChild, {
    status: 200,
    params: Fields({ orgId: means('Unique identifier of the child organisation.', Uuid) }),
    reply: Fields({
      id: means('Unique identifier of the organisation that was a child.', Uuid),
      parted: means('Always true. The organisation is no longer a child.', Type.Boolean()),
    }),
    decode: ({ params }) => ({ id: params.orgId as OrganisationId }),
    encode: (parted) => parted,
  }),
  getCreditPool: describeRoute(routes.getCreditPool, {
    status: 200,
    reply: PoolView,
    decode: () => undefined,
    encode: toPool,
  }),
  changeCreditPool: describeRoute(routes.changeCreditPool, {
    status: 200,
    body: Fields({
      primaryCoversSecondary: Type.Optional(
        means('Set to `true` if the organisation, as a parent, pays for children that ask for it.', Type.Boolean()),
      ),
      fallbackToPrimary: Type.Optional(
        means(
          'Set to `true` if the organisation, as a child, asks its parent to pay once its own credits are used up.',
          Type.Boolean(),
        ),
      ),
      minimumReserve: Type.Optional(
        means(
          'Credits that the organisation, as a parent, keeps for itself.',
          Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
        ),
      ),
    }),
    reply: PoolView,
    decode: ({ body: { minimumReserve, ...rest } }) => ({
      ...rest,
      ...(minimumReserve === undefined ? {} : { minimumReserve: BigInt(minimumReserve) }),
    }),
    encode: toPool,
  }),
  sendPhoneCode: describeRoute(routes.sendPhoneCode, {
    status: 200,
    body: Fields({ phoneNumber: means('Telephone number to send the code to.', Phone) }),
    reply: Fields({ phoneNumber: means('Telephone number that the code was sent to (E.164).', Type.String()) }),
    decode: ({ body }) => ({ phone: body.phoneNumber }),
    encode: ({ phone }) => ({ phoneNumber: phone }),
  }),
  verifyPhone: describeRoute(routes.verifyPhone, {
    status: 200,
    body: Fields({
      otp: means(
        'Six-digit code from the text message.',
        Type.String({ pattern: '^[0-9]{6}$', explanation: 'must be the six digits from the text message' }),
      ),
    }),
    reply: OrganisationView,
    decode: ({ body }) => ({ code: body.otp }),
    encode: toView,
  }),
  verifyTaxNumber: describeRoute(routes.verifyTaxNumber, {
    ...shown,
    body: Fields({ taxNo: means('Tax number of the organisation.', Text(1, 50)) }),
    decode: ({ body }) => ({ taxId: body.taxNo }),
    fieldNames: { taxId: 'taxNo' },
  }),
  completeOnboarding: describeRoute(routes.completeOnboarding, { ...shown, decode: () => undefined }),
  auditLog: auditLogRoute,
}
