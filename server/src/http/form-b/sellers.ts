import Type from 'typebox'
import type { CheckedSeller, SellerDetails, SellerId } from '../../modules/sellers/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  List,
  Maybe,
  means,
  Named,
  named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { sellerRoutes as routes } from '../routes/sellers.ts'
import { toAddress } from '../shared/contract-words.ts'
import {
  AddressView,
  CheckView,
  ManyIds,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  toCheck,
} from '../shared/parties.ts'
import { meaningOf } from '../shared/value-meanings.ts'
import { Address, fieldNames, PartyEmail, PartyName, PartyPhone, partyFields, toCore } from './parties.ts'

const TaxNumberStatus = named(
  'SellerTaxNumberStatus',
  means(
    `What is known of a tax number. ${meaningOf.taxIdStatuses}`,
    OneOf('unverified', 'pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'),
  ),
)

const SellerView = Named('Seller', {
  id: means('Unique identifier of the seller (UUIDv7).', Uuid),
  isPrimary: means(
    'True for the seller that documents name unless they name another: the organisation itself.',
    Type.Boolean(),
  ),
  partyName: means('Name of the seller, as documents show it.', Type.String()),
  tradingName: means('Name that customers know the seller by. Null if none is known.', Maybe(Type.String())),
  sellerType: means('What the seller is, such as a person or a company.', PartyTypeField),
  taxNumber: means('Tax number of the seller. Null if none is known.', Maybe(Type.String())),
  taxNumberStatus: means('What is known of the tax number of the seller.', TaxNumberStatus),
  vatNumber: means('Number of the seller for value-added tax. Null if none is known.', Maybe(Type.String())),
  registrationNumber: means(
    'Number of the seller in the register of companies. Null if none is known.',
    Maybe(Type.String()),
  ),
  email: means('Email address of the seller. Null if none is known.', Maybe(Type.String())),
  phone: means('Telephone number of the seller. Null if none is known.', Maybe(Type.String())),
  website: means('Website of the seller. Null if none is known.', Maybe(Type.String())),
  postalAddress: means('Postal address of the seller. Null if none is known.', AddressView),
  notes: means('Your own remarks on the seller. Null if there are none.', Maybe(Type.String())),
  createdAt: means('When the seller was created.', Instant),
  updatedAt: means('When the seller last changed.', Instant),
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

const ById = Fields({ id: means('Unique identifier of the seller.', Uuid) })
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
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(SellerView),
    decode: ({ query }) => ({ filter: { primaryOnly }, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    body: Fields({
      partyName: means('Name of the seller, as documents show it.', PartyName),
      ...partyFields,
      taxNumber: means('Tax number of the seller. It cannot be changed later.', Text(1, 50)),
      email: means('Email address of the seller.', PartyEmail),
      phoneNumber: means('Telephone number of the seller.', PartyPhone),
      postalAddress: means('Postal address of the seller.', Address),
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
  deleteMany: describeRoute(routes.deleteMany, {
    status: 200,
    body: ManyIds,
    reply: Fields({
      deleted: means('Unique identifiers of the sellers that were deleted.', List(Uuid)),
      kept: means(
        'Unique identifiers of the sellers that were kept: the primary one, and those that an invoice names.',
        List(Uuid),
      ),
      notFound: means('Unique identifiers that no seller has.', List(Uuid)),
    }),
    decode: ({ body }) => ({ ids: body.ids as SellerId[] }),
    encode: (outcome) => outcome,
  }),
  search: describeRoute(routes.search, {
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
  get: describeRoute(routes.get, { ...ofSeller, decode: anyOf }),
  update: describeRoute(routes.update, {
    ...ofSeller,
    body: Fields({
      partyName: Type.Optional(means('New name of the seller, as documents show it.', PartyName)),
      ...partyFields,
      taxNumber: Type.Optional(means('Tax number of the seller. It must be the one that the seller has.', Text(1, 50))),
      email: Type.Optional(means('New email address of the seller.', PartyEmail)),
      phoneNumber: Type.Optional(means('New telephone number of the seller.', PartyPhone)),
      postalAddress: Type.Optional(means('New postal address. It replaces the old one as a whole.', Address)),
    }),
    fieldNames,
    decode: ({ params, body }) => ({
      id: params.id as SellerId,
      change: { ...toCore(body), taxId: body.taxNumber },
    }),
  }),
  delete: describeRoute(routes.delete, {
    status: 200,
    params: ById,
    reply: Fields({
      id: means('Unique identifier of the seller.', Uuid),
      deleted: means('Always true. The seller no longer exists.', Type.Literal(true)),
    }),
    decode: idOf,
    encode: ({ id }) => ({ id, deleted: true as const }),
  }),
  getVerification: describeRoute(routes.getVerification, {
    status: 200,
    params: ById,
    reply: Named('SellerVerification', {
      sellerId: means('Unique identifier of the seller.', Uuid),
      taxNumberStatus: means('What is known of the tax number of the seller.', TaxNumberStatus),
      verification: means('Latest check of the tax number. Null if there was none.', CheckView),
    }),
    decode: anyOf,
    encode: ({ seller, check }) => ({
      sellerId: seller.id,
      taxNumberStatus: seller.taxIdStatus,
      verification: check ? toCheck(check) : null,
    }),
  }),
  verify: describeRoute(routes.verify, {
    status: 202,
    otherStatuses: [200],
    statusOf: ({ isNew }) => (isNew ? 202 : 200),
    params: ById,
    reply: Fields({
      sellerId: means('Unique identifier of the seller.', Uuid),
      verification: means('The check that was started, or the one that runs already.', CheckView),
    }),
    decode: idOf,
    encode: ({ check }) => ({ sellerId: check.partyId, verification: toCheck(check) }),
  }),
}
