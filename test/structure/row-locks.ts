import ts from 'typescript-5'
import { isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** A clause that locks rows, in a statement of a store. */
export interface RowLock {
  /** such as `credits.fundsFor`: where the statement stands */
  readonly name: string
  readonly place: string
  /** such as `no key update` */
  readonly strength: string
  /** whose rows it locks, by the names that stand where tables do; some are those of subqueries */
  readonly tables: readonly string[]
  /** those of them of which no value given from outside says to which organisation the rows belong */
  readonly unbound: readonly string[]
  /** what the comment above the function says */
  readonly comment: string
}

export const isStore = (source: SourceFile): boolean =>
  isUnder('server/src')(source) && source.path.endsWith('.store.ts') && !isTest(source)

const lockClause = /\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b(?:\s+of\s+(\w+(?:\s*,\s*\w+)*))?/g

const isSql = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql'

/** As it is written, what is put in included. */
const textOf = (node: ts.TaggedTemplateExpression): string => node.template.getText().slice(1, -1)

/** Pieces of SQL that have a name in their file, such as `within(tenant)`; those that lock are looked at where they stand. */
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

/** The query that a clause at the end of `text` belongs to: back to the bracket that opens it, without what stands in brackets of its own. */
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

/** Tables after the last `from` of a query, by the names that the query calls them. */
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

/** By ids alone nobody knows on which shard a row is: they do not count. */
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
