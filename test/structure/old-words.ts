import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

const roots = ['server/src', 'cli/src', 'sdk/src', 'dashboard/src', 'simulators/src']

/** Words of the last column that also have an ordinary meaning, in which names may use them. */
export const ordinaryWords: Readonly<Record<string, string>> = {
  account: 'a bank account, a billing account, an account of a buyer',
  app: 'the dashboard as a React component',
  beat: 'the interval of a heartbeat',
  bell: 'the picture of a bell',
  callback: 'a function that is called back, and the words of providers',
  cents: 'the smallest unit of the dollar in the list of currencies',
  company: 'a legal form of a party, and a value of the API',
  customer: 'the word of payment providers and of UBL',
  cycle: 'a circle of references',
  entity: 'the word of the NRS for a registered business',
  environment: 'the variables of a process',
  estimate: 'a figure that is not exact',
  family: 'a family of fonts, of event types or of addresses',
  grant: 'a type of move of credits, and the word of OAuth',
  group: 'a tax group, and items that are shown together',
  handler: 'the function of a job or of an event of the page',
  hearing: 'no name in our code, and an ordinary word in texts',
  incoming: 'the message class of Node',
  letter: 'a letter of the alphabet',
  link: 'an address that opens a document, and a connection of two programs',
  listener: 'a function that gets events of Node or of the page',
  machine: 'the computer on which a program runs',
  merchant: 'the word of payment providers',
  mock: 'the word of the test runner',
  note: 'a credit note or a debit note',
  offset: 'a number of bytes, and the difference of a time zone',
  outline: 'a line around a shape',
  piece: 'a part of a text',
  place: 'a place in a text, a list or a ledger, and decimal places',
  query: 'the part of an address after the question mark',
  reader: 'code that reads a file or a reply',
  record: 'the type of TypeScript, and to record a payment',
  repository: 'where the source code is kept',
  reserve: 'to set memory aside',
  revision: 'the version of a contract of an outside party',
  sender: 'who sends a transfer or a mail',
  sending: 'what is under way to an outside party',
  sequence: 'an order of numbers',
  service: 'this program, and the word of the authority for a tax service',
  work: 'what a function does',
}

/** Names that the API or a column of 1.0.0 has set, with their place and the reason. */
const allowedNames: readonly (readonly [name: string, places: readonly string[], reason: string])[] = [
  ['webhook.type_not_told', ['server/src/kernel/', 'server/src/http/', 'dashboard/src/'], 'a refusal of the API'],
  ['told', ['server/src/http/shared/', 'dashboard/src/features/invoices/'], 'a field of the API'],
  ['said', ['server/src/platform/operations/idempotency.store.ts'], 'the column idempotency_keys.said'],
]

const isAllowed = (name: string, { path }: SourceFile): boolean =>
  allowedNames.some(([allowed, places]) => allowed === name && places.some((place) => path.startsWith(place)))

const rowPattern = /^\| ([^|]+) \|[^|]*\|([^|]*)\|$/gm
const wordsIn = (cell: string): string[] => cell.split(',').map((word) => word.trim().replaceAll('"', ''))

/** The single words of the last column that are no terms of the glossary themselves. */
export function lastColumn(glossary: string): ReadonlySet<string> {
  const rows = [...glossary.matchAll(rowPattern)]
  const terms = new Set(rows.flatMap(([, term = '']) => wordsIn(term.replace(/\([^)]*\)/g, ''))))
  const old = rows.flatMap(([, , not = '']) => wordsIn(not)).filter((word) => /^[a-z]+$/.test(word))
  return new Set(old.filter((word) => word !== 'not' && !terms.has(word)))
}

/** Those without an ordinary meaning. No name may contain them. */
export const oldWordsIn = (glossary: string): ReadonlySet<string> =>
  new Set([...lastColumn(glossary)].filter((word) => !Object.hasOwn(ordinaryWords, word)))

/** The tables and columns of "Names that stay". */
export const columnsThatStay = (glossary: string): string[] =>
  [...glossary.matchAll(/^\| (?:columns?|table) (.+?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )

/** Whether a schema has a table, or a column of it. */
export function isInSchema(schema: string, name: string): boolean {
  const [table, column] = name.split('.')
  const body = new RegExp(`^create table ${table} \\(\n(.*?)\n\\);`, 'ms').exec(schema)?.[1]
  return body !== undefined && (column === undefined || new RegExp(`^  ${column} `, 'm').test(body))
}

/** The words of a name in camel, snake or dotted spelling. */
const partsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).flatMap((part) => (part === '' ? [] : [part.toLowerCase()]))

function declaredName(node: ts.Node): ts.Node | undefined {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) return node.propertyName && node.name
  if (ts.isPropertyAccessExpression(node) || ts.isJsxAttribute(node) || ts.isMetaProperty(node)) return undefined
  return (node as { readonly name?: ts.Node }).name
}

/** Declared names that contain a word which the glossary replaces by another. */
export function oldNames(tree: readonly SourceFile[], words: ReadonlySet<string>): string[] {
  const inText = new RegExp([...words].join('|'), 'i')
  const isOurs = (source: SourceFile) =>
    isCode(source) && !isTest(source) && !source.path.endsWith('.gen.ts') && roots.some((root) => isUnder(root)(source))
  return tree
    .filter((source) => isOurs(source) && inText.test(source.text))
    .flatMap((source) =>
      nodesIn(parse(source)).flatMap((node) => {
        const name = declaredName(node)
        if (!name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name))) return []
        if (isAllowed(name.text, source)) return []
        const old = partsOf(name.text).find((part) => words.has(part) || words.has(part.replace(/s$/, '')))
        return old === undefined ? [] : [`${placeOf(source, name)} ${name.text}: the glossary does not use "${old}"`]
      }),
    )
}
