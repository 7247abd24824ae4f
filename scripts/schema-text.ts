import type { Queryable } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'

const header = `-- Generated from the catalogue of a freshly migrated database by: npm run schema:write
-- It is for reading. To change the database, write a migration.
`

/** Prints the schema `public` as readable SQL, in an order that is independent of the migrations. */
export async function renderSchema(db: Queryable): Promise<string> {
  await refuseWhatCannotBeDrawn(db)
  const functions = await listFunctions(db)
  const tables = await listTables(db)
  const drawn: string[] = []
  for (const table of tables) drawn.push(await renderTable(db, table))
  return [header, ...drawn, ...functions].join('\n')
}

/**
 * Fails on kinds of objects that this file cannot print, such as views and types. Otherwise the text would be
 * incomplete without notice.
 */
async function refuseWhatCannotBeDrawn(db: Queryable): Promise<void> {
  const strange = await db.rows<{ name: string }>(sql`
    select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace
       and (relkind in ('v', 'm', 'f', 'c') or relrowsecurity
            or (relkind = 'S' and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i'))))
    union all
    select typname::text from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`)
  if (strange.length > 0)
    throw new Error(`scripts/schema-text.ts does not know how to draw ${strange.map(({ name }) => name).join(', ')}`)
}

interface Table {
  readonly oid: string
  readonly name: string
  readonly comment: string | null
  /** partition key of a partitioned table; its partitions change over time and are left out */
  readonly partition: string | null
}

const listTables = (db: Queryable): Promise<Table[]> =>
  db.rows(sql`
    select oid::text, relname::text as name, obj_description(oid, 'pg_class') as comment, pg_get_partkeydef(oid) as partition
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname collate "C"`)

async function renderTable(db: Queryable, table: Table): Promise<string> {
  const columns = await listColumns(db, table)
  const constraints = await listConstraints(db, table)
  const body = [...columns.map(renderColumn), ...constraints].map((line) => `  ${line}`).join(',\n')
  const comments = [
    renderComment(`table ${table.name}`, table.comment),
    ...columns.map(({ name, comment }) => renderComment(`column ${table.name}.${name}`, comment)),
  ]
  const after = [...comments.flat(), ...(await listIndexes(db, table)), ...(await listTriggers(db, table))]
  const split = table.partition === null ? '' : ` partition by ${table.partition}`
  return [`create table ${table.name} (\n${body}\n)${split};`, ...after, ''].join('\n')
}

interface Column {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly identity: string
  readonly generated: string
  readonly expression: string | null
  readonly comment: string | null
}

const listColumns = (db: Queryable, table: Table): Promise<Column[]> =>
  db.rows(sql`
    select attname::text as name, format_type(atttypid, atttypmod) as type, attnotnull as is_required,
           attidentity::text as identity, attgenerated::text as generated,
           pg_get_expr(adbin, adrelid, true) as expression, col_description(attrelid, attnum) as comment
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = ${table.oid}::oid and attnum > 0 and not attisdropped order by attnum`)

function renderColumn({ name, type, isRequired, identity, generated, expression }: Column): string {
  const parts = [name, type]
  if (isRequired) parts.push('not null')
  if (identity !== '') parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`)
  else if (generated !== '') parts.push(`generated always as (${expression})${generated === 's' ? ' stored' : ''}`)
  else if (expression !== null) parts.push(`default ${expression}`)
  return parts.join(' ')
}

const renderComment = (subject: string, comment: string | null): string[] =>
  comment === null ? [] : [`comment on ${subject} is '${comment.replaceAll("'", "''")}';`]

/** Order: primary key, unique, foreign keys, checks. NOT NULL is printed with its column. */
async function listConstraints(db: Queryable, table: Table): Promise<string[]> {
  const rows = await db.rows<{ text: string }>(sql`
    select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid, true) as text
      from pg_constraint where conrelid = ${table.oid}::oid and contype <> 'n' and contype <> 't'
     order by array_position('{p,u,x,f,c}', contype::text), conname collate "C"`)
  return rows.map(({ text }) => text)
}

/** Indexes of constraints are left out, because the constraint is printed. */
async function listIndexes(db: Queryable, table: Table): Promise<string[]> {
  const rows = await db.rows<{ text: string }>(sql`
    select pg_get_indexdef(indexrelid, 0, true) as text from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = ${table.oid}::oid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
     order by relname collate "C"`)
  return rows.map(({ text }) => `${text};`)
}

async function listTriggers(db: Queryable, table: Table): Promise<string[]> {
  const rows = await db.rows<{ text: string }>(sql`
    select pg_get_triggerdef(oid, true) as text from pg_trigger
     where tgrelid = ${table.oid}::oid and not tgisinternal order by tgname collate "C"`)
  return rows.map(({ text }) => `${text};`)
}

async function listFunctions(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ text: string }>(sql`
    select pg_get_functiondef(oid) as text from pg_proc
     where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
     order by proname collate "C", pg_get_function_identity_arguments(oid) collate "C"`)
  return rows.map(({ text }) => `${text.trimEnd()};\n`)
}
