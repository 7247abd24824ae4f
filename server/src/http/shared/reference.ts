import Type from 'typebox'
import { type CodeEntry, listTypes } from '../../jurisdictions/port.ts'
import type { LoadedList } from '../../modules/reference/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Day, Fields, List, Maybe, means, Named, OneOf, PageQuery, pageFrom, Text } from '../definitions/fields.ts'
import { JsonText } from '../reply/json-text.ts'
import { referenceRoutes as routes } from '../routes/reference.ts'
import { taxIdTypeFrom, toTaxIdType, wireTaxIdTypes } from './contract-words.ts'
import { meaningOf } from './value-meanings.ts'

const Entry = Type.Object(
  {
    code: means('Code, as requests give it.', Type.String()),
    name: means('What the code stands for, in words.', Type.String()),
    category: Type.Optional(means('Group that the code belongs to, such as a chapter or a state.', Type.String())),
    from: Type.Optional(means('First day on which the code is valid (YYYY-MM-DD). Absent if there is none.', Day)),
    to: Type.Optional(means('Last day on which the code is valid (YYYY-MM-DD). Absent if there is none.', Day)),
  },
  {
    additionalProperties: Type.Union([Type.String(), Type.Number()]),
    description: 'A code of the list. Some lists have further fields.',
  },
)
const ListView = Named('CodeList', {
  type: means('Name of the code list.', OneOf(...listTypes)),
  version: means('Version of the list, in the format of its source.', Type.String()),
  effectiveFrom: means('First day on which this version is valid (YYYY-MM-DD).', Day),
  source: means(
    'Where the list comes from: Risiti (`built-in`), a file of the operator (`import`), or the tax authority (`authority`).',
    OneOf('built-in', 'import', 'authority'),
  ),
  count: means('Number of codes in the list.', Type.Integer()),
  entries: means('The codes of the list.', List(Entry)),
})

const toEntry = ({ facts, ...entry }: CodeEntry) => ({ ...entry, ...facts })
const toList = ({ type, version, effectiveFrom, source, entries }: LoadedList) => ({
  type,
  version,
  effectiveFrom,
  source,
  count: entries.length,
  entries: entries.map(toEntry),
})

/** Cached, because a loaded list never changes. */
const spelled = new WeakMap<LoadedList, JsonText>()
function textOf(list: LoadedList): JsonText {
  let text = spelled.get(list)
  if (!text) {
    text = new JsonText(toList(list))
    spelled.set(list, text)
  }
  return text
}

let whole: { readonly tag: string; readonly text: JsonText } | undefined
function textOfAll({ lists, tag }: { lists: readonly LoadedList[]; tag: string }): JsonText {
  if (whole?.tag !== tag) whole = { tag, text: new JsonText(lists.map(toList)) }
  return whole.text
}

const ProductCode = Named('ProductCode', {
  code: means('Customs code (HS) of the goods.', Type.String()),
  description: means('Goods that the code stands for, in words.', Type.String()),
  category: means(
    'Chapter of the customs tariff that the code belongs to. Null if it belongs to none.',
    Maybe(Type.String()),
  ),
  suggestedTaxCategory: means(
    'Tax category of the goods under the law of today, if all of them are zero-rated or exempt. Null otherwise.',
    Maybe(Type.String()),
  ),
})

const JurisdictionView = Named('Jurisdiction', {
  country: means('Country, as a code of ISO 3166-1 such as `NG`.', Type.String()),
  currency: means('Currency of the country, as an ISO 4217 code. It is the default of forms.', Type.String()),
  currencies: means(
    'Currencies that documents can have.',
    List(
      Fields({
        code: means('Currency, as an ISO 4217 code.', Type.String()),
        decimals: means('Decimals of its amounts. Minor units are 10 to this power of a major unit.', Type.Integer()),
      }),
    ),
  ),
  timeZone: means('Time zone of its business days, such as `Europe/Paris`.', Type.String()),
  invoiceKinds: means(
    'Kinds of invoice that the law knows.',
    List(
      Fields({
        kind: means('Kind, as `invoiceKind` of an invoice gives it.', Type.String()),
        label: means('Name of the kind, for display.', Type.String()),
      }),
    ),
  ),
  taxIdTypes: means(
    'Kinds of tax number that parties can have.',
    List(
      Fields({
        type: means(meaningOf.taxIdTypes, OneOf(...wireTaxIdTypes)),
        label: means('Name of the kind, for display.', Type.String()),
        example: means('A number of this kind. Null for `none`.', Maybe(Type.String())),
      }),
    ),
  ),
  taxCategories: means(
    'Usual tax categories. The first one is the default. The code list `tax-categories` has all of them.',
    List(
      Fields({
        code: means('Code of the tax category.', Type.String()),
        label: means('Short name of the tax, for display.', Type.String()),
        rate: means('Legal rate of today in percent, as a decimal. Null if no tax is charged.', Maybe(Type.String())),
      }),
    ),
  ),
  authorityReferenceName: means('What people call the number that the authority knows a document by.', Type.String()),
  districtName: means(
    'What people call the part of an address below the state. Null if addresses have none.',
    Maybe(Type.String()),
  ),
  phonePrefix: means('How telephone numbers of the country begin, with a plus sign.', Type.String()),
  phoneTrunkPrefix: means(
    'What people dial first at home instead of `phonePrefix`, such as `0`. Empty if they dial nothing.',
    Type.String(),
  ),
  payerIdentifiers: means(
    'Numbers of a payer that banks may require for a virtual account.',
    List(
      Fields({
        name: means('Name of the field in `customer` of a virtual account.', Type.String()),
        label: means('What people call the number.', Type.String()),
      }),
    ),
  ),
  connectionIdentifiers: means(
    'What a business enters to connect to the tax authority.',
    List(
      Fields({
        name: means('Name of the field in `authorityIdentifiers` of the connection.', Type.String()),
        label: means('Name of the field, for display.', Type.String()),
        example: means('A value of the right format.', Type.String()),
        hint: means('What a person should know about it. Null if the label says everything.', Maybe(Type.String())),
      }),
    ),
  ),
  keyFileName: means(
    'Name of the key file that the authority gives a business. Null if there are no key files.',
    Maybe(Type.String()),
  ),
})

