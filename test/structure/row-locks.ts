import ts from 'typescript-5'
import { isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** A clause that locks rows, in a statement of a store. */
export interface RowLock {
  /** function of the statement, such as `credits.fundsFor` */
  readonly name: string
  readonly place: string
  /** such as `no key update` */
  readonly strength: string
  /** names in the places of tables; some may be subqueries */
  readonly tables: readonly string[]
  /** those tables whose organisation is not given by a parameter */
  readonly unbound: readonly string[]
  /** comment above the function */
  readonly comment: string
}

export const isStore = (source: SourceFile): boolean =>
  isUnder('server/src')(source) && source.path.endsWith('.store.ts') && !isTest(source)

const lockClause = /\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b(?:\s+of\s+(\w+(?:\s*,\s*\w+)*))?/g

const isSql = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql'

/** The source text, including placeholders. */
const textOf = (node: ts.TaggedTemplateExpression): string => node.template.getText().slice(1, -1)

/** Named SQL fragments of a file, such as `within(tenant)`. Fragments that lock are checked at their own place. */
function piecesOf(source: SourceFile): ReadonlyMap<string, string> {
  const declared = parse(source).statements.filter(ts.isVariableStatement)
  return new Map(
    declared
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .flatMap(({ name, initializer }) => {
        const body = initializer && ts.isArrowFunction(initializer) ? initializer.body : initializer
        return body && isSql(body) && textOf(body).search(lockClause) < 0 ? [[name.getText(), textOf(body)]] : []
      }),
  )
}

const withPieces = (text: string, pieces: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?:\([^{}]*\))?\}/g, (written, name: string) => pieces.get(name) ?? written)

/** The query of a clause at the end of `text`: back to its opening bracket, without nested brackets. */
function queryBefore(text: string): string {
  const kept: string[] = []
  let depth = 0
  for (const letter of [...text].reverse()) {
    if (letter === ')') depth++
    if (letter === '(' && depth-- === 0) break
    if (depth === 0) kept.push(letter)
  }
  return kept.reverse().join('')
}

const keywords = new Set(['join', 'cross', 'left', 'inner', 'on', 'using', 'for'])
const tableInQuery = /(?:\b(?:from|join)|,)\s+(?:lateral\s+)?([a-z_]\w*)(?![\w.(])(?:\s+(?:as\s+)?([a-z_]\w*))?/g

/** Tables after the last `from` of a query, by alias. */
function calledIn(query: string): ReadonlyMap<string, string> {
  const [from] = query
    .slice(query.search(/\bfrom\b(?![\s\S]*\bfrom\b)/))
    .split(/\b(?:where|group\s+by|order\s+by|limit)\b/)
  return new Map(
    [...(from as string).matchAll(tableInQuery)].map(([, table, alias]): [string, string] => [
      alias === undefined || keywords.has(alias) ? (table as string) : alias,
      table as string,
    ]),
  )
}

/** An id alone does not determine the shard, so it does not count. */
const binding = /(?:\b(\w+)\.)?\borganisation_id\s*=\s*\$\{/g

function locksOf(text: string): Pick<RowLock, 'strength' | 'tables' | 'unbound'>[] {
  return [...text.matchAll(lockClause)].map((clause) => {
    const query = queryBefore(text.slice(0, clause.index))
    const called = calledIn(query)
    const locked = clause[2] === undefined ? [...called.keys()] : clause[2].split(/\s*,\s*/)
    const bound = new Set([...query.matchAll(binding)].map(([, alias]) => alias))
    const tablesOf = (names: readonly string[]) => names.map((name) => called.get(name) ?? name)
    return {
      strength: (clause[1] as string).replaceAll(/\s+/g, ' '),
      tables: tablesOf(locked),
      unbound: bound.has(undefined) ? [] : tablesOf(locked.filter((name) => !bound.has(name))),
    }
  })
}

const nameOf = (statement: ts.Statement): string =>
  ts.isFunctionDeclaration(statement)
    ? (statement.name?.text ?? '')
    : ts.isVariableStatement(statement)
      ? (statement.declarationList.declarations[0]?.name.getText() ?? '')
      : ''

const commentAbove = ({ text }: SourceFile, statement: ts.Statement): string =>
  (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [])
    .map(({ pos, end }) => text.slice(pos, end))
    .join('\n')

/** Every clause by which a store locks rows. */
export function rowLocksIn(tree: readonly SourceFile[]): RowLock[] {
  return tree.filter(isStore).flatMap((source) => {
    const pieces = piecesOf(source)
    return parse(source).statements.flatMap((statement) => {
      const all = nodesIn(statement).filter(isSql)
      const outermost = all.filter((one) => !all.some((other) => other !== one && nodesIn(other).includes(one)))
      return outermost.flatMap((node) =>
        locksOf(withPieces(textOf(node), pieces)).map((lock) => ({
          ...lock,
          name: `${source.path.split('/')[3]}.${nameOf(statement)}`,
          place: placeOf(source, node),
          comment: commentAbove(source, statement),
        })),
      )
    })
  })
}
