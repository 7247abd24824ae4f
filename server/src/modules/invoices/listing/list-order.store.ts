import type { Cursor } from '../../../kernel/cursors.ts'
import {
  behind,
  checkedCursor,
  cursorKeys,
  type ListOrder,
  type SortKey,
} from '../../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { InvoiceSort } from './invoice-filter.ts'

type Column = Pick<SortKey, 'column' | 'type' | 'nullsLast'>

/**
 * The sort columns before creation and id, as an index has them. Rows of one due day are ordered by issue, so that
 * one index serves both days (`rowsByDay`).
 */
const sortedBy: Readonly<Record<InvoiceSort['by'], readonly Column[]>> = {
  createdAt: [],
  issueDate: [{ column: sql`l.issue_date`, type: 'day' }],
  number: [{ column: sql`l.number_key`, type: 'text' }],
  payableMinor: [{ column: sql`l.payable_minor`, type: 'integer' }],
  dueDate: [
    { column: sql`l.due_date`, type: 'day', nullsLast: true },
    { column: sql`l.issue_date`, type: 'day' },
  ],
  taxMinor: [{ column: sql`l.tax_minor`, type: 'integer' }],
}

export const sortColumns = (by: InvoiceSort['by']): readonly Sql[] => sortedBy[by].map(({ column }) => column)

const creation: readonly Column[] = [
  { column: sql`l.created_at`, type: 'instant' },
  { column: sql`l.id`, type: 'uuid' },
]
/** The names of the sort columns in the rows of a page. */
const foundAs: readonly Sql[] = [sql`l.first_key`, sql`l.second_key`]

const orderOf = ({ by, descending }: InvoiceSort, columns: readonly Column[]): ListOrder => ({
  name: `${descending ? '-' : ''}${by}`,
  keys: [...columns, ...creation].map((key) => (descending ? { ...key, descending } : key)),
})

/** The order of rows with the columns of the listing. */
const listedOrder = (sort: InvoiceSort): ListOrder => orderOf(sort, sortedBy[sort.by])

/** The order of rows that were found. */
const foundOrder = (sort: InvoiceSort): ListOrder =>
  orderOf(
    sort,
    sortedBy[sort.by].map((key, index) => ({ ...key, column: foundAs[index] as Sql })),
  )

export const orderName = (sort: InvoiceSort): string => listedOrder(sort).name
export const keysOfFound = (sort: InvoiceSort): Sql => cursorKeys(foundOrder(sort))
export const isFoundBehind = (sort: InvoiceSort, after: Cursor | undefined): Sql => behind(foundOrder(sort), after)

/** The creation time in the cursor, for a list in the order of creation. */
export const createdAtOf = ({ keys }: Cursor): Sql => sql`${keys.at(-2)}::timestamptz`

/**
 * The condition that a listing row comes after a cursor. Rows without a due date come last, and an index has them
 * separately.
 */
export interface AfterCursor {
  /** for any row */
  readonly any: Sql
  /** for a row with a due date, if the sort uses it */
  readonly dated: Sql
  /** for a row without one */
  readonly undated: Sql
}

export function rowsBehind(sort: InvoiceSort, after: Cursor | undefined): AfterCursor {
  const order = listedOrder(sort)
  if (!after) return { any: sql`true`, dated: sql`true`, undated: sql`true` }
  checkedCursor(order, after)
  if (sort.by !== 'dueDate') {
    const any = behind(order, after)
    return { any, dated: any, undated: any }
  }
  const [dueDate, ...further] = order.keys as [SortKey, ...SortKey[]]
  const [day, ...rest] = after.keys
  if (day === null) {
    const undated = behind({ name: order.name, keys: further }, { order: order.name, keys: rest })
    return { any: sql`(l.due_date is null and ${undated})`, dated: sql`false`, undated }
  }
  const { nullsLast: _, ...plain } = dueDate
  const dated = behind({ name: order.name, keys: [plain, ...further] }, after)
  return { any: sql`(${dated} or l.due_date is null)`, dated, undated: sql`true` }
}
