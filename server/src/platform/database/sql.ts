import { hash } from 'node:crypto'

/** A statement with separate parameters. Values never become part of the text, so injection is impossible. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** a hash of the text, by which PostgreSQL parses and plans it once per connection; undefined for several statements in one text */
  readonly name: string | undefined
  /** planned again each time, with the values; all other statements have one generic plan */
  readonly isPlannedAnew?: true | undefined
  /** runs before the statement, on the same connection */
  readonly first?: Sql
  /** replaces the statement if Citus distributes the tables */
  readonly onShards?: Sql
  /** replaces the statement if Citus distributes the tables and no transaction is open */
  readonly onOneShard?: Sql
}

/** A piece of a statement. Only the outermost piece builds its text, on first use. */
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
    return collectValues(this, [])
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

function collectValues({ parts }: Fragment, values: unknown[]): unknown[] {
  for (const part of parts) {
    if (part instanceof Fragment) collectValues(part, values)
    else values.push(part)
  }
  return values
}

/** Composed texts are many but finite. A text that was evicted gets the same name again. */
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

/** Pieces without values, one for each place in the code. */
const fixedTexts = new WeakMap<readonly string[], { text: string; name: string }>()

/** A statement without pieces: its text and name depend only on its place in the code. */
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

/** Writes a statement, or a piece of one; pieces can be nested. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  return parts.some((part) => part instanceof Fragment) ? new Fragment(strings, parts) : new Plain(strings, parts)
}

const preparedTexts = new Map<string, { text: string; name: string; count: number }>()
let comparesTexts = false

/** For tests: detects a variant with a different text, at the cost of building it every time. */
export const comparePreparedTexts = (isOn: boolean): void => {
  comparesTexts = isOn
}

/**
 * For hot statements that are composed of pieces: a variant always has the same text, which is built once. With the text of another
 * variant, values would go to the wrong parameters. So the number of values is always compared, which is cheap.
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

/**
 * A statement with another one that replaces it on a Citus coordinator. For statements that Citus refuses or would send to every server, if
 * the form for Citus costs more on one PostgreSQL. The two must do the same.
 */
export const orOnShards = (usual: Sql, onShards: Sql | (() => Sql)): Sql => new EitherWay(usual, onShards)

/**
 * Locks the row that a statement reads. Citus copies some tables to every server, and locks such a table as a whole for one row: requests about
 * different rows then wait for one another in a circle. There a lock by name takes the place of the row's lock. So whoever must exclude the
 * other takes both locks by these functions.
 */
export function lockingRow(statement: Sql, strength: 'update' | 'no key update' | 'share', name: string): Sql {
  const lock = strength === 'share' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  return orOnShards(sql`${statement} for ${new Fragment([strength], [])}`, () => {
    const { text, values, name: ownName } = statement
    return { text, values, name: ownName, first: sql`select ${lock}(hashtextextended(${name}, 0))` }
  })
}

class EitherWay implements Sql {
  readonly #usual: Sql
  readonly #onShards: Sql | (() => Sql)

  constructor(usual: Sql, onShards: Sql | (() => Sql)) {
    this.#usual = usual
    this.#onShards = onShards
  }

  get onShards(): Sql {
    return typeof this.#onShards === 'function' ? this.#onShards() : this.#onShards
  }

  get text(): string {
    return this.#usual.text
  }

  get values(): readonly unknown[] {
    return this.#usual.values
  }

  get name(): string | undefined {
    return this.#usual.name
  }

  get isPlannedAnew(): true | undefined {
    return this.#usual.isPlannedAnew
  }
}

/**
 * A hot statement about one organisation, or about several in one shard. On Citus and outside of transactions, the whole statement runs on
 * the one server that has the shard (`run_on_shard`). `columns` are those that it returns, such as `nth integer, number text`. It names tables only after `from`, `join`,
 * `into`, `update` and `using`.
 */