export const reference = {
  listJurisdictions: describeRoute(routes.listJurisdictions, {
    status: 200,
    reply: List(JurisdictionView),
    decode: () => undefined,
    encode: (all) =>
      all.map(({ zone, words, connections, taxIdTypes, invoiceKinds, ...jurisdiction }) => ({
        ...jurisdiction,
        invoiceKinds: [...invoiceKinds],
        timeZone: zone,
        taxIdTypes: taxIdTypes.map((each) => ({ ...each, type: toTaxIdType(each.type) })),
        authorityReferenceName: words.reference.name,
        districtName: words.district,
        phonePrefix: words.phonePrefix,
        phoneTrunkPrefix: words.phoneTrunkPrefix,
        payerIdentifiers: [...words.payerIdentifiers],
        connectionIdentifiers: [...connections.identifiers],
        keyFileName: connections.keyFile?.fileName ?? null,
      })),
    pagination: (all) => ({ page: 1, limit: Math.max(all.length, 1), total: all.length }),
  }),
  searchProductCodes: describeRoute(routes.searchProductCodes, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      search: Type.Optional(means('Return only codes with these words or digits.', Text(0, 100))),
      category: Type.Optional(means('Return only codes of this category.', Text(0, 100))),
      onlyForLines: Type.Optional(
        means(
          '`true`: return only codes that the authority accepts on a line, which have six digits. The words of a heading find its codes too.',
          Type.Boolean(),
        ),
      ),
    }),
    reply: List(ProductCode),
    decode: ({ query }) => ({
      search: query.search,
      category: query.category,
      onlyForLines: query.onlyForLines ?? false,
      page: pageFrom(query),
    }),
    encode: ({ rows }) =>
      rows.map(({ code, name, category, suggested }) => ({
        code,
        description: name,
        category: category ?? null,
        suggestedTaxCategory: suggested?.taxCategory ?? null,
      })),
    pagination: (page) => page,
    tag: ({ tag, page, limit, total }) => `${tag}-${page}-${limit}-${total}`,
  }),
  listProductCategories: describeRoute(routes.listProductCategories, {
    status: 200,
    reply: List(
      Fields({
        category: means('Name of the category.', Type.String()),
        count: means('Number of codes in the category.', Type.Integer()),
      }),
    ),
    decode: () => undefined,
    encode: ({ categories }) => categories.map(({ name, count }) => ({ category: name, count })),
    pagination: ({ categories }) => ({ page: 1, limit: Math.max(categories.length, 1), total: categories.length }),
    tag: ({ tag }) => tag,
  }),
  readAllLists: describeRoute(routes.readAllLists, {
    status: 200,
    reply: List(ListView),
    decode: () => undefined,
    encode: textOfAll,
    tag: ({ tag }) => tag,
  }),
  readList: describeRoute(routes.readList, {
    status: 200,
    params: Fields({ type: means('Name of the code list.', OneOf(...listTypes)) }),
    reply: ListView,
    decode: ({ params }) => ({ type: params.type }),
    encode: textOf,
    tag: ({ tag }) => tag,
  }),
  lookUpTaxId: describeRoute(routes.lookUpTaxId, {
    status: 200,
    params: Fields({ value: means('Tax number to look up.', Text(1, 64)) }),
    query: Fields({
      type: Type.Optional(
        means('Kind of tax number: `tin` (the default), `rn` or `foreign`.', OneOf('tin', 'rn', 'foreign')),
      ),
    }),
    reply: Fields({
      value: means('Tax number that was looked up.', Type.String()),
      type: means(meaningOf.taxIdTypes, OneOf(...wireTaxIdTypes)),
      status: means(
        'Whether the authority has the tax number in its register: `registered` or `not_registered`.',
        OneOf('registered', 'not_registered'),
      ),
      taxpayerName: means(
        'Name that the authority has for the number. Null if it is not registered.',
        Maybe(Type.String()),
      ),
      address: means('Address that the authority has for the number. Null if it gave none.', Maybe(Type.String())),
    }),
    decode: ({ params, query }) => ({ value: params.value, type: taxIdTypeFrom(query.type ?? 'tin') }),
    encode: ({ value, type, registered, name, address }) => ({
      value,
      type: toTaxIdType(type),
      status: registered ? ('registered' as const) : ('not_registered' as const),
      taxpayerName: name,
      address,
    }),
  }),
}
