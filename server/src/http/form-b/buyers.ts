import Type from 'typebox'
import type { Buyer, BuyerId } from '../../modules/buyers/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { buyerRoutes as routes } from '../routes/buyers.ts'
import { buyerHistory } from '../shared/buyer-history.ts'
import { toAddress } from '../shared/contract-words.ts'
import {
  AddressView,
  CheckView,
  LanguageField,
  ManyIds,
  PartyTypeField,
  SearchQuery,
  searchLimit,
  TaxIdStatusField,
  toCheck,
  wholePage,
} from '../shared/parties.ts'
import { Address, fieldNames, PartyEmail, PartyName, PartyPhone, partyFields, toCore } from './parties.ts'

const BuyerView = Named('Buyer', {
  id: means('Unique identifier of the buyer (UUIDv7).', Uuid),
  partyName: means('Name of the buyer, as documents show it.', Type.String()),
  tradingName: means('Name that customers know the buyer by. Null if none is known.', Maybe(Type.String())),
  partyType: means('What the buyer is, such as a person or a company.', PartyTypeField),
  taxNumber: means('Tax number of the buyer. Null if none is known.', Maybe(Type.String())),
  taxNumberStatus: means('What is known of the tax number of the buyer.', TaxIdStatusField),
  vatNumber: means('Number of the buyer for value-added tax. Null if none is known.', Maybe(Type.String())),
  registrationNumber: means(
    'Number of the buyer in the register of companies. Null if none is known.',
    Maybe(Type.String()),
  ),
  email: means('Email address that invoices are sent to. Null if none is known.', Maybe(Type.String())),
  phoneNumber: means('Telephone number of the buyer. Null if none is known.', Maybe(Type.String())),
  website: means('Website of the buyer. Null if none is known.', Maybe(Type.String())),
  postalAddress: means('Postal address of the buyer. Null if none is known.', AddressView),
  notes: means('Your own remarks on the buyer. Null if there are none.', Maybe(Type.String())),
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
  language: buyer.language,
  createdAt: buyer.createdAt.toISOString(),
  updatedAt: buyer.updatedAt.toISOString(),
  archivedAt: isoOrNull(buyer.archivedAt),
})

const Verification = Named('BuyerVerification', {
  buyerId: means('Unique identifier of the buyer.', Uuid),
  taxNumberStatus: means('What is known of the tax number of the buyer.', TaxIdStatusField),
  verification: means('Latest check of the tax number. Null if there was none.', CheckView),
})

const ById = Fields({ id: means('Unique identifier of the buyer.', Uuid) })
const ofBuyer = { status: 200, params: ById, reply: BuyerView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as BuyerId })
const TaxNumber = Type.Optional(Maybe(Text(1, 50)))
const NewLanguage = Type.Optional(
  means('Language of documents, public pages and mails for the buyer. English if there is none.', Maybe(LanguageField)),
)

export const buyers = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(BuyerView),
    decode: ({ query }) => ({ filter: {}, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    body: Named('NewBuyer', {
      partyName: means('Name of the buyer, as documents show it.', PartyName),
      ...partyFields,
      taxNumber: means('Tax number of the buyer.', TaxNumber),
      email: means('Email address that invoices are sent to.', PartyEmail),
      phoneNumber: means('Telephone number of the buyer.', PartyPhone),
      postalAddress: means('Postal address of the buyer.', Address),
      language: NewLanguage,
    }),
    reply: BuyerView,
    fieldNames,
    decode: ({ body }) => ({
      ...toCore(body),
      name: body.partyName,
      partyType: body.partyType ?? 'individual',
      taxId: body.taxNumber ?? null,
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
  getReachability: elsewhere,
  checkReachability: elsewhere,
  search: describeRoute(routes.search, {
    status: 200,
    query: Fields(SearchQuery),
    reply: List(BuyerView),
    decode: ({ query }) => ({ words: query.q, limit: query.limit ?? searchLimit }),
    encode: (rows) => rows.map(toView),
    pagination: wholePage,
  }),
  getSetup: elsewhere,
  get: describeRoute(routes.get, { ...ofBuyer, decode: idOf }),
  update: describeRoute(routes.update, {
    ...ofBuyer,
    body: Named('BuyerChange', {
      partyName: Type.Optional(means('New name of the buyer, as documents show it.', PartyName)),
      ...partyFields,
      taxNumber: means('New tax number of the buyer. It has to be verified again. Send null to remove it.', TaxNumber),
      email: Type.Optional(means('New email address that invoices are sent to.', PartyEmail)),
      phoneNumber: Type.Optional(means('New telephone number of the buyer.', PartyPhone)),
      postalAddress: Type.Optional(means('New postal address. It replaces the old one as a whole.', Address)),
      language: NewLanguage,
    }),
    fieldNames,
    decode: ({ params, body }) => ({
      id: params.id as BuyerId,
      change: {
        ...toCore(body),
        ...(body.taxNumber === undefined ? {} : { taxId: body.taxNumber }),
        ...(body.language === undefined ? {} : { language: body.language }),
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
      taxNumberStatus: buyer.taxIdStatus,
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
    encode: ({ check, taxIdStatus }) => ({
      buyerId: check.partyId,
      taxNumberStatus: taxIdStatus,
      verification: toCheck(check),
    }),
  }),
  ...buyerHistory,
}
