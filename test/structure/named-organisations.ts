/*
 * Reads a statement as far as needed to see whose rows it reaches. A table is tied to an organisation if its organisation_id equals a value, a
 * row set that is sent as a parameter, or the organisation_id of something that is tied. Everything else is not understood and ties nothing.
 */

/** One `select`, `insert`, `update` or `delete`, without its subqueries: `#3` stands for the third query in brackets. */
interface Query {
  readonly tokens: readonly string[]
  readonly sources: readonly Source[]
  readonly outer: Query | undefined
}

/** What a query reads or writes: a table, a function with its arguments, or a query in brackets. */
interface Source {
  readonly alias: string
  readonly table?: string
  readonly bracket?: number
  /** a function such as `unnest($)`: its rows are sent as a parameter */
  readonly isSent?: boolean
  readonly isInserted?: boolean
}

/** `value`, `values` of a list, or a source of a query. */
type Side = 'value' | 'values' | Source
/** Two things with the same organisation. */
interface Equality {
  readonly sides: readonly [Side, Side]
  /** a subquery takes its organisation from the query around it */
  readonly isBorrowed: boolean
}

/** What ties a table to an organisation, besides a value. */
export interface Ties {
  /**
   * A row set that is sent, such as `unnest($) as r`. Citus does not look into the rows, and asks all servers. If a table is tied by a list
   * (`= any ($)`), Citus knows nothing of the tables that are joined with it, so each needs the list.
   */
  readonly sentRows: boolean
  /** an equality in a subquery with the query around it, which Citus takes only in some subqueries */
  readonly queryAround: boolean
}

const beginnings = new Set(['select', 'insert', 'update', 'delete', 'with', 'values'])
const unions = new Set(['union', 'except', 'intersect'])
const endsOfFrom = new Set(['where', 'group', 'order', 'set', 'returning', 'limit', 'having', 'window', 'for', 'on'])
const noAliases = new Set([
  ...endsOfFrom,
  ...[
    'join',
    'cross',
    'left',
    'right',
    'inner',
    'full',
    'using',
    'from',
    'values',
    'select',
    'union',
    'default',
    'offset',
    'as',
  ],
])
const owner = 'organisation_id'

const tokensOf = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, ' literal ')
    .replaceAll(/::\s*\w+(?:\[\])*/g, ' ')
    .toLowerCase()
    .match(/\w+|[^\s]/g) ?? []

/** The place after the bracket that opens at `at`. */
function afterBracket(tokens: readonly string[], at: number): number {
  let depth = 0
  for (let next = at; next < tokens.length; next++) {
    if (tokens[next] === '(') depth++
    if (tokens[next] === ')' && --depth === 0) return next + 1
  }
  return tokens.length
}

/** The parts between commas outside of brackets. */
function itemsOf(tokens: readonly string[]): string[][] {
  const items: string[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === ',' && depth === 0) items.push([])
    else items.at(-1)?.push(token)
  }
  return items
}

class Statement {
  /** queries by bracket; several if they are joined by `union` */
  readonly brackets: Query[][] = []
  readonly queries: Query[] = []
  /** brackets of `with name as (…)` */
  readonly parts = new Map<string, number>()

  constructor(text: string) {
    this.#read(tokensOf(text), undefined)
  }

