import type { SourceFile } from './source-tree.ts'
import { textDiff } from './text-diff.ts'

const folder = 'db/migrations/'
const wellNamed = /^(\d{4})_[a-z0-9]+(_[a-z0-9]+)*\.sql$/
const loses = /\bdrop\s+(table|column)\b/i

/** Migrations are numbered from 1 without gaps, and a comment explains every loss of data. */
export function checkMigrations(tree: readonly SourceFile[]): string[] {
  const files = tree
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, text }) => ({ name: path.slice(folder.length), text }))
    .sort((x, y) => (x.name < y.name ? -1 : 1))
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

/** The committed schema text must match the migrations. */
export function checkSchemaText(committed: string, rendered: string): string[] {
  const changes = textDiff(committed, rendered)
  return changes.length === 0 ? [] : [...changes, 'db/schema.sql is stale; run: npm run schema:write']
}
