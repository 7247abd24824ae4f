import { offsetOf, type Page, type PageRequest, pageOfMore, readFor } from '../../kernel/paging.ts'
import { searchText } from '../../kernel/search-text.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { isForeignKeyViolation, isUniqueViolation, type Queryable, type Tx } from '../../platform/database/database.ts'
import {
  behind,
  cursorKeys,
  type ListOrder,
  orderBy,
  readPage,
  withoutKeys,
} from '../../platform/database/keyset.store.ts'
import { joined, literalLike, type Sql, sql } from '../../platform/database/sql.ts'
import { matchesTenantText } from '../../platform/database/text-search.store.ts'
import { onTheirShards } from '../../platform/database/their-shards.store.ts'
import { type Item, type ItemId, type ItemType, searchOf } from './item.ts'

const columns = sql`
  id, name, description, item_type, hsn_code, service_code, product_category, unit_code, trim_scale(unit_price_minor)::text as unit_price_minor, currency,
  tax_category, sku, use_count, last_used_at, version, created_at, updated_at, archived_at`

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** False if another item that is not archived has the sku. */
export async function insertItem(tx: Tx, tenant: Tenant, item: Item): Promise<boolean> {
  const i = item
  const inserted = await tx.run(sql`
    insert into items (organisation_id, mode, id, name, description, item_type, hsn_code, service_code, product_category, unit_code,
                       unit_price_minor, currency, tax_category, sku, search, created_at, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${i.id}, ${i.name}, ${i.description}, ${i.itemType}, ${i.hsnCode}, ${i.serviceCode},
            ${i.productCategory}, ${i.unitCode}, ${i.unitPriceMinor}, ${i.currency}, ${i.taxCategory}, ${i.sku}, ${searchOf(i)}, ${i.createdAt},
            ${i.updatedAt})
    on conflict (organisation_id, mode, sku) where archived_at is null and sku is not null do nothing`)
  return inserted === 1
}

export function findItem(db: Queryable, tenant: Tenant, id: ItemId): Promise<Item | undefined> {
  return db.maybe(sql`select ${columns} from items where ${within(tenant)} and id = ${id}`)
}

/** `for no key update`: an invoice that names the item does not wait for a change of it. */
export function lockItem(tx: Tx, tenant: Tenant, id: ItemId): Promise<Item | undefined> {
  return tx.maybe(sql`select ${columns} from items where ${within(tenant)} and id = ${id} for no key update`)
}

/**
 * All fields that can change; the count of uses is written elsewhere. `undefined` if another item that is not archived
 * has the sku. The transaction must then be rolled back.
 */
export function saveItem(tx: Tx, tenant: Tenant, item: Item): Promise<Item | undefined> {
  const i = item
  const saved = tx.one<Item>(sql`
    update items
       set name = ${i.name}, description = ${i.description}, hsn_code = ${i.hsnCode}, service_code = ${i.serviceCode},
           product_category = ${i.productCategory}, unit_code = ${i.unitCode}, unit_price_minor = ${i.unitPriceMinor}, currency = ${i.currency},
           tax_category = ${i.taxCategory}, sku = ${i.sku}, search = ${searchOf(i)}, archived_at = ${i.archivedAt},
           version = version + 1, updated_at = ${i.updatedAt}
     where ${within(tenant)} and id = ${i.id} returning ${columns}`)
  return saved.catch((error: unknown) => {
    if (isUniqueViolation(error)) return undefined
    throw error
  })
}

/** False if another row refers to the item. The foreign keys decide. */
export async function deleteItemRow(tx: Tx, tenant: Tenant, id: ItemId): Promise<boolean> {
  await tx.run(sql`savepoint before_delete`)
  try {
    await tx.run(sql`delete from items where ${within(tenant)} and id = ${id}`)
    return true
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await tx.run(sql`rollback to savepoint before_delete`)
    return false
  }
}

export const itemSorts = ['-useCount', 'name', '-lastUsedAt'] as const
export type ItemSort = (typeof itemSorts)[number]

export interface ItemFilter {
  readonly words?: string | undefined
  readonly itemType?: ItemType | undefined
  /** `undefined` for all items. */
  readonly archived?: boolean | undefined
}

