import Type from 'typebox'
import type { CheckedSeller, SellerDetails, SellerId } from '../../modules/sellers/index.ts'
import {
  AddressView,
  CheckView,
  ManyIds,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  toAddress,
  toCheck,
} from '../both/parties.ts'
import { sellerEndpoints as endpoints } from '../endpoints/sellers.ts'
import { Fields, Instant, List, Maybe, Named, named, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import { Address, fieldNames, PartyEmail, PartyName, PartyPhone, partyFields, toCore } from './parties.ts'

const TaxNumberStatus = named(
  'SellerTaxNumberStatus',
  OneOf('unverified', 'pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'),
)

const SellerView = Named('Seller', {
  id: Uuid,
  isPrimary: Type.Boolean(),
  partyName: Type.String(),
  tradingName: Maybe(Type.String()),
  sellerType: PartyTypeField,
  taxNumber: Maybe(Type.String()),
  taxNumberStatus: TaxNumberStatus,
  vatNumber: Maybe(Type.String()),
  registrationNumber: Maybe(Type.String()),
  email: Maybe(Type.String()),
  phone: Maybe(Type.String()),
  website: Maybe(Type.String()),
  postalAddress: AddressView,
  notes: Maybe(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
})

const toView = (seller: CheckedSeller) => ({
  id: seller.id,
  isPrimary: seller.isPrimary,
  partyName: seller.name,
  tradingName: seller.tradingName,
  sellerType: seller.partyType,
  taxNumber: seller.taxId,
  taxNumberStatus: seller.taxIdStatus,
  vatNumber: seller.vatNumber,
  registrationNumber: seller.registrationNumber,
  email: seller.email,
  phone: seller.phone,
  website: seller.website,
  postalAddress: toAddress(seller.address),
  notes: seller.notes,
  createdAt: seller.createdAt.toISOString(),
  updatedAt: seller.updatedAt.toISOString(),
})

const ById = Fields({ id: Uuid })
const primaryOnly = false
const ofSeller = { status: 200, params: ById, reply: SellerView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as SellerId })
const anyOf = ({ params }: { params: { id: string } }) => ({ id: params.id as SellerId, primaryOnly })

const without: Omit<SellerDetails, 'name' | 'partyType'> = {
  tradingName: null,
  vatNumber: null,
  registrationNumber: null,
  email: null,
  phone: null,
  website: null,
  address: null,
  notes: null,
}

export const sellers = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(SellerView),
    decode: ({ query }) => ({ filter: { primaryOnly }, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    body: Fields({
      partyName: PartyName,
      ...partyFields,
      taxNumber: Text(1, 50),
      email: PartyEmail,
      phoneNumber: PartyPhone,
      postalAddress: Address,
    }),
    reply: SellerView,
    fieldNames,
    decode: ({ body }) => ({
      ...without,
      ...toCore(body),
      name: body.partyName,
      partyType: body.partyType ?? 'company',
      taxId: body.taxNumber,
    }),
    encode: toView,
    location: ({ id }) => `/i/v1/sellers/${id}`,
  }),
  deleteMany: speak(endpoints.deleteMany, {
    status: 200,
    body: ManyIds,
    reply: Fields({ deleted: List(Uuid), kept: List(Uuid), notFound: List(Uuid) }),
    decode: ({ body }) => ({ ids: body.ids as SellerId[] }),
    encode: (outcome) => outcome,
  }),
  search: speak(endpoints.search, {
    status: 200,
    query: Fields(SearchQuery),
    reply: List(SellerView),
    decode: ({ query }) => ({
      filter: { primaryOnly, search: query.q },
      page: { page: 1, limit: query.limit ?? searchLimit },
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  getSetup: elsewhere,
  get: speak(endpoints.get, { ...ofSeller, decode: anyOf }),
  update: speak(endpoints.update, {
    ...ofSeller,
    body: Fields({
      partyName: Type.Optional(PartyName),
      ...partyFields,
      taxNumber: Type.Optional(Text(1, 50)),
      email: Type.Optional(PartyEmail),
      phoneNumber: Type.Optional(PartyPhone),
      postalAddress: Type.Optional(Address),
    }),
    fieldNames,
    decode: ({ params, body }) => ({
      id: params.id as SellerId,
      change: { ...toCore(body), taxId: body.taxNumber },
    }),
  }),
  delete: speak(endpoints.delete, {
    status: 200,
    params: ById,
    reply: Fields({ id: Uuid, deleted: Type.Literal(true) }),
    decode: idOf,
    encode: ({ id }) => ({ id, deleted: true as const }),
  }),
  getVerification: speak(endpoints.getVerification, {
    status: 200,
    params: ById,
    reply: Named('SellerVerification', { sellerId: Uuid, taxNumberStatus: TaxNumberStatus, verification: CheckView }),
    decode: anyOf,
    encode: ({ seller, check }) => ({
      sellerId: seller.id,
      taxNumberStatus: seller.taxIdStatus,
      verification: check ? toCheck(check) : null,
    }),
  }),
  verify: speak(endpoints.verify, {
    status: 202,
    otherStatuses: [200],
    statusOf: ({ isNew }) => (isNew ? 202 : 200),
    params: ById,
    reply: Fields({ sellerId: Uuid, verification: CheckView }),
    decode: idOf,
    encode: ({ check }) => ({ sellerId: check.partyId, verification: toCheck(check) }),
  }),
}
