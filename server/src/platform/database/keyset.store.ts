import type { Cursor } from '../../kernel/cursors.ts'
import { isDay } from '../../kernel/days.ts'
import { offsetOf, type Page, type PageRequest, pageOfMore, readFor, wrongCursor } from '../../kernel/paging.ts'
import type { Queryable } from './database.ts'
import { joined, type Sql, sql } from './sql.ts'

export type KeyType = 'uuid' | 'instant' | 'day' | 'integer' | 'boolean' | 'text'

export interface SortKey {
  readonly column: Sql
  readonly type: KeyType
  readonly descending?: true
  /** the column may be null, and nulls come last */
  readonly nullsLast?: true
}

/** The sort order of a list. The keys together are unique. */
export interface ListOrder {
  /** part of each cursor: lists of another order refuse the cursor */
  readonly name: string
  readonly keys: readonly SortKey[]
}

/** By id, newest first, like most lists: ids rise with time. */
export const newestIdFirst = (column: Sql): ListOrder => ({
  name: 'id',
  keys: [{ column, type: 'uuid', descending: true }],
})

export const newestFirst = (instant: Sql, id: Sql): ListOrder => ({
  name: 'newest',
  keys: [
    { column: instant, type: 'instant', descending: true },
    { column: id, type: 'uuid', descending: true },
  ],
})

export const oldestFirst = (instant: Sql, id: Sql): ListOrder => ({
  name: 'oldest',
  keys: [
    { column: instant, type: 'instant' },
    { column: id, type: 'uuid' },
  ],
})

const written: Readonly<Record<KeyType, (column: Sql) => Sql>> = {
  uuid: (column) => sql`(${column})::text`,
  // With microseconds: a Date would round them away, and a row would appear twice.
  instant: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  day: (column) => sql`to_char(${column}, 'YYYY-MM-DD')`,
  integer: (column) => sql`(${column})::text`,
  boolean: (column) => sql`(${column})::text`,
  text: (column) => sql`(${column})::text`,
}

const bound: Readonly<Record<KeyType, (value: string) => Sql>> = {
  uuid: (value) => sql`${value}::uuid`,
  instant: (value) => sql`${value}::timestamptz`,
  day: (value) => sql`${value}::date`,
  integer: (value) => sql`${value}::text::bigint`,
  boolean: (value) => sql`${value === 'true'}::boolean`,
  text: (value) => sql`${value}::text`,
}

const largest = 2n ** 63n

/** Whether the database can parse a value of a cursor: invented values must not reach it. */
const isValue: Readonly<Record<KeyType, (value: string) => boolean>> = {
  uuid: (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value),
  instant: (value) => /^.{10}T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{6}Z$/.test(value) && isDay(value.slice(0, 10)),
  day: isDay,
  integer: (value) => /^-?\d{1,19}$/.test(value) && BigInt(value) < largest && BigInt(value) >= -largest,
  boolean: (value) => value === 'true' || value === 'false',
  text: (value) => !value.includes('\0') && value.isWellFormed(),
}

const directionOf = ({ descending }: SortKey): Sql => (descending ? sql`desc` : sql`asc`)

export const orderBy = ({ keys }: ListOrder): Sql =>
  joined(
    keys.map((key) => sql`${key.column} ${directionOf(key)}${key.nullsLast ? sql` nulls last` : sql``}`),
    ', ',
  )

/** The cursor values of a row: a column to select as `cursor_keys`. */
export const cursorKeys = ({ keys }: ListOrder): Sql =>
  sql`array[${joined(
    keys.map(({ type, column }) => written[type](column)),
    ', ',
  )}]::text[]`

/** Refuses a cursor that this order did not write. */
export function checkedCursor({ name, keys }: ListOrder, after: Cursor): Cursor {
  const fits = keys.every(({ type, nullsLast }, index) => {
    const value = after.keys[index]
    return value === null ? nullsLast === true : value !== undefined && isValue[type](value)
  })
  if (after.order !== name || after.keys.length !== keys.length || !fits) throw wrongCursor()
  return after
}

const equals = ({ column, type }: SortKey, value: string | null): Sql =>
  value === null ? sql`${column} is null` : sql`${column} = ${bound[type](value)}`

function comesLater({ column, type, descending, nullsLast }: SortKey, value: string | null): Sql {
  if (value === null) return sql`false`
  const later = descending ? sql`${column} < ${bound[type](value)}` : sql`${column} > ${bound[type](value)}`
  return nullsLast ? sql`(${later} or ${column} is null)` : later
}

/** The condition that a row comes after the cursor. Keys of one direction are compared as one row, so that an index can start there. */
export function behind(order: ListOrder, after: Cursor | undefined): Sql {
  if (!after) return sql`true`
  const { keys } = order
  const values = checkedCursor(order, after).keys
  const [first] = keys
  const isPlain = keys.every(({ descending, nullsLast }) => descending === first?.descending && !nullsLast)
  if (isPlain) {
    const row = (columns: readonly Sql[]): Sql => sql`(${joined(columns, ', ')})`
    const columns = row(keys.map(({ column }) => column))
    const from = row(keys.map(({ type }, index) => bound[type](values[index] as string)))
    return first?.descending ? sql`${columns} < ${from}` : sql`${columns} > ${from}`
  }
  const ways = keys.map((key, index) =>
    joined(
      [
        ...keys.slice(0, index).map((before, at) => equals(before, values[at] as string | null)),
        comesLater(key, values[index] as string | null),
      ],
      ' and ',
    ),
  )
  return sql`(${joined(
    ways.map((way) => sql`(${way})`),
    ' or ',
  )})`
}

export interface ListQuery {
  readonly columns: Sql
  readonly tables: Sql
  readonly matching: Sql
  readonly order: ListOrder
  readonly total: number
}

/** One page of a list, by its number or after a cursor. */
export async function readPage<Row extends object>(
  db: Queryable,
  query: ListQuery,
  page: PageRequest,
): Promise<Page<Row>> {
  const { columns, tables, matching, order, total } = query
  const rows = await db.rows<Row & { cursorKeys: string[] }>(sql`
    select ${columns}, ${cursorKeys(order)} as cursor_keys from ${tables}
     where ${matching} and ${behind(order, page.after)} order by ${orderBy(order)} limit ${readFor(page)} offset ${offsetOf(page)}`)
  return withoutKeys(pageOfMore(rows, total, page, ({ cursorKeys: keys }) => ({ order: order.name, keys })))
}

/** The rows without the values of their cursors. */
export function withoutKeys<Row extends object>(page: Page<Row & { cursorKeys: string[] }>): Page<Row> {
  return { ...page, rows: page.rows.map(({ cursorKeys: _, ...row }) => row as unknown as Row) }
}
