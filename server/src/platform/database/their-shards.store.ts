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
