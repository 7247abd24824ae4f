import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** Places that may look behind a type, by file and text, with the reason. */
export type KnownPlaces = Readonly<Record<string, Readonly<Record<string, string>>>>

const incomplete = 'the types of TypeScript do not know this part of the language yet'
const own = 'a value of ours, whose type the compiler cannot infer'

/** ADR 3 explains those that reach into a library. */
const known: KnownPlaces = {
  'server/src/modules/documents/pdf/text-layer.ts': {
    'cast of doc': 'pdfkit: the current font (ADR 3)',
    'private name _font': 'pdfkit: the current font (ADR 3)',
    'replaced font.getGlyph': 'pdfkit: a glyph has the letters that it stands for (ADR 3)',
    'replaced embedded.encode': 'pdfkit: a glyph is in the file once for each of its letters (ADR 3)',
    'replaced doc.addContent': 'pdfkit: a marker stands inside the text block (ADR 3)',
  },
  'server/src/modules/documents/pdf/runs.ts': { 'cast of bidiFactory': 'bidi-js: its types describe another export' },
  'server/src/kernel/exact-json.ts': { 'cast of JSON': incomplete },
  'server/src/http/mcp/outside-words.ts': { 'cast of JSON': incomplete },
  'cli/src/values.ts': { 'cast of JSON': incomplete },
  'dashboard/src/ui/money.ts': {
    'cast of decimal': incomplete,
    'cast of decimalOf(minor, currency)': incomplete,
  },
  'dashboard/src/features/invoices/detail/lines.tsx': { 'cast of decimal': incomplete },
  'server/src/platform/callers/access-token.ts': { 'cast of payload': 'jose: the claims of a token that we signed' },
  'cli/src/resources.ts': {
    'cast of client': 'our client, by the name of a module',
    'cast of flags': 'commander: its flags, by name',
  },
  'cli/src/commands/export.ts': {
    "cast of { ...client, 'received-invoices': client.receivedInvoices }": 'our client, by the name of a module',
  },
  'cli/src/mcp/bridge.ts': { 'private name _meta': 'a public field of the MCP protocol' },
  'server/src/modules/recurring-invoices/stored-template.ts': {
    'cast of { ...mapped(rest, totals, read), lines: lines.map((line) => mapped(line, amounts, read)), }': own,
  },
  'server/src/platform/database/keyset.store.ts': { 'cast of row': own },
  'server/src/platform/background/handlers.ts': { 'cast of ({ job, handle })': own },
  'server/src/platform/operations/statement-batches.ts': { 'cast of statement': own },
  'server/src/platform/operations/operation.ts': { 'cast of steps': own },
  'server/src/http/shared/contract-words.ts': {
    'cast of Object.fromEntries( Object.entries({ ...rest, district: lga }).filter(([, value]) => value != null), )':
      own,
  },
  'server/src/http/definitions/describe-route.ts': { 'cast of description': own },
  'server/src/kernel/events.ts': { 'cast of ({ ...facts, ...(more as object | undefined) })': own },
  'server/src/platform/outbound/origins.ts': {
    'replaced request.whenSettled': own,
    'replaced request.whenReleased': own,
    'replaced next.whenSettled': own,
  },
}

const roots = ['server/src', 'cli/src', 'sdk/src', 'dashboard/src', 'simulators/src']

/**
 * We use the public parts of libraries (ADR 3). Three ways lead to the others: a cast through `unknown`, a name that
 * begins with `_`, and a function that replaces a method. Each such place is listed with its reason.
 */
export function checkPrivateParts(tree: readonly SourceFile[], allowed: KnownPlaces = known): string[] {
  const code = tree.filter((source) => roots.some((root) => isUnder(root)(source)) && isCode(source) && !isTest(source))
  const met = new Set<string>()
  const complaints = code.flatMap((source) =>
    waysIn(source).flatMap(({ node, way }) => {
      met.add(`${source.path} ${way}`)
      return Object.hasOwn(allowed[source.path] ?? {}, way)
        ? []
        : [`${placeOf(source, node)} looks behind a type (${way}): use a public part, or list it with the reason`]
    }),
  )
  const stale = Object.entries(allowed).flatMap(([path, ways]) =>
    Object.keys(ways)
      .filter((way) => !met.has(`${path} ${way}`))
      .map((way) => `${path} is listed for "${way}", which it does not have`),
  )
  return [...complaints, ...stale]
}

interface WayIn {
  readonly node: ts.Node
  readonly way: string
}

const mayHaveOne = /as unknown as|\b_\w|\.\w+ = /

const waysIn = (source: SourceFile): WayIn[] =>
  mayHaveOne.test(source.text)
    ? nodesIn(parse(source)).flatMap((node) => [...castOf(node), ...privateNameIn(node), ...replacementIn(node)])
    : []

const textOf = (node: ts.Node): string => node.getText().replace(/\s+/g, ' ')

/** `value as unknown as Other` */
function castOf(node: ts.Node): WayIn[] {
  if (!ts.isAsExpression(node) || !ts.isAsExpression(node.expression)) return []
  const { expression, type } = node.expression
  return type.kind === ts.SyntaxKind.UnknownKeyword ? [{ node, way: `cast of ${textOf(expression)}` }] : []
}

/** `value._name` and `const { _name } = value`. A lone `_` is a value that is not used. */
function privateNameIn(node: ts.Node): WayIn[] {
  const name = ts.isPropertyAccessExpression(node)
    ? node.name.text
    : ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)
      ? (node.propertyName ?? node.name).getText()
      : ''
  return /^_\w/.test(name) ? [{ node, way: `private name ${name}` }] : []
}

/** `value.name = () => …`. Handlers such as `onmessage` are there to be set. */
function replacementIn(node: ts.Node): WayIn[] {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return []
  const { left, right } = node
  const isFunction = ts.isArrowFunction(right) || ts.isFunctionExpression(right)
  if (!ts.isPropertyAccessExpression(left) || !isFunction || /^on[a-z]/.test(left.name.text)) return []
  return left.expression.kind === ts.SyntaxKind.ThisKeyword ? [] : [{ node, way: `replaced ${textOf(left)}` }]
}