export const onOneShard = (organisationIds: readonly string[], { text, values, name }: Sql, columns: string): Sql => ({
  text,
  values,
  name,
  get onOneShard() {
    const [first, ...beside] = new Set(organisationIds)
    const call = sql`
      select * from run_on_shard(${first}::uuid, ${beside}::uuid[], ${name}::text, ${text}::text, ${values}::text[]) as r
        (${new Fragment([columns], [])})`
    // Without a name it is planned for its values each time. A generic plan would run on the coordinator.
    return { text: call.text, values: call.values, name: undefined }
  },
})

/** Joins pieces, for lists of conditions or values whose number is known only at run time. */
export function joined(pieces: readonly Sql[], separator: string): Sql {
  if (pieces.length === 0) throw new Error('joined() needs at least one piece')
  return new Fragment(['', ...Array<string>(pieces.length - 1).fill(separator), ''], pieces)
}

const plainWord = /^(?!null$)[\w.:-]+$/i
/** Matches what cannot stand unquoted in an array: a special character, an empty element, or the word NULL. */
const unplain = /[^\w.:,-]|(?:^|,)(?:null)?(?:,|$)/i

function countOf(letter: string, text: string): number {
  let found = 0
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) found++
  return found
}

/**
 * An array of plain words (ids, numbers, our own names) as PostgreSQL reads it. `pg` escapes every value, which for long arrays costs more
 * than the statement; a value that needs escaping is refused here. All values are tested together, and one by one only if that test fails.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  const text = values.join()
  if (!unplain.test(text) && countOf(',', text) === values.length - 1) return `{${text}}`
  for (const value of values)
    if (typeof value === 'string' && !plainWord.test(value))
      throw new Error(`not a plain word: ${JSON.stringify(value)}`)
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}

/** JSON always escapes this character, so no JSON text contains it. */
const separator = '\x1e'

/**
 * Long texts as an array to select from, split at a character that no text contains. This is cheaper than an array or JSON, which would
 * escape each text here and parse it character by character there. A text with the character is refused.
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

/** One row of values to select from; missing values are null. */
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

/** Several rows, sent as one JSON text: cheaper than one parameter for each value. */
export function jsonRows(shape: RowShape, json: string): Sql {
  const columns = checkedShape(shape).map(([name, type]) => `${name} ${type}`)
  const strings = ['(select * from json_to_recordset(', `::json) as r (${columns.join(', ')}))`]
  return new Fragment(strings, [json])
}

/** Amounts are texts in JSON, as in the database's own JSON. With the conversion here, `JSON.stringify` runs several times as fast. */
export function exact(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in row) values[name] = typeof row[name] === 'bigint' ? String(row[name]) : row[name]
  return values
}

/** The input of a hot statement: one row as values, several as one text. Missing values are null. */
export function givenRows(shape: RowShape, rows: readonly Readonly<Record<string, unknown>>[]): Sql {
  const [only, another] = rows
  if (!only || another) return jsonRows(shape, JSON.stringify(rows.map(exact)))
  const values: Record<string, unknown> = { ...only }
  for (const [name, type] of Object.entries(shape))
    if ((type === 'json' || type === 'jsonb') && values[name] != null) values[name] = JSON.stringify(values[name])
  return rowOf(shape, values)
}

/** An identifier in the statement itself (a sort column, a table). Only plain lower-case names pass. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name))
    throw new Error(`not a plain SQL name: ${JSON.stringify(name)}`)
  return new Fragment([name], [])
}

/** Escapes a text for a LIKE pattern. */
export const literalLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * For the few statements whose best plan depends on the values; planning again costs time on each run. State the measurement beside each
 * use.
 */
export function plannedAnew(statement: Sql): Sql {
  const { text, values, name } = statement
  const usual = { text, values, name, isPlannedAnew: true } as const
  return statement instanceof EitherWay ? orOnShards(usual, () => statement.onShards) : usual
}
