import Type from 'typebox'
import type { CheckedSeller, SellerId } from '../../modules/sellers/index.ts'
import {
  AddressView,
  CheckView,
  CountriesView,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  TaxIdTypesView,
  toAddress,
  toCheck,
  toCountries,
  toTaxIdTypes,
} from '../both/parties.ts'
import { sellerEndpoints as endpoints } from '../endpoints/sellers.ts'
import { Fields, Instant, List, Maybe, Named, named, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'

const TaxIdStatus = named(
  'SellerTaxIdStatus',
  OneOf('unverified', 'pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'),
)

const SellerView = Named('Seller', {
  id: Uuid,
  name: Type.String(),
  tradingName: Maybe(Type.String()),
  partyType: PartyTypeField,
  taxId: Maybe(Type.String()),
  taxIdStatus: TaxIdStatus,
  vatNumber: Maybe(Type.String()),
  registrationNumber: Maybe(Type.String()),
  email: Maybe(Type.String()),
  phone: Maybe(Type.String()),
  website: Maybe(Type.String()),
  address: AddressView,
  createdAt: Instant,
  updatedAt: Instant,
})

/** What the organisation's profile, which the seller follows, has no place for. */
const SellerChange = Fields({
  tradingName: Type.Optional(Maybe(Text(1, 255))),
  vatNumber: Type.Optional(Maybe(Text(1, 50))),
  registrationNumber: Type.Optional(Maybe(Text(1, 100))),
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

const ById = Fields({ id: Uuid })
/** To this form an organisation has one seller: itself. */
const primaryOnly = true as const
const primary = ({ params }: { params: { id: string } }) => ({ id: params.id as SellerId, primaryOnly })

export const sellers = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields({ ...PageQuery(), search: Type.Optional(Text(0, 100)) }),
    reply: List(SellerView),
    decode: ({ query }) => ({ filter: { primaryOnly, search: query.search }, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: elsewhere,
  deleteMany: elsewhere,
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
  getSetup: speak(endpoints.getSetup, {
    status: 200,
    reply: Named('SellerSetup', {
      seller: Maybe(SellerView),
      canAddSellers: Type.Boolean(),
      taxIdTypes: TaxIdTypesView,
      countries: CountriesView,
    }),
    decode: () => undefined,
    encode: ({ seller, taxIdTypes, countries }) => ({
      seller: seller ? toView(seller) : null,
      canAddSellers: false,
      taxIdTypes: toTaxIdTypes(taxIdTypes),
      countries: toCountries(countries),
    }),
  }),
  get: speak(endpoints.get, { status: 200, params: ById, reply: SellerView, decode: primary, encode: toView }),
  update: speak(endpoints.update, {
    status: 200,
    params: ById,
    body: SellerChange,
    reply: SellerView,
    decode: ({ params, body }) => ({ id: params.id as SellerId, change: body, primaryOnly }),
    encode: toView,
  }),
  delete: elsewhere,
  getVerification: speak(endpoints.getVerification, {
    status: 200,
    params: ById,
    reply: Named('SellerVerification', { sellerId: Uuid, taxIdStatus: TaxIdStatus, verification: CheckView }),
    decode: primary,
    encode: ({ seller, check }) => ({
      sellerId: seller.id,
      taxIdStatus: seller.taxIdStatus,
      verification: check ? toCheck(check) : null,
    }),
  }),
  verify: elsewhere,
}
