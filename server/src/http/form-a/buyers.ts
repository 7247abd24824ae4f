import Type from 'typebox'
import type { Buyer, BuyerId } from '../../modules/buyers/index.ts'
import type { Reachability } from '../../modules/tax-identities/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
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
  PageQuery,
  Phone,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { buyerRoutes as routes } from '../routes/buyers.ts'
import { buyerHistory } from '../shared/buyer-history.ts'
import { addressFrom, taxIdTypeFrom, toAddress, toTaxIdType } from '../shared/contract-words.ts'
import {
  AddressView,
  BuyerAddress,
  CheckView,
  CountriesView,
  LanguageField,
  ManyIds,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  TaxIdStatusField,
  TaxIdTypeField,
  TaxIdTypesView,
  toCheck,
  toCountries,
  toTaxIdTypes,
  wholePage,
} from '../shared/parties.ts'

const optional = {
  legalName: Type.Optional(means('Name in the register of companies, if it differs from `name`.', Maybe(Text(1, 255)))),
  taxId: Type.Optional(
    means('Tax number of the buyer. Needed with every `taxIdType` except `none`.', Maybe(Text(1, 64))),
  ),
  taxIdType: Type.Optional(
    means('Kind of tax number. `tin` if you leave it out with a `taxId`, else `none`.', Maybe(TaxIdTypeField)),
  ),
  email: Type.Optional(means('Email address that invoices are sent to.', Maybe(Email(320)))),
  phone: Type.Optional(means('Telephone number of the buyer.', Maybe(Phone))),
  address: Type.Optional(means('Postal address of the buyer.', Maybe(BuyerAddress))),
  partyType: Type.Optional(
    means('What the buyer is, such as a person or a company. `company` if you leave it out.', Maybe(PartyTypeField)),
  ),
  businessDescription: Type.Optional(means('What the business of the buyer does.', Maybe(Prose(0, 1000)))),
  reference: Type.Optional(means('Your own number or name for the buyer.', Maybe(Text(1, 100)))),
  language: Type.Optional(
    means(
      'Language of documents, public pages and mails for the buyer. English if there is none.',
      Maybe(LanguageField),
    ),
  ),
}

const standardPartyType = 'company'

const BuyerView = Named('Buyer', {
  id: means('Unique identifier of the buyer (UUIDv7).', Uuid),
  name: means('Name of the buyer, as documents show it.', Type.String()),
  legalName: means('Name in the register of companies. Null if none is known.', Maybe(Type.String())),
  taxId: means('Tax number of the buyer. Null if none is known.', Maybe(Type.String())),
  taxIdType: means('Kind of tax number of the buyer.', TaxIdTypeField),
  taxIdStatus: means('What is known of the tax number of the buyer.', TaxIdStatusField),
  email: means('Email address that invoices are sent to. Null if none is known.', Maybe(Type.String())),
  phone: means('Telephone number of the buyer (E.164). Null if none is known.', Maybe(Type.String())),
  address: means('Postal address of the buyer. Null if none is known.', AddressView),
  partyType: means('What the buyer is, such as a person or a company.', PartyTypeField),
  businessDescription: means('What the business of the buyer does. Null if nobody wrote it.', Maybe(Type.String())),
  reference: means('Your own number or name for the buyer. Null if there is none.', Maybe(Type.String())),
  language: means(
    'Language of documents, public pages and mails for the buyer. Null if nobody chose one; then it is English.',
    Maybe(LanguageField),
  ),
  createdAt: means('When the buyer was created.', Instant),
  updatedAt: means('When the buyer last changed.', Instant),
  archivedAt: means('When the buyer was archived. Null for a buyer that new invoices can name.', Maybe(Instant)),
})

const toView = (buyer: Buyer) => ({
  id: buyer.id,
  name: buyer.name,
  legalName: buyer.legalName,
  taxId: buyer.taxId,
  taxIdType: toTaxIdType(buyer.taxIdType),
  taxIdStatus: buyer.taxIdStatus,
  email: buyer.email,
  phone: buyer.phone,
  address: toAddress(buyer.address),
  partyType: buyer.partyType,
  businessDescription: buyer.businessDescription,
  reference: buyer.reference,
  language: buyer.language,
  createdAt: buyer.createdAt.toISOString(),
  updatedAt: buyer.updatedAt.toISOString(),
  archivedAt: isoOrNull(buyer.archivedAt),
})

const ReachView = Named('Reachability', {
  taxId: means('Tax number that was looked up.', Type.String()),
  reachable: means(
    'True if the e-invoicing network delivers to the tax number. Null if the authority never answered.',
    Maybe(Type.Boolean()),
  ),
  provider: means(
    'Name of the access point that delivers to the tax number. Null if none is known.',
    Maybe(Type.String()),
  ),
  checkedAt: means('When the authority gave this answer. Null if it never answered.', Maybe(Instant)),
  stale: means('True if the authority could not be asked now and the answer is an older one.', Type.Boolean()),
  unavailable: means('True if the authority could not be asked now.', Type.Boolean()),
})
const toReach = ({ checkedAt, ...reach }: Reachability) => ({ ...reach, checkedAt: isoOrNull(checkedAt) })
const ReachQuery = Fields({ taxId: means('Tax number to ask for.', Text(1, 32)) })

