import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { sqlTextsIn, tablesCreatedIn, tablesNamedIn } from './sql-text.ts'

/** SQL that may stand outside a store, and why. */
const allowedElsewhere: Readonly<Record<string, { readonly text: RegExp; readonly why: string }>> = {
  'server/src/platform/database/sql.ts': { text: /.*/, why: 'it is where SQL is written with' },
  'server/src/bin/api.ts': { text: /^select 1$/, why: 'asks whether the database answers at all' },
  'server/src/platform/database/embedded-postgres.ts': {
    text: /from pg_stat_activity/,
    why: 'asks the server about itself before there is a database of ours',
  },
}

const isStore = ({ path }: SourceFile): boolean => path.endsWith('.store.ts')
const isMigration = ({ path }: SourceFile): boolean => /^db\/migrations\/.*\.sql$/.test(path)
const mayHaveSql = ({ text }: SourceFile): boolean => /sql`|\b(select|from|into|update|table|with)\s/i.test(text)
const serverCode = (tree: readonly SourceFile[]) =>
  tree.filter((source) => isUnder('server/src')(source) && isCode(source) && !isTest(source))

/** `modules/invoices`, or `platform`. */
const ownerOf = (path: string): string => /^server\/src\/(modules\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? path

/** SQL stands in stores, and every table has one owner. */
export function checkSqlPlaces(tree: readonly SourceFile[]): string[] {
  return [...sqlOutsideStores(tree), ...storesOutsideTheirRooms(tree), ...tablesWithoutOneOwner(tree)]
}

function sqlOutsideStores(tree: readonly SourceFile[]): string[] {
  return serverCode(tree)
    .filter((source) => !isStore(source) && mayHaveSql(source))
    .flatMap((source) => sqlTextsIn(source).filter(({ text }) => !allowedElsewhere[source.path]?.text.test(text)))
    .map(({ place, text }) => `${place} has SQL outside a *.store.ts: ${text.trim().split('\n')[0]}`)
}

function storesOutsideTheirRooms(tree: readonly SourceFile[]): string[] {
  return serverCode(tree)
    .filter((source) => isStore(source) && !/^server\/src\/(modules\/[^/]+|platform)\//.test(source.path))
    .map(({ path }) => `${path} is a store outside modules/ and platform/`)
}

/** Tables that only nodes of the previous version use. The next version drops them. */
const ofThePreviousVersion = new Set(['event_cursors', 'event_era'])

function tablesWithoutOneOwner(tree: readonly SourceFile[]): string[] {
  const pieces = serverCode(tree)
    .filter(isStore)
    .flatMap((source) => sqlTextsIn(source).map(({ text }) => ({ owner: ownerOf(source.path), text })))
  const migrations = tree.filter(isMigration).map(({ text }) => text)
  const filledByMigration = new Set(migrations.flatMap((text) => [...tablesNamedIn(text).written]))
  const named = pieces.map(({ owner, text }) => ({ owner, ...tablesNamedIn(text) }))
  const tables = [migrations.join(';\n'), ...pieces.map(({ text }) => text)].flatMap(tablesCreatedIn)

  return [...new Set(tables)].sort().flatMap((table) => {
    const writers = new Set(named.filter(({ written }) => written.has(table)).map(({ owner }) => owner))
    const isMentioned = named.some(({ mentioned }) => mentioned.has(table))
    if (ofThePreviousVersion.has(table))
      return isMentioned ? [`the table ${table} is for the previous version only`] : []
    if (!isMentioned) return [`nobody mentions the table ${table}`]
    if (writers.size > 1) return [`the table ${table} is written by ${[...writers].sort().join(' and ')}`]
    return writers.size === 0 && !filledByMigration.has(table) ? [`nobody writes the table ${table}`] : []
  })
}
