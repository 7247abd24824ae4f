import ts from 'typescript-5'
import type { SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** A piece of SQL in the code; where a value or another piece is put in, the text has a `$`. */
interface SqlText {
  readonly text: string
  readonly place: string
}

/** Lower or upper case throughout: a sentence for people begins with one capital. */
const statement =
  /^\s*(select\s[\s\S]*?\sfrom\s|select\s+(\d|\w+\()|insert\s+into\s|update\s+\S+(\s+as)?(\s+\w+)?\s+set\s|delete\s+from\s|merge\s+into\s|truncate\s|with\s+(recursive\s+)?\w+(\s*\([^)]*\))?\s+as\s|(create|alter|drop)\s+(unique\s+|or\s+replace\s+)?(table|index|function|trigger|view|database)\s|comment\s+on\s)/
const looksLikeSql = (text: string): boolean =>
  statement.test(text) || (/^\s*[A-Z]{4}/.test(text) && statement.test(text.toLowerCase()))

const textOf = (template: ts.TemplateLiteral): string =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head.text, ...template.templateSpans.map((span) => span.literal.text)].join('$')

function sqlAt(node: ts.Node): string | undefined {
  if (ts.isTaggedTemplateExpression(node)) return node.tag.getText() === 'sql' ? textOf(node.template) : undefined
  if (node.parent && ts.isTaggedTemplateExpression(node.parent)) return undefined
  const isPlain = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
  const text = isPlain ? node.text : ts.isTemplateExpression(node) ? textOf(node) : undefined
  return text !== undefined && looksLikeSql(text) ? text : undefined
}

/** Pieces tagged `sql`, and other texts that look like a statement. */
export function sqlTextsIn(source: SourceFile, within: ts.Node = parse(source)): SqlText[] {
  return nodesIn(within).flatMap((node) => {
    const text = sqlAt(node)
    return text === undefined ? [] : [{ text, place: placeOf(source, node) }]
  })
}

interface NamedTables {
  readonly mentioned: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

const bare = (text: string): string =>
  text
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()

const tableName = String.raw`(?:only\s+)?(?:public\.)?"?([a-z_][a-z0-9_]*)"?(?![\w.]|"?\.)`
const writing = new RegExp(
  String.raw`\b(?:insert\s+into|(?<!\b(?:for|do|key|on)\s+)update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+${tableName}`,
  'g',
)
const reading = new RegExp(
  String.raw`\b(?:from|join|using|table(?:\s+if\s+not\s+exists)?)\s+(?:lateral\s+)?${tableName}`,
  'g',
)
/** `from a, b as c, d`: the names after the commas. */
const listed = /\b(?:from|using)\s+((?:[\w".]+(?:\s+(?:as\s+)?\w+)?\s*,\s*)+[\w".]+)/g

const namesAfter = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] as string)

/** Names that stand where a table is read or written. Some are those of subqueries; compare with the known tables. */
export function tablesNamedIn(sql: string): NamedTables {
  const text = bare(sql)
  const written = namesAfter(writing, text)
  const inLists = namesAfter(listed, text).flatMap((list) =>
    list.split(',').map((part) => part.trim().split(/\s/)[0] as string),
  )
  return { written: new Set(written), mentioned: new Set([...written, ...namesAfter(reading, text), ...inLists]) }
}

/** Tables that a text of SQL creates, less those that it drops again. */
export function tablesCreatedIn(sql: string): string[] {
  const text = bare(sql)
  const created = namesAfter(
    /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(?:public\.)?([a-z_][a-z0-9_]*)(?!\s+partition\b)\b/g,
    text,
  )
  const dropped = namesAfter(/\bdrop\s+table\s+(?:if\s+exists\s+)?(?:public\.)?([a-z_][a-z0-9_]*)/g, text)
  return created.filter((name) => !dropped.includes(name))
}
