import Type from 'typebox'
import { type Item, type ItemId, itemSorts, itemTypes } from '../../modules/items/index.ts'
import { itemEndpoints as endpoints } from '../endpoints/items.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'

const UnitPrice = Type.String({
  // Up to 10^14 minor units, with two decimals: unit prices have four.
  pattern: '^(?:(?:0|[1-9]\\d{0,13})(?:\\.\\d{1,2})?|100000000000000(?:\\.0{1,2})?)$',
  explanation: 'must be minor units as text, from 0 to 100000000000000, with two decimals at most',
})

const shared = {
  name: Text(1, 255),
  description: Type.Optional(Maybe(Prose(0, 1000))),
  hsnCode: Type.Optional(Maybe(Text(1, 20))),
  serviceCode: Type.Optional(Maybe(Text(1, 20))),
  productCategory: Text(1, 500),
  unitCode: Text(1, 10),
  unitPriceMinor: UnitPrice,
  currency: Text(3, 3),
  taxCategory: Text(1, 50),
  sku: Type.Optional(Maybe(Text(1, 64))),
}

const ItemBody = Named('NewItem', { ...shared, itemType: OneOf(...itemTypes) })
const ItemChange = Type.Partial(Fields({ ...shared, itemType: OneOf(...itemTypes) }), {
  additionalProperties: false,
  named: 'ItemChange',
})

const ItemView = Named('Item', {
  id: Uuid,
  name: Type.String(),
  description: Maybe(Type.String()),
  itemType: OneOf(...itemTypes),
  hsnCode: Maybe(Type.String()),
  serviceCode: Maybe(Type.String()),
  productCategory: Type.String(),
  unitCode: Type.String(),
  unitPriceMinor: Type.String(),
  currency: Type.String(),
  taxCategory: Type.String(),
  sku: Maybe(Type.String()),
  useCount: Type.Integer(),
  lastUsedAt: Maybe(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  archivedAt: Maybe(Instant),
})

const toView = ({ version: _, useCount, lastUsedAt, createdAt, updatedAt, archivedAt, ...item }: Item) => ({
  ...item,
  useCount: Number(useCount),
  lastUsedAt: isoOrNull(lastUsedAt),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  archivedAt: isoOrNull(archivedAt),
})

const ById = Fields({ id: Uuid })
const ofItem = { status: 200, params: ById, reply: ItemView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as ItemId })

/** Nothing for both. */
const archivedFrom = (text: 'false' | 'true' | 'all' | undefined): boolean | undefined =>
  text === 'all' ? undefined : text === 'true'

export const items = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      q: Type.Optional(Text(0, 100)),
      itemType: Type.Optional(OneOf(...itemTypes)),
      archived: Type.Optional(OneOf('false', 'true', 'all')),
      sort: Type.Optional(OneOf(...itemSorts)),
    }),
    reply: List(ItemView),
    decode: ({ query }) => ({
      filter: { words: query.q, itemType: query.itemType, archived: archivedFrom(query.archived) },
      sort: query.sort ?? '-useCount',
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    body: ItemBody,
    reply: ItemView,
    decode: ({ body }) => ({
      ...body,
      description: body.description ?? null,
      hsnCode: body.hsnCode ?? null,
      serviceCode: body.serviceCode ?? null,
      sku: body.sku ?? null,
    }),
    encode: toView,
    location: ({ id }) => `/i/v1/items/${id}`,
  }),
  get: speak(endpoints.get, { ...ofItem, decode: idOf }),
  update: speak(endpoints.update, {
    ...ofItem,
    body: ItemChange,
    decode: ({ params, body }) => ({ id: params.id as ItemId, change: body }),
  }),
  delete: speak(endpoints.delete, {
    status: 200,
    params: ById,
    reply: Fields({ id: Uuid, deleted: Type.Literal(true) }),
    decode: idOf,
    encode: ({ id }) => ({ id, deleted: true as const }),
  }),
  archive: speak(endpoints.archive, { ...ofItem, decode: idOf }),
  unarchive: speak(endpoints.unarchive, { ...ofItem, decode: idOf }),
}
