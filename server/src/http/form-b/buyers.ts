import Type from 'typebox'
import type { Buyer, BuyerId } from '../../modules/buyers/index.ts'
import {
  AddressView,
  CheckView,
  ManyIds,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  TaxIdStatusField,
  toAddress,
  toCheck,
  wholePage,
} from '../both/parties.ts'
import { buyerEndpoints as endpoints } from '../endpoints/buyers.ts'
import { Fields, Instant, isoOrNull, List, Maybe, Named, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import { Address, fieldNames, PartyEmail, PartyName, PartyPhone, partyFields, toCore } from './parties.ts'

const BuyerView = Named('Buyer', {
  id: Uuid,
  partyName: Type.String(),
  tradingName: Maybe(Type.String()),
  partyType: PartyTypeField,
  taxNumber: Maybe(Type.String()),
  taxNumberStatus: TaxIdStatusField,
  vatNumber: Maybe(Type.String()),
  registrationNumber: Maybe(Type.String()),
  email: Maybe(Type.String()),
  phoneNumber: Maybe(Type.String()),
  website: Maybe(Type.String()),
  postalAddress: AddressView,
  notes: Maybe(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  archivedAt: Maybe(Instant),
})

const toView = (buyer: Buyer) => ({
  id: buyer.id,
  partyName: buyer.name,
  tradingName: buyer.tradingName,
  partyType: buyer.partyType,
  taxNumber: buyer.taxId,
  taxNumberStatus: buyer.taxIdStatus,
  vatNumber: buyer.vatNumber,
  registrationNumber: buyer.registrationNumber,
  email: buyer.email,
  phoneNumber: buyer.phone,
  website: buyer.website,
  postalAddress: toAddress(buyer.address),
  notes: buyer.notes,
  createdAt: buyer.createdAt.toISOString(),
  updatedAt: buyer.updatedAt.toISOString(),
  archivedAt: isoOrNull(buyer.archivedAt),
})

const Verification = Named('BuyerVerification', {
  buyerId: Uuid,
  taxNumberStatus: TaxIdStatusField,
  verification: CheckView,
})

const ById = Fields({ id: Uuid })
const ofBuyer = { status: 200, params: ById, reply: BuyerView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as BuyerId })
const TaxNumber = Type.Optional(Maybe(Text(1, 50)))

export const buyers = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(BuyerView),
    decode: ({ query }) => ({ filter: {}, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    body: Named('NewBuyer', {
      partyName: PartyName,
      ...partyFields,
      taxNumber: TaxNumber,
      email: PartyEmail,
      phoneNumber: PartyPhone,
      postalAddress: Address,
    }),
    reply: BuyerView,
    fieldNames,
    decode: ({ body }) => ({
      ...toCore(body),
      name: body.partyName,
      partyType: body.partyType ?? 'individual',
      taxId: body.taxNumber ?? null,
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
  getReachability: elsewhere,
  checkReachability: elsewhere,
  search: speak(endpoints.search, {
    status: 200,
    query: Fields(SearchQuery),
    reply: List(BuyerView),
    decode: ({ query }) => ({ words: query.q, limit: query.limit ?? searchLimit }),
    encode: (rows) => rows.map(toView),
    pagination: wholePage,
  }),
  getSetup: elsewhere,
  get: speak(endpoints.get, { ...ofBuyer, decode: idOf }),
  update: speak(endpoints.update, {
    ...ofBuyer,
    body: Named('BuyerChange', {
      partyName: Type.Optional(PartyName),
      ...partyFields,
      taxNumber: TaxNumber,
      email: Type.Optional(PartyEmail),
      phoneNumber: Type.Optional(PartyPhone),
      postalAddress: Type.Optional(Address),
    }),
    fieldNames,
    decode: ({ params, body }) => ({
      id: params.id as BuyerId,
      change: { ...toCore(body), ...(body.taxNumber === undefined ? {} : { taxId: body.taxNumber }) },
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
      taxNumberStatus: buyer.taxIdStatus,
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
    encode: ({ check, taxIdStatus }) => ({
      buyerId: check.partyId,
      taxNumberStatus: taxIdStatus,
      verification: toCheck(check),
    }),
  }),
}