  /** Reads a query, then the queries in its brackets. Returns the number of its bracket. */
  #read(tokens: readonly string[], outer: Query | undefined): number {
    const number = this.brackets.push([]) - 1
    const flat: string[][] = [[]]
    const inner: (readonly string[])[] = []
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as string
      const end = token === '(' && beginnings.has(tokens[at + 1] as string) ? afterBracket(tokens, at) : at
      if (end > at) {
        inner.push(tokens.slice(at + 1, end - 1))
        flat.at(-1)?.push(`#${inner.length - 1}`)
        at = end - 1
      } else if (unions.has(token)) flat.push([])
      else flat.at(-1)?.push(token)
    }
    const queries = flat.map((one): Query => ({ tokens: one, sources: [], outer }))
    this.brackets[number] = queries
    queries.forEach((query) => {
      const renumbered = query.tokens.map((token) => {
        if (!token.startsWith('#')) return token
        return `#${this.#read(inner[Number(token.slice(1))] as readonly string[], query)}`
      })
      Object.assign(query, { tokens: renumbered, sources: sourcesOf(renumbered) })
      this.queries.push(query)
      this.#notePartsOf(renumbered)
    })
    return number
  }

  /** `with name as (…)`, `name (column) as materialized (…)` */
  #notePartsOf(tokens: readonly string[]): void {
    tokens.forEach((token, at) => {
      if (!token.startsWith('#')) return
      let before = at - 1
      if (tokens[before] === 'materialized') before--
      if (tokens[before] === 'not') before--
      if (tokens[before--] !== 'as') return
      if (tokens[before] === ')') before = tokens.lastIndexOf('(', before) - 1
      const name = tokens[before]
      if (name !== undefined) this.parts.set(name, Number(token.slice(1)))
    })
  }
}

/** What a query names after `from`, `join`, `using`, `update` and `into`. */
function sourcesOf(tokens: readonly string[]): Source[] {
  const found: Source[] = []
  let isInFrom = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    const isUpdate = token === 'update' && !['for', 'key', 'do', 'no'].includes(tokens[at - 1] ?? '')
    const isUsing = token === 'using' && tokens[at + 1] !== '('
    const isFrom = token === 'from' && tokens[at - 1] !== 'distinct'
    if (isFrom || isUsing) isInFrom = true
    else if (endsOfFrom.has(token) && token !== 'on') isInFrom = false
    if (isFrom || isUsing || isUpdate || token === 'join' || token === 'into' || (token === ',' && isInFrom)) {
      const source = sourceAt(tokens, at + 1, token === 'into')
      if (source) found.push(source)
    }
    // The commas of a function separate no tables.
    if (token === '(' && tokens[at - 1] !== 'from' && tokens[at - 1] !== 'join') at = afterBracket(tokens, at) - 1
  }
  return found
}

function sourceAt(tokens: readonly string[], start: number, isInserted: boolean): Source | undefined {
  let at = start
  while (['only', 'lateral', '(', 'table'].includes(tokens[at] ?? '')) at++
  const token = tokens[at]
  if (token === undefined) return undefined
  const isFunction = /^\w+$/.test(token) && tokens[at + 1] === '(' && !isInserted
  const end = isFunction ? afterBracket(tokens, at + 1) : at + 1
  const behind = tokens[end] === 'with' && tokens[end + 1] === 'ordinality' ? end + 2 : end
  const next = tokens[behind] === 'as' ? behind + 1 : behind
  const alias = /^[a-z]\w*$/.test(tokens[next] ?? '') && !noAliases.has(tokens[next] as string) ? tokens[next] : token
  const named = { alias: alias as string }
  if (token.startsWith('#')) return { ...named, bracket: Number(token.slice(1)) }
  if (isFunction) return { ...named, isSent: tokens.slice(at + 1, end).includes('$') }
  return { ...named, table: token, isInserted }
}

const isTable = ({ table }: Source, tables: ReadonlySet<string>): boolean => table !== undefined && tables.has(table)

