import { hash } from 'node:crypto'

/** A statement with its parameters apart. Values never become part of the text, so nothing can be injected. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** set when the text is fixed by its place in the code: PostgreSQL then plans it once per connection */
  readonly name: string | undefined
}

class Fragment implements Sql {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string | undefined
  readonly strings: readonly string[]
  readonly parts: readonly unknown[]

  constructor(
    strings: readonly string[],
    parts: readonly unknown[],
    text: string,
    values: readonly unknown[],
    name: string | undefined,
  ) {
    this.strings = strings
    this.parts = parts
    this.text = text
    this.values = values
    this.name = name
  }
}

const names = new Map<string, string>()
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = hash('sha1', text).slice(0, 24)
    names.set(text, name)
  }
  return name
}

const fixedTexts = new WeakMap<readonly string[], { text: string; name: string }>()

function fixedText(strings: readonly string[]): { text: string; name: string } {
  let fixed = fixedTexts.get(strings)
  if (!fixed) {
    const text = strings.reduce((before, piece, index) => `${before}$${index}${piece}`)
    fixed = { text, name: nameOf(text) }
    fixedTexts.set(strings, fixed)
  }
  return fixed
}

function assemble(strings: readonly string[], parts: readonly unknown[], values: unknown[]): string {
  let text = strings[0] as string
  parts.forEach((part, index) => {
    text += part instanceof Fragment ? assemble(part.strings, part.parts, values) : `$${values.push(part)}`
    text += strings[index + 1]
  })
  return text
}

/** Writes a statement, or a piece of one: pieces may be put into each other. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  if (!parts.some((part) => part instanceof Fragment)) {
    const { text, name } = fixedText(strings)
    return new Fragment(strings, parts, text, parts, name)
  }
  const values: unknown[] = []
  const text = assemble(strings, parts, values)
  // Pieces that are always the same, such as a list of columns, leave the whole as fixed as it was.
  const fixed = parts.every(
    (part) => !(part instanceof Fragment) || (part.name !== undefined && part.parts.length === 0),
  )
  return new Fragment(strings, parts, text, values, fixed ? nameOf(text) : undefined)
}

/**
 * Names a statement that is put together of pieces with values in them: its text is the same every time, and PostgreSQL plans
 * it once per connection. For hot statements; every text that is named so is kept on every connection.
 */
export const prepared = ({ text, values }: Sql): Sql => ({ text, values, name: nameOf(text) })

/** Joins pieces, for lists of conditions or values whose number is known only at run time. */
export function joined(pieces: readonly Sql[], separator: string): Sql {
  if (pieces.length === 0) throw new Error('joined() needs at least one piece')
  const strings = ['', ...Array<string>(pieces.length - 1).fill(separator), '']
  const values: unknown[] = []
  return new Fragment(strings, pieces, assemble(strings, pieces, values), values, undefined)
}

/** A name that is part of the statement itself (a column to sort by, a table); only plain lower-case names pass. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name))
    throw new Error(`not a plain SQL name: ${JSON.stringify(name)}`)
  return new Fragment([name], [], name, [], undefined)
}

/** A text to stand in a LIKE pattern as itself. */
export const literalLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
