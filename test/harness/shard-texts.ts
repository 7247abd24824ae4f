import type { Database } from '../../server/src/platform/database/database.ts'
import type { Sql } from '../../server/src/platform/database/sql.ts'
import { distributedTables, localTables, referenceTables } from '../../server/src/platform/sharding/table-places.ts'

const ours = [...distributedTables, ...referenceTables].join('|')
/** The words behind which `named_on_shard` finds the name of a table, as written there. */
const renamed = new RegExp(String.raw`\b(?:from|join|into|update|using)\s+(?:${ours})\b`, 'g')
/** `items json` is a column of given rows. */
const columnType = String.raw`\s+(?:jsonb?|text|uuid|integer|bigint|boolean|date|timestamptz)\b`
const mentioned = new RegExp(String.raw`(?<![\w.]|\bas\s+)(?:public\.)?\b(?:${ours})\b(?!${columnType})`, 'g')
const local = new RegExp(
  String.raw`\b(?:from|join|into|update|using)\s+(?:public\.)?(?:${localTables.join('|')})\b`,
  'g',
)
/** `is distinct from items` names a column. */
const noTable = new RegExp(String.raw`\bdistinct\s+from\s+(?:${ours})\b`, 'g')

const withoutLiterals = (text: string): string => text.replace(/--.*$/gm, ' ').replace(/'(?:[^']|'')*'/g, "''")

/** Names in a text for one shard that `run_on_shard` would not take for those of tables, or that no worker has. */
export function misnamedOnShard(statement: string): string[] {
  const text = withoutLiterals(statement)
  const left = text.replace(renamed, (found) => ' '.repeat(found.length))
  return [...(text.match(noTable) ?? []), ...(left.match(mentioned) ?? []), ...(text.match(local) ?? [])].map((found) =>
    found.replace(/\s+/g, ' '),
  )
}

/** Wraps a database and checks each text that would run on one shard, on one PostgreSQL too. */
export function checkingShardTexts(db: Database): { db: Database; texts: ReadonlySet<string>; faults(): string[] } {
  const texts = new Set<string>()
  const checked = (statement: Sql): Sql => {
    if ('onOneShard' in statement) texts.add(statement.text)
    return statement
  }
  return {
    db: {
      ...db,
      rows: (statement) => db.rows(checked(statement)),
      maybe: (statement) => db.maybe(checked(statement)),
      one: (statement) => db.one(checked(statement)),
      run: (statement) => db.run(checked(statement)),
    },
    texts,
    faults: () => [...texts].flatMap((text) => misnamedOnShard(text).map((name) => `${name} in: ${text}`)),
  }
}