/** The distributed tables of a statement that are tied to no organisation. */
export function untiedIn(text: string, tables: ReadonlySet<string>, ties: Ties): string[] {
  const statement = new Statement(text)
  const equalities = statement.queries.flatMap((query) => equalitiesOf(query, statement, tables))
  const tied = new Set<Side>(ties.sentRows ? ['value', 'values'] : ['value'])
  const listed = new Set(equalities.filter(({ sides }) => sides.includes('values')).flatMap(({ sides }) => sides))
  const bracketOf = (source: Source): number | undefined =>
    source.bracket ??
    (source.table === undefined || isTable(source, tables) ? undefined : statement.parts.get(source.table))
  const givesTie = (bracket: number): boolean =>
    (statement.brackets[bracket] ?? []).every(
      ({ sources, tokens }) =>
        (sources.some((source) => tied.has(source)) || (sources.length === 0 && tokens.includes('$'))) &&
        sources.every((source) => tied.has(source) || !isTable(source, tables)),
    )
  for (let before = -1; before !== tied.size; ) {
    before = tied.size
    for (const source of statement.queries.flatMap(({ sources }) => sources)) {
      const bracket = bracketOf(source)
      if ((source.isSent && ties.sentRows) || (bracket !== undefined && givesTie(bracket))) tied.add(source)
    }
    for (const { sides, isBorrowed } of equalities) {
      const [one, other] = sides
      if (isBorrowed && !ties.queryAround) continue
      if (tied.has(one)) tied.add(other)
      if (tied.has(other)) tied.add(one)
    }
  }
  return (
    statement.queries
      .flatMap(({ sources }) => sources)
      .filter((source) => isTable(source, tables) && !tied.has(source))
      // Citus sends inserted rows to their servers, wherever they come from.
      .filter((source) => ties.sentRows || !(source.isInserted || listed.has(source)))
      .map(({ table }) => table as string)
  )
}

function equalitiesOf(query: Query, statement: Statement, tables: ReadonlySet<string>): Equality[] {
  const { tokens } = query
  const found: Equality[] = []
  const isOutside = (side: Side) => typeof side !== 'string' && query.outer !== undefined && isAround(query.outer, side)
  const add = (one: Side | undefined, other: Side | undefined) => {
    if (one && other && one !== other)
      found.push({ sides: [one, other], isBorrowed: isOutside(one) || isOutside(other) })
  }
  for (const [one, other] of insertedBy(query, tables)) add(one, other)
  tokens.forEach((token, at) => {
    if (token !== owner) return
    const isNamed = tokens[at - 1] === '.'
    const left = isNamed ? sourceOf(query, tokens[at - 2] as string) : onlyTable(query, tables)
    const start = isNamed ? at - 2 : at
    if (!isCondition(tokens, start)) return
    if (tokens[at + 1] === '=') add(left, sideAt(query, statement, tables, at + 2))
    // `$ = organisation_id`
    if (tokens[start - 1] === '=' && tokens[start - 2] === '$') add(left, 'value')
    // `organisation_id in ($…` and `organisation_id in (select …)`
    if (tokens[at + 1] === 'in') add(left, sideAt(query, statement, tables, at + 2))
    // `(organisation_id, mode) = ($, $)` and `(organisation_id, mode) in (select …)`
    if (tokens[start - 1] === '(' && tokens[start - 2] !== 'using') {
      const after = afterBracket(tokens, start - 1)
      if (tokens[after] === '=' || tokens[after] === 'in') add(left, sideAt(query, statement, tables, after + 1))
    }
    // `join x using (organisation_id, mode)`
    if (
      tokens.slice(0, at).lastIndexOf('using') === tokens.slice(0, at).lastIndexOf('(') - 1 &&
      tokens.includes('using')
    ) {
      const [first, ...others] = query.sources
      for (const other of others) add(first, other)
    }
  })
  return found
}

const clauses = new Set([
  'select',
  'where',
  'on',
  'having',
  'set',
  'returning',
  'values',
  'from',
  'join',
  'using',
  'by',
])

