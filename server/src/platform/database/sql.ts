import { hash } from 'node:crypto'

/** A statement with its parameters apart. Values never become part of the text, so nothing can be injected. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** made of the text: PostgreSQL then parses and plans it once per connection. Several statements in one text have none. */
  readonly name: string | undefined
  /** its plan has to look at the values, each time; all others have one plan for whatever values come */
  readonly isPlannedAnew?: true
}

/** A piece of a statement. Its text is put together when somebody asks for it: pieces of pieces never are. */
class Fragment implements Sql {
  readonly strings: readonly string[]
  readonly parts: readonly unknown[]
  #text: string | undefined

  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this.strings = strings
    this.parts = parts
  }

  get text(): string {
    this.#text ??= assemble(this, { count: 0 })
    return this.#text
  }

  get values(): readonly unknown[] {
    return gather(this, [])
  }

  get name(): string {
    return nameOf(this.text)
  }
}

function assemble({ strings, parts }: Fragment, placed: { count: number }): string {
  let text = strings[0] as string
  parts.forEach((part, index) => {
    text += part instanceof Fragment ? assemble(part, placed) : `$${++placed.count}`
    text += strings[index + 1]
  })
  return text
}

function gather({ parts }: Fragment, values: unknown[]): unknown[] {
  for (const part of parts) {
    if (part instanceof Fragment) gather(part, values)
    else values.push(part)
  }
  return values
}

/** Texts that are put together of pieces are many, but not without end; one that was forgotten gets the same name again. */
const mostNames = 10_000
const names = new Map<string, string>()
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= mostNames) names.clear()
    name = hash('sha1', text).slice(0, 24)
    names.set(text, name)
  }
  return name
}

/** Pieces without values of their own, each made once for its place in the code. */
const fixedTexts = new WeakMap<readonly string[], { text: string; name: string }>()

/** A statement without pieces: its text and name are known from its place in the code. */
class Plain extends Fragment {
  readonly #known: { text: string; name: string }

  constructor(strings: readonly string[], parts: readonly unknown[]) {
    super(strings, parts)
    let known = fixedTexts.get(strings)
    if (!known) {
      const text = strings.reduce((before, piece, index) => `${before}$${index}${piece}`)
      known = { text, name: nameOf(text) }
      fixedTexts.set(strings, known)
    }
    this.#known = known
  }

  override get text(): string {
    return this.#known.text
  }

  override get values(): readonly unknown[] {
    return this.parts
  }

  override get name(): string {
    return this.#known.name
  }
}

/** Writes a statement, or a piece of one: pieces may be put into each other. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  return parts.some((part) => part instanceof Fragment) ? new Fragment(strings, parts) : new Plain(strings, parts)
}

const preparedTexts = new Map<string, { text: string; name: string; count: number }>()
let comparesTexts = false

/** For tests: a variant whose text is another one is found out, at the price of putting it together every time. */
export const comparePreparedTexts = (isOn: boolean): void => {
  comparesTexts = isOn
}

/**
 * For hot statements that are put together of pieces: a variant has the same text every time, and it is put together once. With a
 * text of another variant, values would go to the wrong places: their number is always compared, which costs nothing.
 */
export function prepared(variant: string, statement: Sql): Sql {
  const { values } = statement
  let known = preparedTexts.get(variant)
  if (!known) {
    const { text } = statement
    known = { text, name: nameOf(text), count: values.length }
    preparedTexts.set(variant, known)
  }
  if (known.count !== values.length || (comparesTexts && known.text !== statement.text))
    throw new Error(`the statement "${variant}" has not the same text every time`)
  return { text: known.text, name: known.name, values }
}

/** Joins pieces, for lists of conditions or values whose number is known only at run time. */
export function joined(pieces: readonly Sql[], separator: string): Sql {
  if (pieces.length === 0) throw new Error('joined() needs at least one piece')
  return new Fragment(['', ...Array<string>(pieces.length - 1).fill(separator), ''], pieces)
}

const plainWord = /^(?!null$)[\w.:-]+$/i
/** In words that commas keep apart: a letter that is none of theirs, nothing at all between two commas, or the word for nothing. */
const unplain = /[^\w.:,-]|(?:^|,)(?:null)?(?:,|$)/i

