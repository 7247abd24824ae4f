import type { Queryable } from '../../server/src/platform/database/database.ts'
import { identifier, sql } from '../../server/src/platform/database/sql.ts'

/** What no two runs have in common: secrets, their fingerprints, and the ids of requests. */
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
  'totp_secret',
  'totp_pending',
  'claims',
  'search_keys',
])

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * Everything a story left in the given tables, with ids replaced by the order in which they first appear: two runs of
 * one story, whichever way they were told, must leave the same.
 */
export async function rowsLeft(
  db: Queryable,
  tables: readonly (readonly [table: string, orderBy: string])[],
  alsoIgnored: readonly string[] = [],
  /** events that the service makes by itself, beside the story: they come when they come */
  eventsBeside = /^$/,
): Promise<Record<string, unknown[]>> {
  const names = new Map<string, string>()
  const nameOf = (id: string) => {
    // Ids of the system's roles mean the same everywhere.
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
      const kept = Object.entries(row).filter(
        ([column]) => !random.has(column) && !alsoIgnored.includes(`${table}.${column}`),
      )
      return JSON.parse(JSON.stringify(Object.fromEntries(kept)).replace(uuid, nameOf)) as unknown
    })
  }
  return left
}
