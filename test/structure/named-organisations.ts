import ts from 'typescript-5'
import { isStore } from './row-locks.ts'
import type { SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** A subquery that takes its organisation from a column of the query around it, and not from a value. */
export interface BorrowedOrganisation {
  /** function of the statement, such as `background.passEvents` */
  readonly name: string
  readonly place: string
  /** such as `b.organisation_id = i.organisation_id` */
  readonly text: string
}

const isSql = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql'

const textOf = (node: ts.TaggedTemplateExpression): string => node.template.getText().slice(1, -1)

const nameOf = (statement: ts.Statement): string =>
  ts.isFunctionDeclaration(statement)
    ? (statement.name?.text ?? '')
    : ts.isVariableStatement(statement)
      ? (statement.declarationList.declarations[0]?.name.getText() ?? '')
      : ''

/** Pieces of SQL by the name of their constant or function, in all stores. */
function piecesIn(tree: readonly SourceFile[]): ReadonlyMap<string, string> {
  const pieces = new Map<string, string>()
  for (const source of tree)
    for (const statement of parse(source).statements) {
      const declared = ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : []
      for (const { name, initializer } of declared) {
        const body = initializer && ts.isArrowFunction(initializer) ? initializer.body : initializer
        if (body && isSql(body)) pieces.set(name.getText(), textOf(body))
      }
      if (ts.isFunctionDeclaration(statement) && statement.name && statement.body) {
        const returned = statement.body.statements.filter(ts.isReturnStatement).map(({ expression }) => expression)
        const [only, another] = returned
        if (only && !another && isSql(only)) pieces.set(statement.name.text, textOf(only))
      }
    }
  return pieces
}

/** The texts of a query and of its subqueries, each without the others. */
function queriesOf(text: string): string[] {
  const done: string[] = []
  const open: string[] = ['']
  let inValue = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (text.startsWith('${', at)) inValue++
    if (inValue > 0) {
      open[open.length - 1] += letter
      if (letter === '}') inValue--
      continue
    }
    if (letter === '(') open.push('')
    else if (letter === ')' && open.length > 1) {
      const inner = open.pop() as string
      const isQuery = /\b(?:select|insert|update|delete|from)\b/.test(inner)
      if (isQuery) done.push(inner)
      open[open.length - 1] += isQuery ? '()' : `(${inner})`
    } else open[open.length - 1] += letter
  }
  return [...done, ...open]
}

const anyTable =
  /(?:\b(?:from|join|using|update|into)|,)\s+(?:only\s+|lateral\s+)*(?:\(\)|\$\{[^}]*\}|\w+(?:\(\))?)(?:\s+as)?\s+(\w+)/g
const bareTable = /(?:\b(?:from|join|using|update|into)|,)\s+(?:only\s+)?(\w+)/g
const binding = /\b(\w+)\.organisation_id\s*=\s*\$\{/g
const equality = /\b(\w+)\.organisation_id\s*=\s*(\w+)\.organisation_id\b/g

/** Columns of the query around it that a query takes its organisation from. */
function borrowedIn(query: string): string[] {
  const flat = query.replaceAll(/\s+/g, ' ')
  const declared = new Set([...flat.matchAll(anyTable), ...flat.matchAll(bareTable)].map(([, name]) => name))
  const bound = new Set([...flat.matchAll(binding)].map(([, alias]) => alias))
  return [...flat.matchAll(equality)].flatMap(([text, one, other]) => {
    const isOutside = (name: string | undefined) => !declared.has(name)
    if (isOutside(one) === isOutside(other)) return []
    return bound.has(isOutside(one) ? other : one) ? [] : [text]
  })
}

const called = /\$\{(?:\w+\.)?(\w+)(?:\([^{}]*\))?\}/g

export function borrowedOrganisationsIn(tree: readonly SourceFile[]): BorrowedOrganisation[] {
  const stores = tree.filter(isStore)
  const pieces = piecesIn(stores)
  // A piece that names tables is checked where it is used, because the user gives the conditions.
  return stores.flatMap((source) => {
    const own = piecesIn([source])
    const expanded = (text: string, depth = 0): string =>
      depth > 4
        ? text
        : text.replaceAll(called, (written, name: string) => {
            const piece = own.get(name) ?? pieces.get(name)
            return piece === undefined ? written : expanded(piece, depth + 1)
          })
    return parse(source).statements.flatMap((statement) => {
      const all = nodesIn(statement).filter(isSql)
      const outermost = all.filter((one) => !all.some((other) => other !== one && nodesIn(other).includes(one)))
      return outermost.flatMap((node) =>
        queriesOf(expanded(textOf(node)))
          .flatMap(borrowedIn)
          .map((text) => ({
            name: `${source.path.split('/')[3]}.${nameOf(statement)}`,
            place: placeOf(source, node),
            text,
          })),
      )
    })
  })
}
