import { createHash } from 'node:crypto'
import type { SourceFile } from './source-tree.ts'
import { textDiff } from './text-diff.ts'

const folder = 'db/migrations/'
const wellNamed = /^(\d{4})_[a-z0-9]+(_[a-z0-9]+)*\.sql$/
const loses = /\bdrop\s+(table|column)\b/i

interface Migration {
  readonly name: string
  readonly text: string
}

const migrationsIn = (tree: readonly SourceFile[]): Migration[] =>
  tree
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, text }) => ({ name: path.slice(folder.length), text }))
    .sort((x, y) => (x.name < y.name ? -1 : 1))

/** Migrations are numbered from 1 without gaps, and a comment explains every loss of data. */
export function checkMigrations(tree: readonly SourceFile[]): string[] {
  const files = migrationsIn(tree)
  return [
    ...files
      .filter(({ name }) => !wellNamed.test(name))
      .map(({ name }) => `${name} is not named like 0001_some_words.sql`),
    ...misnumbered(files.flatMap(({ name }) => wellNamed.exec(name)?.[1] ?? []).map(Number)),
    ...files.flatMap(({ name, text }) =>
      unexplainedLosses(text).map((statement) => `${name} loses data without a "-- why:" before it: ${statement}`),
    ),
  ]
}

function misnumbered(numbers: readonly number[]): string[] {
  return numbers.flatMap((number, at) => {
    const before = numbers[at - 1] ?? 0
    if (number === before) return [`two migrations have the number ${number}`]
    return number === before + 1 ? [] : [`after migration ${before} comes ${number}`]
  })
}

/** A comment counts for the next statement, or for the statement that contains it. */
function unexplainedLosses(text: string): string[] {
  return text
    .split(';')
    .filter((statement) => loses.test(statement.replace(/--.*$/gm, '')) && !/--\s*why:\s*\S/.test(statement))
    .map((statement) => statement.replace(/--.*$/gm, '').trim().replace(/\s+/g, ' '))
}

/** The SHA-256 of each migration that was ever committed, one line each. Lines are only added. */
export const hashFile = 'test/structure/migrations.sha256'

const lineOf = ({ name, text }: Migration): string => `${createHash('sha256').update(text).digest('hex')}  ${name}`
const namesIn = (recorded: string): string[] => recorded.split('\n').flatMap((line) => line.split('  ')[1] ?? [])

/** The file of hashes with a line for each new migration. A line that is there never changes. */
export function withNewHashes(tree: readonly SourceFile[], recorded: string): string {
  const known = namesIn(recorded)
  const added = migrationsIn(tree).filter(({ name }) => !known.includes(name))
  return recorded + added.map((migration) => `${lineOf(migration)}\n`).join('')
}

/** A migration never changes once it is merged, because databases that ran the first text would differ from new ones. */
export function checkMigrationHashes(tree: readonly SourceFile[], recorded: string): string[] {
  const files = migrationsIn(tree)
  const lines = recorded.split('\n')
  const known = namesIn(recorded)
  const names = files.map(({ name }) => name)
  return [
    ...known.filter((name) => !names.includes(name)).map((name) => `${name} was recorded, and its file is gone`),
    ...known.filter((name, at) => known.indexOf(name) !== at).map((name) => `${name} was recorded twice`),
    ...files.flatMap((file) => {
      if (!known.includes(file.name)) return [`${file.name} has no line in ${hashFile}; run: npm run schema:write`]
      return lines.includes(lineOf(file))
        ? []
        : [
            `${file.name} has changed. Write a new migration. Delete its line in ${hashFile} only if it was never merged`,
          ]
    }),
  ]
}

/** The committed schema text must match the migrations. */
export function checkSchemaText(committed: string, rendered: string): string[] {
  const changes = textDiff(committed, rendered)
  return changes.length === 0 ? [] : [...changes, 'db/schema.sql is stale; run: npm run schema:write']
}
