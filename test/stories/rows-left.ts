import type { Queryable } from '../../server/src/platform/database/database.ts'
import { identifier, sql } from '../../server/src/platform/database/sql.ts'

/** Values that differ between any two runs: secrets, fingerprints and request ids. */
const random = new Set([
  'password_hash',
  'code_mac',
  'code_hash',
  'key_hash',
  'hint',
  'token_hash',
  'device_mac',
  'email_mac',
  'request_id',
  'seq',
  'xid',
  'position',
  'totp_secret',
  'totp_pending',
  'claims',
  'search_keys',
])

/** On a Citus cluster each server counts in a range of its own. */
const serverRange = 2 ** 48

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * All rows of a story in the given tables. Ids are replaced by their order of first appearance, so two runs of one
 * story must leave equal rows.
 */
export async function rowsLeft(
  db: Queryable,
  tables: readonly (readonly [table: string, orderBy: string])[],
  alsoIgnored: readonly string[] = [],
  /** events that the service emits independently of the story, in no fixed order */
  eventsBeside = /^$/,
): Promise<Record<string, unknown[]>> {
  const names = new Map<string, string>()
  const nameOf = (id: string) => {
    // Ids of built-in roles are the same everywhere.
    if (id.startsWith('00000000-')) return id
    if (!names.has(id)) names.set(id, `#${names.size + 1}`)
    return names.get(id) as string
  }
  const left: Record<string, unknown[]> = {}
  for (const [table, orderBy] of tables) {
    const rows = await db.rows<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${identifier(table)} t order by ${identifier(orderBy)}`,
    )
    const told = rows.filter(({ row }) => table !== 'events' || !eventsBeside.test(String(row.type)))
    left[table] = told.map(({ row }) => {
      const kept = Object.entries(row)
        .filter(([column]) => !random.has(column) && !alsoIgnored.includes(`${table}.${column}`))
        .map(([column, value]) => [column, column === 'id' && typeof value === 'number' ? value % serverRange : value])
      return JSON.parse(JSON.stringify(Object.fromEntries(kept)).replace(uuid, nameOf)) as unknown
    })
  }
  return left
}
