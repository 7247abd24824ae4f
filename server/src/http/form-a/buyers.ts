import Type from 'typebox'
import type { Buyer, BuyerId } from '../../modules/buyers/index.ts'
import type { Reachability } from '../../modules/tax-identities/index.ts'
import {
  AddressView,
  BuyerAddress,
  CheckView,
  CountriesView,
  ManyIds,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  TaxIdStatusField,
  TaxIdTypeField,
  TaxIdTypesView,
  toAddress,
  toCheck,
  toCountries,
  toTaxIdTypes,
  wholePage,
  withoutNulls,
} from '../both/parties.ts'
import { buyerEndpoints as endpoints } from '../endpoints/buyers.ts'
import {
  Email,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  Named,
  OneOf,
  PageQuery,
  Phone,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'

const optional = {
  legalName: Type.Optional(Maybe(Text(1, 255))),
  taxId: Type.Optional(Maybe(Text(1, 64))),
  taxIdType: Type.Optional(Maybe(TaxIdTypeField)),
  email: Type.Optional(Maybe(Email(320))),
  phone: Type.Optional(Maybe(Phone)),
  address: Type.Optional(Maybe(BuyerAddress)),
  partyType: Type.Optional(Maybe(PartyTypeField)),
  businessDescription: Type.Optional(Maybe(Prose(0, 1000))),
  reference: Type.Optional(Maybe(Text(1, 100))),
}

const standardPartyType = 'company'

const BuyerView = Named('Buyer', {
  id: Uuid,
  name: Type.String(),
  legalName: Maybe(Type.String()),
  taxId: Maybe(Type.String()),
  taxIdType: TaxIdTypeField,
  taxIdStatus: TaxIdStatusField,
  email: Maybe(Type.String()),
  phone: Maybe(Type.String()),
  address: AddressView,
  partyType: PartyTypeField,
  businessDescription: Maybe(Type.String()),
  reference: Maybe(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  archivedAt: Maybe(Instant),
})

const toView = (buyer: Buyer) => ({
  id: buyer.id,
  name: buyer.name,
  legalName: buyer.legalName,
  taxId: buyer.taxId,
  taxIdType: buyer.taxIdType,
  taxIdStatus: buyer.taxIdStatus,
  email: buyer.email,
  phone: buyer.phone,
  address: toAddress(buyer.address),
  partyType: buyer.partyType,
  businessDescription: buyer.businessDescription,
  reference: buyer.reference,
  createdAt: buyer.createdAt.toISOString(),
  updatedAt: buyer.updatedAt.toISOString(),
  archivedAt: isoOrNull(buyer.archivedAt),
})

const ReachView = Named('Reachability', {
  taxId: Type.String(),
  reachable: Maybe(Type.Boolean()),
  provider: Maybe(Type.String()),
  checkedAt: Maybe(Instant),
  stale: Type.Boolean(),
  unavailable: Type.Boolean(),
})
const toReach = ({ checkedAt, ...reach }: Reachability) => ({ ...reach, checkedAt: isoOrNull(checkedAt) })
const ReachQuery = Fields({ taxId: Text(1, 32) })

const Verification = Named('BuyerVerification', {
  buyerId: Uuid,
  taxIdStatus: TaxIdStatusField,
  verification: CheckView,
})

const ById = Fields({ id: Uuid })
const ofBuyer = { status: 200, params: ById, reply: BuyerView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as BuyerId })

export const buyers = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      search: Type.Optional(Text(0, 100)),
      taxIdStatus: Type.Optional(TaxIdStatusField),
    }),
    reply: List(BuyerView),
    decode: ({ query }) => ({
      filter: { search: query.search, taxIdStatus: query.taxIdStatus },
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    body: Named('NewBuyer', { name: Text(1, 255), ...optional }),
    reply: BuyerView,
    decode: ({ body }) => ({
      name: body.name,
      legalName: body.legalName ?? null,
      taxId: body.taxId ?? null,
      taxIdType: body.taxIdType ?? undefined,
      email: body.email ?? null,
      phone: body.phone ?? null,
      address: body.address ? withoutNulls(body.address) : null,
      partyType: body.partyType ?? standardPartyType,
      businessDescription: body.businessDescription ?? null,
      reference: body.reference ?? null,
    }),
    encode: toView,
    location: ({ id }) => `/i/v1/buyers/${id}`,
  }),
  deleteMany: speak(endpoints.deleteMany, {
    status: 200,
    body: ManyIds,
    reply: Named('DeletedBuyers', { deleted: List(Uuid), archived: List(Uuid), notFound: List(Uuid) }),
    decode: ({ body }) => ({ ids: body.ids as BuyerId[] }),
    encode: (outcome) => outcome,
  }),
  getReachability: speak(endpoints.getReachability, {
    status: 200,
    query: ReachQuery,
    reply: ReachView,
    decode: ({ query }) => ({ taxId: query.taxId }),
    encode: toReach,
  }),
  checkReachability: speak(endpoints.checkReachability, {
    status: 200,
    body: ReachQuery,
    reply: ReachView,
    decode: ({ body }) => ({ taxId: body.taxId }),
    encode: toReach,
  }),
  search: speak(endpoints.search, {
    status: 200,
    query: Fields(SearchQuery),
    reply: List(BuyerView),
    decode: ({ query }) => ({ words: query.q, limit: query.limit ?? searchLimit }),
    encode: (rows) => rows.map(toView),
    pagination: wholePage,
  }),
  getSetup: speak(endpoints.getSetup, {
    status: 200,
    reply: Named('BuyerSetup', {
      partyTypes: List(Type.String()),
      taxIdTypes: TaxIdTypesView,
      countries: CountriesView,
    }),
    decode: () => undefined,
    encode: ({ partyTypes, taxIdTypes, countries }) => ({
      partyTypes: [...partyTypes],
      taxIdTypes: toTaxIdTypes(taxIdTypes),
      countries: toCountries(countries),
    }),
  }),
  get: speak(endpoints.get, { ...ofBuyer, decode: idOf }),
  update: speak(endpoints.update, {
    ...ofBuyer,
    body: Named('BuyerChange', { name: Type.Optional(Text(1, 255)), ...optional }),
    decode: ({ params, body: { address, partyType, taxIdType, ...change } }) => ({
      id: params.id as BuyerId,
      change: {
        ...change,
        ...(address === undefined ? {} : { address: address && withoutNulls(address) }),
        ...(partyType === undefined ? {} : { partyType: partyType ?? standardPartyType }),
        ...(taxIdType ? { taxIdType } : {}),
      },
    }),
  }),
  delete: speak(endpoints.delete, {
    status: 200,
    params: ById,
    reply: Fields({ id: Uuid, outcome: OneOf('deleted', 'archived') }),
    decode: idOf,
    encode: (outcome) => outcome,
  }),
  getVerification: speak(endpoints.getVerification, {
    status: 200,
    params: ById,
    reply: Verification,
    decode: idOf,
    encode: ({ buyer, check }) => ({
      buyerId: buyer.id,
      taxIdStatus: buyer.taxIdStatus,
      verification: check ? toCheck(check) : null,
    }),
  }),
  verify: speak(endpoints.verify, {
    status: 202,
    otherStatuses: [200],
    statusOf: ({ isNew }) => (isNew ? 202 : 200),
    params: ById,
    reply: Verification,
    decode: idOf,
    encode: ({ check, taxIdStatus }) => ({ buyerId: check.partyId, taxIdStatus, verification: toCheck(check) }),
  }),
}
