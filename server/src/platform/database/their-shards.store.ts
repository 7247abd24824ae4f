import { identifier, orOnShards, type Sql, sql } from './sql.ts'

/**
 * A statement about the organisations of rows that are sent with it. `write` puts `named(alias)` behind the conditions on each table. On Citus
 * it is a condition with the ids as a value: Citus does not look into rows, and would ask all servers. On one PostgreSQL it is empty, because
 * the planner could then choose an index that begins with the organisation instead of the whole key.
 */
export const onTheirShards = (organisationIds: readonly string[], write: (named: (alias: string) => Sql) => Sql): Sql =>
  orOnShards(
    write(() => sql``),
    () => {
      const ids = [...new Set(organisationIds)]
      return write((alias) => sql`and ${identifier(`${alias}.organisation_id`)} = any (${ids}::uuid[])`)
    },
  )
