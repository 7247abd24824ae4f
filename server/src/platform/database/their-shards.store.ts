import type { Queryable } from './database.ts'
import { identifier, orOnShards, type Sql, sql } from './sql.ts'

/** A further condition that names the organisations as a value. Citus needs it for each table, also for those that are joined. */
export const among = (organisationIds: readonly string[], alias: string): Sql =>
  sql`and ${identifier(`${alias}.organisation_id`)} = any (${[...new Set(organisationIds)]}::uuid[])`

/**
 * A statement about the organisations of rows that are sent with it. `write` puts `named(alias)` behind the conditions on each table. On Citus
 * it is a condition with the ids as a value: Citus does not look into rows, and would ask all servers. On one PostgreSQL it is empty, because
 * the planner could then choose an index that begins with the organisation instead of the whole key.
 */
export const onTheirShards = (organisationIds: readonly string[], write: (named: (alias: string) => Sql) => Sql): Sql =>
  orOnShards(
    write(() => sql``),
    () => write((alias) => among(organisationIds, alias)),
  )

interface Owner {
  readonly ownerOfRow: string
}

/**
 * A row that a secret or the id of a sign-in names, which says nothing of its organisation. `read` puts `named(alias)` behind the conditions
 * on each distributed table. On one PostgreSQL it is empty, and one statement finds the row. On Citus, `organisationId` is read before: a query
 * of one value on the coordinator. With this value, the statement asks one server instead of all.
 */
export async function findOwned<Row extends object>(
  db: Pick<Queryable, 'maybe'>,
  organisationId: Sql,
  read: (named: (alias: string) => Sql) => Sql,
): Promise<Row | undefined> {
  const found = await db.maybe<Row | Owner>(
    orOnShards(
      read(() => sql``),
      () => sql`select o.organisation_id as owner_of_row from (${organisationId}) as o`,
    ),
  )
  if (!found || !('ownerOfRow' in found)) return found
  const { ownerOfRow } = found
  return await db.maybe<Row>(read((alias) => sql`and ${identifier(`${alias}.organisation_id`)} = ${ownerOfRow}`))
}