const id = { column: sql`id`, type: 'uuid' } as const
const orders: Readonly<Record<ItemSort, ListOrder>> = {
  '-useCount': { name: '-useCount', keys: [{ column: sql`use_count`, type: 'integer', descending: true }, id] },
  name: { name: 'name', keys: [{ column: sql`lower(name)`, type: 'text' }, id] },
  '-lastUsedAt': {
    name: '-lastUsedAt',
    keys: [{ column: sql`last_used_at`, type: 'instant', descending: true, nullsLast: true }, id],
  },
}

/** Words match anywhere, even a single letter inside a word. */
const matchesWords = (tenant: Tenant, words: string): Sql =>
  [...words].length >= 3 ? matchesTenantText(tenant, words) : sql`search like ${`%${literalLike(words)}%`}`

export async function listItems(
  db: Queryable,
  tenant: Tenant,
  { words, itemType, archived }: ItemFilter,
  sort: ItemSort,
  page: PageRequest,
): Promise<Page<Item>> {
  const conditions = [within(tenant)]
  const wanted = words === undefined ? '' : searchText(words)
  if (wanted !== '') conditions.push(matchesWords(tenant, wanted))
  if (itemType !== undefined) conditions.push(sql`item_type = ${itemType}`)
  if (archived !== undefined) conditions.push(archived ? sql`archived_at is not null` : sql`archived_at is null`)
  const matching = joined(conditions, ' and ')
  const order = orders[sort]
  if (wanted !== '') {
    // One query for the page and the total.
    const rows = await db.rows<Item & { total: number; cursorKeys: string[] }>(sql`
      with matching as materialized (select id, use_count, name, last_used_at from items where ${matching}),
           page as materialized (
             select id from matching where ${behind(order, page.after)}
              order by ${orderBy(order)} limit ${readFor(page)} offset ${offsetOf(page)})
      select ${columns}, ${cursorKeys(order)} as cursor_keys, (select count(*)::int from matching) as total
        from items where ${within(tenant)} and id in (select id from page) order by ${orderBy(order)}`)
    if (rows.length > 0 || (page.page === 1 && !page.after)) {
      const items = rows.map(({ total: _, ...item }) => item)
      const cursorOf = ({ cursorKeys: keys }: { cursorKeys: string[] }) => ({ order: order.name, keys })
      return withoutKeys(pageOfMore(items, rows[0]?.total ?? 0, page, cursorOf))
    }
  }
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from items where ${matching}`)
  return readPage(db, { columns, tables: sql`items`, matching, order, total }, page)
}

/** Items by id, archived ones too. */
export function listItemsById(db: Queryable, tenant: Tenant, ids: readonly ItemId[]): Promise<Item[]> {
  return db.rows(sql`select ${columns} from items where ${within(tenant)} and id = any (${ids}::uuid[])`)
}

/** Locked against deletion until the transaction ends. Changes are possible meanwhile. */
export function lockItemsById(tx: Tx, tenant: Tenant, ids: readonly ItemId[]): Promise<Item[]> {
  return tx.rows(sql`
    select ${columns} from items where ${within(tenant)} and id = any (${ids}::uuid[]) order by id for key share`)
}

/** New uses of an item, and the time of the last one. */
export interface ItemUse {
  readonly organisationId: string
  readonly mode: Mode
  readonly itemId: string
  readonly uses: number
  readonly usedAt: Date
}

/** Adds uses of items of all tenants. Deleted items are skipped. */
export async function addUses(tx: Tx, used: readonly ItemUse[]): Promise<void> {
  const each = <Name extends keyof ItemUse>(name: Name) => used.map((one) => one[name])
  const adding = onTheirShards(
    each('organisationId'),
    (named) => sql`
    update items i set use_count = i.use_count + u.uses, last_used_at = greatest(i.last_used_at, u.used_at)
      from unnest(${each('organisationId')}::uuid[], ${each('mode')}::text[], ${each('itemId')}::uuid[], ${each('uses')}::int[],
                  ${each('usedAt')}::timestamptz[]) as u (organisation_id, mode, item_id, uses, used_at)
     where i.organisation_id = u.organisation_id and i.mode = u.mode and i.id = u.item_id ${named('i')}`,
  )
  await tx.run(adding)
}

/** Items that are not archived, by sku. */
export async function findItemsBySku(
  db: Queryable,
  tenant: Tenant,
  skus: readonly string[],
): Promise<Map<string, ItemId>> {
  const found = await db.rows<{ sku: string; id: ItemId }>(
    sql`select sku, id from items where ${within(tenant)} and archived_at is null and sku = any(${skus})`,
  )
  return new Map(found.map(({ sku, id }) => [sku, id]))
}