function countOf(letter: string, text: string): number {
  let found = 0
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) found++
  return found
}

/**
 * An array of plain words (ids, numbers, names of ours) as PostgreSQL reads it. `pg` makes every value safe to be anything, which for long arrays
 * costs more than what is done with them; a value that would have to be made safe is refused here. All of them are looked at together, and one by
 * one only where that is not enough.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  const text = values.join()
  if (!unplain.test(text) && countOf(',', text) === values.length - 1) return `{${text}}`
  for (const value of values)
    if (typeof value === 'string' && !plainWord.test(value))
      throw new Error(`not a plain word: ${JSON.stringify(value)}`)
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}

/** Stands in no text that is made of JSON: there it would be written as an escape. */
const separator = '\x1e'

/**
 * Long texts as an array, for a statement to select from. Taken apart at a character that none of them has, they cost less than an array or a list in
 * JSON, in which each would be escaped here and read character by character there. A text that has it is refused.
 */
export function textsOf(texts: readonly string[]): Sql {
  for (const text of texts)
    if (text === '' || text.includes(separator)) throw new Error('a text is empty, or has the separator in it')
  return sql`string_to_array(${texts.join(separator)}::text, ${separator}::text)`
}

/** The columns of rows that are sent to a statement, each with its type. */
export type RowShape = Readonly<Record<string, string>>

const checkedShape = (shape: RowShape): [name: string, type: string][] =>
  Object.entries(shape).map(([name, type]) => {
    if (!/^[a-z_]+$/.test(name) || !/^[a-z]+$/.test(type)) throw new Error(`not a plain column: ${name} ${type}`)
    return [name, type]
  })

const rowStrings = new WeakMap<RowShape, { names: readonly string[]; strings: readonly string[] }>()

/** One row of values as something to select from; what it leaves out is null. */
export function rowOf(shape: RowShape, values: Readonly<Record<string, unknown>>): Sql {
  let known = rowStrings.get(shape)
  if (!known) {
    const columns = checkedShape(shape)
    const after = columns.map(([name, type], at) => `::${type} as ${name}${at + 1 < columns.length ? ', ' : ')'}`)
    known = { names: columns.map(([name]) => name), strings: ['(select ', ...after] }
    rowStrings.set(shape, known)
  }
  return new Fragment(
    known.strings,
    known.names.map((name) => values[name] ?? null),
  )
}

/** Many rows, sent as one JSON text, which costs less than so many values when there are several. */
export function rowsOf(shape: RowShape, json: string): Sql {
  const columns = checkedShape(shape).map(([name, type]) => `${name} ${type}`)
  const strings = ['(select * from json_to_recordset(', `::json) as r (${columns.join(', ')}))`]
  return new Fragment(strings, [json])
}

/** Amounts are texts in JSON, as they are in the database's own. Looked for here, JSON itself is written several times as fast. */
export function exact(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in row) values[name] = typeof row[name] === 'bigint' ? String(row[name]) : row[name]
  return values
}

/** What a hot statement is given: one row goes as values, several as one text. What a row leaves out is null. */
export function givenRows(shape: RowShape, rows: readonly Readonly<Record<string, unknown>>[]): Sql {
  const [only, another] = rows
  if (!only || another) return rowsOf(shape, JSON.stringify(rows.map(exact)))
  const values: Record<string, unknown> = { ...only }
  for (const [name, type] of Object.entries(shape))
    if ((type === 'json' || type === 'jsonb') && values[name] != null) values[name] = JSON.stringify(values[name])
  return rowOf(shape, values)
}

/** A name that is part of the statement itself (a column to sort by, a table); only plain lower-case names pass. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name))
    throw new Error(`not a plain SQL name: ${JSON.stringify(name)}`)
  return new Fragment([name], [])
}

/** A text to stand in a LIKE pattern as itself. */
export const literalLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * For the few statements whose best plan depends on the values: they cost a plan each time. Say beside it what was measured.
 */
export const plannedAnew = ({ text, values, name }: Sql): Sql => ({ text, values, name, isPlannedAnew: true })
