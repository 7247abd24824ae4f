import Type from 'typebox'
import type { CheckedSeller, SellerId } from '../../modules/sellers/index.ts'
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
  CountriesView,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  TaxIdTypesView,
  toCheck,
  toCountries,
  toTaxIdTypes,
} from '../shared/parties.ts'
import { meaningOf } from '../shared/value-meanings.ts'

const TaxIdStatus = named(
  'SellerTaxIdStatus',
  means(
    `What is known of a tax number. ${meaningOf.taxIdStatuses}`,
    OneOf('unverified', 'pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'),
  ),
)

const SellerView = Named('Seller', {
  id: means('Unique identifier of the seller (UUIDv7).', Uuid),
  name: means('Name of the seller, as documents show it.', Type.String()),
  tradingName: means('Name that customers know the seller by. Null if none is known.', Maybe(Type.String())),
  partyType: means('What the seller is, such as a person or a company.', PartyTypeField),
  taxId: means('Tax number of the seller. Null if none is known.', Maybe(Type.String())),
  taxIdStatus: means('What is known of the tax number of the seller.', TaxIdStatus),
  vatNumber: means('Number of the seller for value-added tax. Null if none is known.', Maybe(Type.String())),
  registrationNumber: means(
    'Number of the seller in the register of companies. Null if none is known.',
    Maybe(Type.String()),
  ),
  email: means('Email address of the seller. Null if none is known.', Maybe(Type.String())),
  phone: means('Telephone number of the seller. Null if none is known.', Maybe(Type.String())),
  website: means('Website of the seller. Null if none is known.', Maybe(Type.String())),
  address: means('Postal address of the seller. Null if none is known.', AddressView),
  createdAt: means('When the seller was created.', Instant),
  updatedAt: means('When the seller last changed.', Instant),
})

/** Fields that are not in the profile, which the seller otherwise follows. */
const SellerChange = Fields({
  tradingName: Type.Optional(
    means('Name that customers know the seller by. Send null to remove it.', Maybe(Text(1, 255))),
  ),
  vatNumber: Type.Optional(means('Number for value-added tax. Send null to remove it.', Maybe(Text(1, 50)))),
  registrationNumber: Type.Optional(
    means('Number in the register of companies. Send null to remove it.', Maybe(Text(1, 100))),
  ),
})

const toView = (seller: CheckedSeller) => ({
  id: seller.id,
  name: seller.name,
  tradingName: seller.tradingName,
  partyType: seller.partyType,
  taxId: seller.taxId,
  taxIdStatus: seller.taxIdStatus,
  vatNumber: seller.vatNumber,
  registrationNumber: seller.registrationNumber,
  email: seller.email,
  phone: seller.phone,
  website: seller.website,
  address: toAddress(seller.address),
  createdAt: seller.createdAt.toISOString(),
  updatedAt: seller.updatedAt.toISOString(),
})

const ById = Fields({ id: means('Unique identifier of the seller.', Uuid) })
/** In this form an organisation has one seller, itself. */
const primaryOnly = true as const
const primary = ({ params }: { params: { id: string } }) => ({ id: params.id as SellerId, primaryOnly })

export const sellers = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      search: Type.Optional(means('Return only sellers with these words in their name or tax number.', Text(0, 100))),
    }),
    reply: List(SellerView),
    decode: ({ query }) => ({ filter: { primaryOnly, search: query.search }, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: elsewhere,
  deleteMany: elsewhere,
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
  getSetup: describeRoute(routes.getSetup, {
    status: 200,
    reply: Named('SellerSetup', {
      seller: means('The seller of the organisation. Null if there is none.', Maybe(SellerView)),
      canAddSellers: means('Always false. The organisation is its own only seller here.', Type.Boolean()),
      taxIdTypes: means('Kinds of tax numbers that there are.', TaxIdTypesView),
      countries: means('Countries that an address can have.', CountriesView),
    }),
    decode: () => undefined,
    encode: ({ seller, taxIdTypes, countries }) => ({
      seller: seller ? toView(seller) : null,
      canAddSellers: false,
      taxIdTypes: toTaxIdTypes(taxIdTypes),
      countries: toCountries(countries),
    }),
  }),
  get: describeRoute(routes.get, { status: 200, params: ById, reply: SellerView, decode: primary, encode: toView }),
  update: describeRoute(routes.update, {
    status: 200,
    params: ById,
    body: SellerChange,
    reply: SellerView,
    decode: ({ params, body }) => ({ id: params.id as SellerId, change: body, primaryOnly }),
    encode: toView,
  }),
  delete: elsewhere,
  getVerification: describeRoute(routes.getVerification, {
    status: 200,
    params: ById,
    reply: Named('SellerVerification', {
      sellerId: means('Unique identifier of the seller.', Uuid),
      taxIdStatus: means('What is known of the tax number of the seller.', TaxIdStatus),
      verification: means('Latest check of the tax number. Null if there was none.', CheckView),
    }),
    decode: primary,
    encode: ({ seller, check }) => ({
      sellerId: seller.id,
      taxIdStatus: seller.taxIdStatus,
      verification: check ? toCheck(check) : null,
    }),
  }),
  verify: elsewhere,
}
