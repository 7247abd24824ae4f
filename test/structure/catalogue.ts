import type { Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'

/** Columns in their order; an expression in place of a column is empty. */
type Columns = readonly (string | null)[]

export interface ForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly target: string
  readonly targetColumns: readonly string[]
}

/** What the database itself says about a table. */
export interface TableFacts {
  readonly name: string
  readonly comment: string | null
  readonly required: readonly string[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly uniqueIndexes: readonly { readonly name: string; readonly columns: Columns }[]
}

/** Every table of the schema `public`. */
export async function readCatalogue(db: Queryable): Promise<TableFacts[]> {
  const tables = await db.rows<Pick<TableFacts, 'name' | 'comment' | 'required'>>(sql`
    select relname::text as name, obj_description(oid, 'pg_class') as comment,
           array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and attnotnull) as required
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
  const indexes = await db.rows<{ table: string; name: string; isPrimary: boolean; columns: Columns }>(sql`
    select t.relname::text as table, i.relname::text as name, indisprimary as is_primary,
           array(select (select attname::text from pg_attribute where attrelid = indrelid and attnum = key.number)
                   from unnest(indkey::int2[]) with ordinality as key (number, place)
                  where place <= indnkeyatts order by place) as columns
      from pg_index join pg_class t on t.oid = indrelid join pg_class i on i.oid = indexrelid
     where t.relnamespace = 'public'::regnamespace and indisunique and not t.relispartition order by i.relname`)
  const foreignKeys = await db.rows<ForeignKey & { table: string }>(sql`
    select t.relname::text as table, conname::text as name, f.relname::text as target,
           array(select attname::text from unnest(conkey) with ordinality as key (number, place)
                   join pg_attribute on attrelid = conrelid and attnum = number order by place) as columns,
           array(select attname::text from unnest(confkey) with ordinality as key (number, place)
                   join pg_attribute on attrelid = confrelid and attnum = number order by place) as target_columns
      from pg_constraint join pg_class t on t.oid = conrelid join pg_class f on f.oid = confrelid
     where contype = 'f' and t.relnamespace = 'public'::regnamespace order by conname`)
  return tables.map((table) => {
    const own = indexes.filter((index) => index.table === table.name)
    return {
      ...table,
      primaryKey: (own.find(({ isPrimary }) => isPrimary)?.columns ?? []) as readonly string[],
      uniqueIndexes: own.filter(({ isPrimary }) => !isPrimary),
      foreignKeys: foreignKeys.filter((key) => key.table === table.name),
    }
  })
}
