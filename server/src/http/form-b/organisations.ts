import Type from 'typebox'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Organisation, Profile, ProfileChange } from '../../modules/organisations/index.ts'
import { RoleRef } from '../both/members.ts'
import { AddressView, auditLogRoute, letterheadChanges, letterheadFields, switchRoute } from '../both/organisations.ts'
import { organisationEndpoints as endpoints } from '../endpoints/organisations.ts'
import {
  Country,
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
  PageQuery,
  Phone,
  pageFrom,
  Text,
  Uuid,
  WebAddress,
} from '../fields.ts'
import { speak } from '../speak.ts'

const view = {
  id: Uuid,
  businessName: Type.String(),
  email: Maybe(Type.String()),
  taxNo: Maybe(Type.String()),
  taxNoVerified: Type.Boolean(),
  phoneNumber: Maybe(Type.String()),
  phoneVerified: Type.Boolean(),
  website: Maybe(Type.String()),
  country: Type.String(),
  address: Maybe(AddressView),
  parentId: Maybe(Uuid),
  onboardingCompleted: Type.Boolean(),
  onboardingCompletedAt: Maybe(Instant),
  createdAt: Instant,
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
  businessName: Type.Optional(OrganisationName(1, 255)),
  email: Type.Optional(Email()),
  website: Type.Optional(WebAddress),
  address: Type.Optional(AddressView),
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
  primaryCoversSecondary: Type.Boolean(),
  fallbackToPrimary: Type.Boolean(),
  minimumReserve: Type.Integer({ minimum: 0 }),
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
  listMine: speak(endpoints.listMine, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(
      Named('OwnMembership', {
        id: Uuid,
        businessName: Type.String(),
        country: Type.String(),
        parentId: Maybe(Uuid),
        role: RoleRef,
        status: OneOf('active', 'suspended', 'deactivated'),
        current: Type.Boolean(),
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
  create: speak(endpoints.create, {
    status: 201,
    body: Fields({
      businessName: OrganisationName(2, 255),
      email: Email(),
      taxNo: Type.Optional(
        Type.String({ pattern: '^[0-9]{8}-[0-9]{4}$', explanation: 'must have the form 12345678-0001' }),
      ),
      phoneNumber: Type.Optional(Phone),
      website: Type.Optional(WebAddress),
      country: Type.Optional(Country),
      asChild: Type.Optional(Type.Boolean({ default: false })),
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
  getCurrent: speak(endpoints.getCurrent, profileShown),
  updateCurrent: speak(endpoints.updateCurrent, { ...updated, decode: ({ body }) => toChange(body) }),
  get: speak(endpoints.get, { ...profileShown, params: Fields({ orgId: OrgId }) }),
  update: speak(endpoints.update, {
    ...updated,
    params: Fields({ orgId: OrgId }),
    decode: ({ body }) => toChange(body),
  }),
  switch: switchRoute,
  listChildren: speak(endpoints.listChildren, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(OrganisationView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  partFromChild: speak(endpoints.partFromChild, {
    status: 200,
    params: Fields({ orgId: Uuid }),
    reply: Fields({ id: Uuid, parted: Type.Boolean() }),
    decode: ({ params }) => ({ id: params.orgId as OrganisationId }),
    encode: (parted) => parted,
  }),
  getCreditPool: speak(endpoints.getCreditPool, {
    status: 200,
    reply: PoolView,
    decode: () => undefined,
    encode: toPool,
  }),
  changeCreditPool: speak(endpoints.changeCreditPool, {
    status: 200,
    body: Fields({
      primaryCoversSecondary: Type.Optional(Type.Boolean()),
      fallbackToPrimary: Type.Optional(Type.Boolean()),
      minimumReserve: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    }),
    reply: PoolView,
    decode: ({ body: { minimumReserve, ...rest } }) => ({
      ...rest,
      ...(minimumReserve === undefined ? {} : { minimumReserve: BigInt(minimumReserve) }),
    }),
    encode: toPool,
  }),
  sendPhoneCode: speak(endpoints.sendPhoneCode, {
    status: 200,
    body: Fields({ phoneNumber: Phone }),
    reply: Fields({ phoneNumber: Type.String() }),
    decode: ({ body }) => ({ phone: body.phoneNumber }),
    encode: ({ phone }) => ({ phoneNumber: phone }),
  }),
  verifyPhone: speak(endpoints.verifyPhone, {
    status: 200,
    body: Fields({
      otp: Type.String({ pattern: '^[0-9]{6}$', explanation: 'must be the six digits from the text message' }),
    }),
    reply: OrganisationView,
    decode: ({ body }) => ({ code: body.otp }),
    encode: toView,
  }),
  verifyTaxNumber: speak(endpoints.verifyTaxNumber, {
    ...shown,
    body: Fields({ taxNo: Text(1, 50) }),
    decode: ({ body }) => ({ taxId: body.taxNo }),
    fieldNames: { taxId: 'taxNo' },
  }),
  completeOnboarding: speak(endpoints.completeOnboarding, { ...shown, decode: () => undefined }),
  auditLog: auditLogRoute,
}