/** Whether all rows must fulfil what stands here: it follows `where`, `on` or `using`, outside of `or` and `case`. */
function isCondition(tokens: readonly string[], at: number): boolean {
  let clause = at - 1
  let cases = 0
  for (; clause >= 0 && !clauses.has(tokens[clause] as string); clause--) {
    if (tokens[clause] === 'end') cases--
    if (tokens[clause] === 'case') cases++
  }
  if (cases > 0 || !['where', 'on', 'using'].includes(tokens[clause] ?? '')) return false
  // `or` counts in the brackets around this place, and not in brackets or a `case` beside it.
  const around: number[] = []
  const ors: number[][] = []
  let here: readonly number[] = []
  for (let next = clause + 1; next < tokens.length && !clauses.has(tokens[next] as string); next++) {
    if (tokens[next] === '(' || tokens[next] === 'case') around.push(next)
    if (tokens[next] === ')' || tokens[next] === 'end') around.pop()
    if (tokens[next] === 'or') ors.push([...around])
    if (next === at) here = [...around]
  }
  return !ors.some((brackets) => brackets.every((bracket, nth) => here[nth] === bracket))
}

/** The right side of an equality: a value, the column of a source, or a query in brackets. */
function sideAt(query: Query, statement: Statement, tables: ReadonlySet<string>, start: number): Side | undefined {
  const { tokens } = query
  let at = start
  while (['any', '(', 'array', '[', 'values'].includes(tokens[at] ?? '')) at++
  const token = tokens[at]
  if (token === '$') return tokens[start] === 'any' ? 'values' : 'value'
  if (token?.startsWith('#')) {
    const inside = statement.brackets[Number(token.slice(1))]?.flatMap(({ sources }) => sources) ?? []
    return inside.find((source) => isTable(source, tables)) ?? inside[0]
  }
  if (tokens[at + 1] === '.') return sourceOf(query, token as string)
  return undefined
}

/** The source that an alias names, in the query or in those around it. */
function sourceOf(query: Query, alias: string): Source | undefined {
  const here = query.sources.filter((source) => source.alias === alias || source.table === alias)
  const found = here.find(({ isInserted }) => !isInserted) ?? here[0]
  return found ?? (query.outer && sourceOf(query.outer, alias))
}

const isAround = (query: Query, source: Source): boolean =>
  query.sources.includes(source) || (query.outer !== undefined && isAround(query.outer, source))

/** The source that a column without alias belongs to: of several with this column, the database would ask which. */
function onlyTable({ sources }: Query, tables: ReadonlySet<string>): Source | undefined {
  const read = sources.filter(({ isInserted }) => !isInserted)
  const withRows = read.filter(({ isSent }) => isSent === undefined)
  const [only, another] = withRows.length > 0 ? withRows : read
  return read.find((source) => isTable(source, tables)) ?? (another ? undefined : only)
}

/** `insert into t (organisation_id, …) values ($, …)`, or `select` with the organisation in the same place. */
function insertedBy(query: Query, tables: ReadonlySet<string>): [Side, Side][] {
  const { tokens, sources } = query
  const target = sources.find(({ isInserted }) => isInserted)
  const into = tokens.indexOf('into')
  if (!target || into < 0) return []
  const open = tokens.indexOf('(', into)
  const after = afterBracket(tokens, open)
  const nth = itemsOf(tokens.slice(open + 1, after - 1)).findIndex((item) => item.at(-1) === owner)
  if (nth < 0) return []
  if (tokens[after] === 'values') {
    const row = itemsOf(tokens.slice(after + 2, afterBracket(tokens, after + 1) - 1))
    return row[nth]?.[0] === '$' ? [[target, 'value']] : []
  }
  const select = tokens.indexOf('select', after)
  if (select < 0) return []
  const end = tokens.findIndex((token, at) => at > select && token === 'from')
  const items = itemsOf(
    tokens.slice(tokens[select + 1] === 'distinct' ? select + 2 : select + 1, end < 0 ? undefined : end),
  )
  const item = items[0]?.at(-1) === '*' ? items[0] : (items[nth] ?? [])
  if (item[0] === '$') return [[target, 'value']]
  const source = item[1] === '.' ? sourceOf(query, item[0] as string) : onlyTable(query, tables)
  return source ? [[target, source]] : []
}
