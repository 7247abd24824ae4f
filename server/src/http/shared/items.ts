import Type from 'typebox'
import { type Item, type ItemId, itemSorts, itemTypes } from '../../modules/items/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
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
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { itemRoutes as routes } from '../routes/items.ts'

const UnitPrice = Type.String({
  // Up to 10^14 minor units with two decimals, because unit prices have four.
  pattern: '^(?:(?:0|[1-9]\\d{0,13})(?:\\.\\d{1,2})?|100000000000000(?:\\.0{1,2})?)$',
  explanation: 'must be minor units as text, from 0 to 100000000000000, with two decimals at most',
})

const shared = {
  name: means('Name of the item, as invoice lines show it.', Text(1, 255)),
  description: Type.Optional(means('Longer description of the item. Send null to remove it.', Maybe(Prose(0, 1000)))),
  hsnCode: Type.Optional(
    means(
      'Customs code (HS) of goods, from the code list `product-codes`. Needed for goods, left out for services.',
      Maybe(Text(1, 20)),
    ),
  ),
  serviceCode: Type.Optional(
    means(
      'Code of a service (ISIC), from the code list `service-codes`. Needed for services, left out for goods.',
      Maybe(Text(1, 20)),
    ),
  ),
  productCategory: means('Kind of goods or service, in words.', Text(1, 500)),
  unitCode: means('Unit of measure, from the code list `units` (UN/ECE Recommendation 20).', Text(1, 10)),
  unitPriceMinor: means('Price of one unit without tax, in minor units such as cents.', UnitPrice),
  currency: means('Currency of the price, as a code of ISO 4217 such as `NGN`.', Text(3, 3)),
  taxCategory: means('How the item is taxed, from the code list `tax-categories`.', Text(1, 50)),
  sku: Type.Optional(
    means('Your own stock number of the item. Only one item that is not archived can have it.', Maybe(Text(1, 64))),
  ),
}

const ItemBody = Named('NewItem', {
  ...shared,
  itemType: means('Whether the item is `goods` or a `service`. It cannot be changed later.', OneOf(...itemTypes)),
})
const ItemChange = Type.Partial(
  Fields({
    ...shared,
    itemType: means('Whether the item is `goods` or a `service`. It must be what the item is.', OneOf(...itemTypes)),
  }),
  {
    additionalProperties: false,
    named: 'ItemChange',
  },
)

const ItemView = Named('Item', {
  id: means('Unique identifier of the item (UUIDv7).', Uuid),
  name: means('Name of the item, as invoice lines show it.', Type.String()),
  description: means('Longer description of the item. Null if there is none.', Maybe(Type.String())),
  itemType: means('Whether the item is `goods` or a `service`.', OneOf(...itemTypes)),
  hsnCode: means(
    'Customs code (HS) of goods, from the code list `product-codes`. Null for a service.',
    Maybe(Type.String()),
  ),
  serviceCode: means(
    'Code of a service (ISIC), from the code list `service-codes`. Null for goods.',
    Maybe(Type.String()),
  ),
  productCategory: means('Kind of goods or service, in words.', Type.String()),
  unitCode: means('Unit of measure, from the code list `units` (UN/ECE Recommendation 20).', Type.String()),
  unitPriceMinor: means(
    'Price of one unit without tax, in minor units such as cents, with two decimals at most.',
    Type.String(),
  ),
  currency: means('Currency of the price, as a code of ISO 4217 such as `NGN`.', Type.String()),
  taxCategory: means('How the item is taxed, from the code list `tax-categories`.', Type.String()),
  sku: means('Your own stock number of the item. Null if there is none.', Maybe(Type.String())),
  useCount: means(
    'Number of invoice lines that were made from the item. Counted within about a second.',
    Type.Integer(),
  ),
  lastUsedAt: means('When an invoice line was last made from the item. Null if none was.', Maybe(Instant)),
  createdAt: means('When the item was created.', Instant),
  updatedAt: means('When the item last changed.', Instant),
  archivedAt: means('When the item was archived. Null for an item that is offered for new lines.', Maybe(Instant)),
})

const toView = ({ version: _, useCount, lastUsedAt, createdAt, updatedAt, archivedAt, ...item }: Item) => ({
  ...item,
  useCount: Number(useCount),
  lastUsedAt: isoOrNull(lastUsedAt),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  archivedAt: isoOrNull(archivedAt),
})

const ById = Fields({ id: means('Unique identifier of the item.', Uuid) })
const ofItem = { status: 200, params: ById, reply: ItemView, encode: toView } as const
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as ItemId })

/** `undefined` for archived and other items alike. */
const archivedFrom = (text: 'false' | 'true' | 'all' | undefined): boolean | undefined =>
  text === 'all' ? undefined : text === 'true'

export const items = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      q: Type.Optional(
        means('Return only items with these words in their name, description, code or stock number.', Text(0, 100)),
      ),
      itemType: Type.Optional(means('Return only `goods`, or only items that are a `service`.', OneOf(...itemTypes))),
      archived: Type.Optional(
        means(
          'Return archived items too (`all`), or nothing else (`true`). `false` if you leave it out.',
          OneOf('false', 'true', 'all'),
        ),
      ),
      sort: Type.Optional(
        means(
          'Order of the list. The minus means largest or latest first. `-useCount` if you leave it out.',
          OneOf(...itemSorts),
        ),
      ),
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
  create: describeRoute(routes.create, {
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
  get: describeRoute(routes.get, { ...ofItem, decode: idOf }),
  update: describeRoute(routes.update, {
    ...ofItem,
    body: ItemChange,
    decode: ({ params, body }) => ({ id: params.id as ItemId, change: body }),
  }),
  delete: describeRoute(routes.delete, {
    status: 200,
    params: ById,
    reply: Fields({
      id: means('Unique identifier of the item.', Uuid),
      deleted: means('Always true. The item no longer exists.', Type.Literal(true)),
    }),
    decode: idOf,
    encode: ({ id }) => ({ id, deleted: true as const }),
  }),
  archive: describeRoute(routes.archive, { ...ofItem, decode: idOf }),
  unarchive: describeRoute(routes.unarchive, { ...ofItem, decode: idOf }),
}
