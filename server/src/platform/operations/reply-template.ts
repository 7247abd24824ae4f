import { randomBytes } from 'node:crypto'

/** Values that only the database knows when it writes: texts, by name. */
export type ReturnedValues = Readonly<Record<string, string | null>>

/**
 * A reply that was made before its effect was written. Values that only the database knows are left blank, so that the statement with
 * the effect can store the template too. The returned values are stored beside it; both always give the same bytes.
 */
export interface ReplyTemplate {
  /** the reply without the values for the blanks */
  readonly pieces: readonly string[]
  /** the name of the value between two pieces */
  readonly names: readonly string[]
}

/** A character that texts seldom contain and that JSON does not escape, so that a search for it is fast. */
const rare = '\x7f'

/** Input cannot contain this mark: it is random for each process and secret. */
const secret = randomBytes(16).toString('hex')
const opening = `${rare}${secret}`
const placeholderOf = (name: string): string => `${opening}${name}${rare}`

const madePlaceholders = new WeakMap<readonly string[], ReturnedValues>()
const placeholderNames = new Set<string>()

/** Stands for values that the database will return, while the reply is made. Made once for each list of names. */
export function placeholders(names: readonly string[]): ReturnedValues {
  let made = madePlaceholders.get(names)
  if (!made) {
    made = Object.fromEntries(names.map((name) => [name, placeholderOf(name)]))
    madePlaceholders.set(names, made)
    for (const name of names) placeholderNames.add(name)
  }
  return made
}

/** Whether any part of a placeholder is in the text. */
export const hasPlaceholder = (text: string): boolean => text.includes(secret)

/** Separates the stored pieces. JSON always escapes this character, so no piece contains it. */
const blank = '\x1e'

/** `undefined` if a placeholder is not a JSON string of its own: then the reply cannot be known before. */
export function templateOf(reply: string): ReplyTemplate | undefined {
  if (reply.includes(blank)) return undefined
  const pieces: string[] = []
  const names: string[] = []
  let from = 0
  for (let at = reply.indexOf(opening); at >= 0; at = reply.indexOf(opening, from)) {
    const nameAt = at + opening.length
    const nameEnd = reply.indexOf(rare, nameAt)
    if (nameEnd < 0) return undefined
    const name = reply.slice(nameAt, nameEnd)
    const isQuoted = at > from && reply[at - 1] === '"' && reply[at - 2] !== '\\' && reply[nameEnd + 1] === '"'
    if (!isQuoted || !placeholderNames.has(name)) return undefined
    pieces.push(reply.slice(from, at - 1))
    names.push(name)
    from = nameEnd + 2
  }
  pieces.push(reply.slice(from))
  // A placeholder that became part of another text, such as an address, cannot be filled in.
  return pieces.some(hasPlaceholder) ? undefined : { pieces, names }
}

export function fillTemplate({ pieces, names }: ReplyTemplate, returned: ReturnedValues): string {
  let text = pieces[0] as string
  for (const [at, name] of names.entries()) text += JSON.stringify(returned[name] ?? null) + pieces[at + 1]
  return text
}

/** A template, and the headers that are sent with it. */
export interface StoredTemplate {
  readonly template: ReplyTemplate
  readonly headers: Record<string, string>
}

/** The stored form: headers in the first line, then the pieces with the names between them. */
export function packTemplate({ template: { pieces, names }, headers }: StoredTemplate): string {
  let packed = `${JSON.stringify(headers)}\n${pieces[0]}`
  for (const [at, name] of names.entries()) packed += blank + name + blank + pieces[at + 1]
  return packed
}

export function unpackTemplate(packed: string): StoredTemplate {
  const end = packed.indexOf('\n')
  const headers: Record<string, string> = JSON.parse(packed.slice(0, end))
  const pieces: string[] = []
  const names: string[] = []
  for (const [at, part] of packed
    .slice(end + 1)
    .split(blank)
    .entries())
    (at % 2 === 0 ? pieces : names).push(part)
  return { headers, template: { pieces, names } }
}
