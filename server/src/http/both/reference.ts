import Type from 'typebox'
import { type CodeEntry, listTypes } from '../../jurisdictions/port.ts'
import type { LoadedList } from '../../modules/reference/index.ts'
import { referenceEndpoints as endpoints } from '../endpoints/reference.ts'
import { JsonText } from '../envelope.ts'
import { Day, Fields, List, Maybe, Named, OneOf, PageQuery, pageFrom, Text } from '../fields.ts'
import { speak } from '../speak.ts'

const Entry = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    category: Type.Optional(Type.String()),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
  },
  {
    additionalProperties: Type.Union([Type.String(), Type.Number()]),
    description: 'a code, with what else its list says of it',
  },
)
const ListView = Named('CodeList', {
  type: OneOf(...listTypes),
  version: Type.String(),
  effectiveFrom: Day,
  source: OneOf('built-in', 'import', 'authority'),
  count: Type.Integer(),
  entries: List(Entry),
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

/** A list is spelled out once, and not again until it changes. */
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
  code: Type.String(),
  description: Type.String(),
  category: Maybe(Type.String()),
  suggestedTaxCategory: Maybe(
    Type.String({ description: 'what the law makes of it today, where it is zero-rated or exempt as a whole' }),
  ),
})

export const reference = {
  searchProductCodes: speak(endpoints.searchProductCodes, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      search: Type.Optional(Text(0, 100)),
      category: Type.Optional(Text(0, 100)),
    }),
    reply: List(ProductCode),
    decode: ({ query }) => ({ search: query.search, category: query.category, page: pageFrom(query) }),
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
  listProductCategories: speak(endpoints.listProductCategories, {
    status: 200,
    reply: List(Fields({ category: Type.String(), count: Type.Integer() })),
    decode: () => undefined,
    encode: ({ categories }) => categories.map(({ name, count }) => ({ category: name, count })),
    pagination: ({ categories }) => ({ page: 1, limit: Math.max(categories.length, 1), total: categories.length }),
    tag: ({ tag }) => tag,
  }),
  readAllLists: speak(endpoints.readAllLists, {
    status: 200,
    reply: List(ListView),
    decode: () => undefined,
    encode: textOfAll,
    tag: ({ tag }) => tag,
  }),
  readList: speak(endpoints.readList, {
    status: 200,
    params: Fields({ type: OneOf(...listTypes) }),
    reply: ListView,
    decode: ({ params }) => ({ type: params.type }),
    encode: textOf,
    tag: ({ tag }) => tag,
  }),
  lookUpTaxId: speak(endpoints.lookUpTaxId, {
    status: 200,
    params: Fields({ value: Text(1, 64) }),
    query: Fields({ type: Type.Optional(OneOf('tin', 'rn', 'foreign')) }),
    reply: Fields({
      value: Type.String(),
      type: OneOf('tin', 'rn', 'foreign', 'none'),
      status: OneOf('registered', 'not_registered'),
      taxpayerName: Maybe(Type.String()),
      address: Maybe(Type.String()),
    }),
    decode: ({ params, query }) => ({ value: params.value, type: query.type ?? 'tin' }),
    encode: ({ value, type, registered, name, address }) => ({
      value,
      type,
      status: registered ? ('registered' as const) : ('not_registered' as const),
      taxpayerName: name,
      address,
    }),
  }),
}
