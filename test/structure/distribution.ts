import type { TableFacts } from './catalogue.ts'
import { isStore, type RowLock, rowLocksIn } from './row-locks.ts'
import type { SourceFile } from './source-tree.ts'
import { sqlTextsIn, tablesNamedIn } from './sql-text.ts'
import { scopesOf } from './tenancy.ts'

export const decision = 'docs/adr/0026-sharding-by-organisation.md'

const places = ['distributed', 'reference', 'local'] as const
type ShardPlacement = (typeof places)[number]

/** The tables that the decision names, once per mention. */
type Distribution = readonly { readonly name: string; readonly place: ShardPlacement }[]

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim())
const namesIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string)

/** Rows `| place | tables | why |`. */
export function distributionIn(markdown: string): Distribution {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  return places.flatMap((place) =>
    rows
      .filter(([, first]) => first === place)
      .flatMap(([, , names]) => namesIn(names).map((name) => ({ name, place }))),
  )
}

/** Statements that lock rows of several organisations. A distributed database would run them per organisation. */
export const locksAcross: Readonly<Record<string, string>> = {
  'credits.chargingSeveral': 'charges those who are written together: on Citus, organisations in one shard',
  'background.lockCursors': 'takes events of several organisations in one transaction',
  'background.passEvents': 'saves the cursors in logs without wanted events, many at a time',
}

export function checkPlaces(tables: readonly TableFacts[], said: Distribution): string[] {
  const scopes = scopesOf(tables)
  const isShared = ({ name }: TableFacts) => ['global', 'machinery'].includes(scopes.get(name) ?? 'global')
  return [
    ...tables.flatMap((table) => {
      const [place, ...further] = said.filter(({ name }) => name === table.name).map((one) => one.place)
      if (place === undefined) return [`${table.name}: say in ${decision} where it stands`]
      if (further.length > 0) return [`${table.name} stands in more than one place`]
      if (isShared(table) && place === 'distributed')
        return [`${table.name} belongs to nobody by whom to distribute it`]
      if (!isShared(table) && place !== 'distributed') return [`${table.name} goes with its organisation`]
      return []
    }),
    ...said.filter(({ name }) => !tables.some((table) => table.name === name)).map(({ name }) => `${name} is no table`),
    ...tables
      .filter((table) => !isShared(table))
      .flatMap(({ uniqueIndexes }) => uniqueIndexes.filter(({ columns }) => columns[0] !== 'organisation_id'))
      .map(({ name }) => `${name} is unique beyond one organisation, which no shard can hold`),
  ]
}

/** Features that no distributed PostgreSQL has: row positions, and row locks without an organisation. */
export function checkStatements(
  tree: readonly SourceFile[],
  said: Distribution,
  known: Readonly<Record<string, string>>,
): string[] {
  const placeOf = new Map(said.map(({ name, place }) => [name, place]))
  const locks = rowLocksIn(tree)
  const across = locks.filter(({ unbound }) => unbound.some((name) => placeOf.get(name) === 'distributed'))
  const isUnread = (lock: RowLock) => !lock.tables.some((name) => placeOf.has(name))
  return [
    ...tree.filter((source) => isStore(source) && /\bctid\b/.test(source.text)).map(({ path }) => `${path} names ctid`),
    ...locks
      .filter(isUnread)
      .map(({ place, name }) => `${place} ${name} locks rows of a table that is not named there`),
    ...across
      .filter(({ name }) => !(name in known))
      .map(({ place, name }) => `${place} ${name} locks rows across organisations`),
    ...Object.keys(known)
      .filter((name) => !across.some((lock) => lock.name === name))
      .map((name) => `${name} locks nothing across organisations`),
  ]
}

/** `for update` also blocks new references to the row. A comment above must say why that is intended. */
export const checkReasons = (tree: readonly SourceFile[]): string[] =>
  rowLocksIn(tree)
    .filter(({ strength, comment }) => strength === 'update' && !comment.includes('`for update`'))
    .map(({ place, name }) => `${place} ${name}: say above it why \`for update\`, or lock \`for no key update\``)

/** Of a reference table, Citus changes only the copy on the coordinator if the same statement names a local table. */
export function checkCopies(tree: readonly SourceFile[], said: Distribution): string[] {
  const placeOf = new Map(said.map(({ name, place }) => [name, place]))
  return tree.filter(isStore).flatMap((source) =>
    sqlTextsIn(source).flatMap(({ text, place }) => {
      const { written, mentioned } = tablesNamedIn(text)
      const local = [...mentioned].find((name) => placeOf.get(name) === 'local')
      return [...written]
        .filter((name) => local !== undefined && placeOf.get(name) === 'reference')
        .map((name) => `${place} writes ${name} and names ${local}: use two statements`)
    }),
  )
}