const Verification = Named('BuyerVerification', {
  buyerId: means('Unique identifier of the buyer.', Uuid),
  taxIdStatus: means('What is known of the tax number of the buyer.', TaxIdStatusField),
  verification: means('Latest check of the tax number. Null if there was none.', CheckView),
})

const ById = Fields({ id: means('Unique identifier of the buyer.', Uuid) })
const ofBuyer = { status: 200, params: ById, reply: BuyerView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as BuyerId })

export const buyers = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      search: Type.Optional(
        means('Return only buyers with these words in their name, legal name or tax number.', Text(0, 100)),
      ),
      taxIdStatus: Type.Optional(means('Return only buyers whose tax number has this status.', TaxIdStatusField)),
    }),
    reply: List(BuyerView),
    decode: ({ query }) => ({
      filter: { search: query.search, taxIdStatus: query.taxIdStatus },
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    body: Named('NewBuyer', { name: means('Name of the buyer, as documents show it.', Text(1, 255)), ...optional }),
    reply: BuyerView,
    decode: ({ body }) => ({
      name: body.name,
      legalName: body.legalName ?? null,
      taxId: body.taxId ?? null,
      taxIdType: body.taxIdType ? taxIdTypeFrom(body.taxIdType) : undefined,
      email: body.email ?? null,
      phone: body.phone ?? null,
      address: body.address ? addressFrom(body.address) : null,
      partyType: body.partyType ?? standardPartyType,
      businessDescription: body.businessDescription ?? null,
      reference: body.reference ?? null,
      language: body.language ?? null,
    }),
    encode: toView,
    location: ({ id }) => `/i/v1/buyers/${id}`,
  }),
  deleteMany: describeRoute(routes.deleteMany, {
    status: 200,
    body: ManyIds,
    reply: Named('DeletedBuyers', {
      deleted: means('Unique identifiers of the buyers that were deleted.', List(Uuid)),
      archived: means(
        'Unique identifiers of the buyers that were archived, because a document names them.',
        List(Uuid),
      ),
      notFound: means('Unique identifiers that no buyer has.', List(Uuid)),
    }),
    decode: ({ body }) => ({ ids: body.ids as BuyerId[] }),
    encode: (outcome) => outcome,
  }),
  getReachability: describeRoute(routes.getReachability, {
    status: 200,
    query: ReachQuery,
    reply: ReachView,
    decode: ({ query }) => ({ taxId: query.taxId }),
    encode: toReach,
  }),
  checkReachability: describeRoute(routes.checkReachability, {
    status: 200,
    body: ReachQuery,
    reply: ReachView,
    decode: ({ body }) => ({ taxId: body.taxId }),
    encode: toReach,
  }),
  search: describeRoute(routes.search, {
    status: 200,
    query: Fields(SearchQuery),
    reply: List(BuyerView),
    decode: ({ query }) => ({ words: query.q, limit: query.limit ?? searchLimit }),
    encode: (rows) => rows.map(toView),
    pagination: wholePage,
  }),
  getSetup: describeRoute(routes.getSetup, {
    status: 200,
    reply: Named('BuyerSetup', {
      partyTypes: means('Values that `partyType` can have.', List(Type.String())),
      taxIdTypes: means('Kinds of tax numbers that a buyer can have.', TaxIdTypesView),
      countries: means('Countries that an address can have.', CountriesView),
    }),
    decode: () => undefined,
    encode: ({ partyTypes, taxIdTypes, countries }) => ({
      partyTypes: [...partyTypes],
      taxIdTypes: toTaxIdTypes(taxIdTypes),
      countries: toCountries(countries),
    }),
  }),
  get: describeRoute(routes.get, { ...ofBuyer, decode: idOf }),
  update: describeRoute(routes.update, {
    ...ofBuyer,
    body: Named('BuyerChange', {
      name: Type.Optional(means('Name of the buyer, as documents show it.', Text(1, 255))),
      ...optional,
    }),
    decode: ({ params, body: { address, partyType, taxIdType, ...change } }) => ({
      id: params.id as BuyerId,
      change: {
        ...change,
        ...(address === undefined ? {} : { address: address && addressFrom(address) }),
        ...(partyType === undefined ? {} : { partyType: partyType ?? standardPartyType }),
        ...(taxIdType ? { taxIdType: taxIdTypeFrom(taxIdType) } : {}),
      },
    }),
  }),
  delete: describeRoute(routes.delete, {
    status: 200,
    params: ById,
    reply: Fields({
      id: means('Unique identifier of the buyer.', Uuid),
      outcome: means('`deleted`, or `archived` if a document names the buyer.', OneOf('deleted', 'archived')),
    }),
    decode: idOf,
    encode: (outcome) => outcome,
  }),
  getVerification: describeRoute(routes.getVerification, {
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
  verify: describeRoute(routes.verify, {
    status: 202,
    otherStatuses: [200],
    statusOf: ({ isNew }) => (isNew ? 202 : 200),
    params: ById,
    reply: Verification,
    decode: idOf,
    encode: ({ check, taxIdStatus }) => ({ buyerId: check.partyId, taxIdStatus, verification: toCheck(check) }),
  }),
  ...buyerHistory,
}
