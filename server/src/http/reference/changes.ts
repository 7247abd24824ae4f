import { readFileSync } from 'node:fs'
import type { Form } from '../definitions/form.ts'

/** The changes of a form on one day, as its callers see them. */
export interface DayOfChanges {
  readonly day: string
  readonly added: readonly Change[]
  readonly removed: readonly Change[]
}

/** An operation or object with the fields that it gained or lost; no fields if the whole was added or removed. */
export interface Change {
  readonly subject: string
  readonly parts: readonly string[]
}

/** Written by `npm run openapi`, which compares the documents before and after. */
const log = new URL('api-changes.tsv', import.meta.url)

/** Newest first. */
export function changesOf(form: Form, text = readFileSync(log, 'utf8')): DayOfChanges[] {
  const rows = text
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, name]) => name === form.name)
  return [...Map.groupBy(rows, ([day]) => day as string)]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, ofDay]) => {
      const subjects = (sign: string) => gathered(ofDay.filter((row) => row[2] === sign).map((row) => row[3] as string))
      return { day, added: subjects('+'), removed: subjects('-') }
    })
}

/** `GET /x query page` and `GET /x` belong together, like `Buyer.name` and `Buyer.email`. */
function gathered(lines: readonly string[]): Change[] {
  const parted = lines.map((line) => {
    const [, subject = line, part] = /^([A-Z]+ \S+|event \S+|\w+)(?:[ .](.+))?$/.exec(line) ?? []
    return { subject, part }
  })
  return [...Map.groupBy(parted, ({ subject }) => subject)].map(([subject, ofSubject]) => {
    const isWhole = ofSubject.some(({ part }) => part === undefined)
    return { subject, parts: isWhole ? [] : ofSubject.flatMap(({ part }) => part ?? []) }
  })
}
