import { posix } from 'node:path'
import ts from 'typescript-5'
import type { OpenApiDocument } from '../../server/src/http/openapi/document.ts'
import { writtenFields } from '../../server/src/kernel/written-fields.ts'
import { faultsOfTexts } from './descriptions.ts'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse } from './syntax.ts'

/** One figure about the shape of the code base, with the most that it may be. */
export interface Measure {
  readonly name: string
  readonly value: number
  readonly goal: number
  /** the items that the figure counts */
  readonly found?: readonly string[]
}

interface Import {
  readonly to: string
  /** the names that are taken; undefined if all are */
  readonly names: readonly string[] | undefined
  /** `import type`, or no name that exists at run time */
  readonly isType: boolean
}

const isOurs = (source: SourceFile): boolean => isCode(source) && !isTest(source)
const isOfServer = (source: SourceFile): boolean => isOurs(source) && isUnder('server/src')(source)

const knownImports = new WeakMap<SourceFile, readonly Import[]>()

function importsIn(source: SourceFile): readonly Import[] {
  let known = knownImports.get(source)
  if (!known) {
    known = parse(source).statements.flatMap((node): Import[] => {
      if (!(ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) || !node.moduleSpecifier) return []
      const specifier = node.moduleSpecifier.getText().slice(1, -1)
      if (!specifier.startsWith('.')) return []
      const to = posix.join(posix.dirname(source.path), specifier)
      const clause = ts.isImportDeclaration(node) ? node.importClause : node
      const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
      const elements = bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)) ? bindings.elements : []
      const values = elements.filter(({ isTypeOnly }) => !isTypeOnly)
      const names =
        elements.length > 0 ? values.map(({ propertyName, name }) => (propertyName ?? name).text) : undefined
      return [{ to, names, isType: clause?.isTypeOnly === true || names?.length === 0 }]
    })
    knownImports.set(source, known)
  }
  return known
}

/** Groups of files that import each other in a circle, type imports included. */
export function fileCircles(tree: readonly SourceFile[]): string[][] {
  const places = ['server/src', 'sdk/src', 'cli/src', 'dashboard/src', 'simulators/src'].map((folder) =>
    isUnder(folder),
  )
  const files = tree.filter((source) => isOurs(source) && places.some((isIn) => isIn(source)))
  const byPath = new Map(files.map((source) => [source.path, source]))
  const order = new Map<string, { index: number; low: number }>()
  const stack: string[] = []
  const circles: string[][] = []
  // Tarjan's strongly connected components; a circle is a component of two files or more.
  const visit = (path: string): number => {
    const own = { index: order.size, low: order.size }
    order.set(path, own)
    stack.push(path)
    for (const { to } of importsIn(byPath.get(path) as SourceFile)) {
      if (!byPath.has(to)) continue
      const other = order.get(to)
      if (!other) own.low = Math.min(own.low, visit(to))
      else if (stack.includes(to)) own.low = Math.min(own.low, other.index)
    }
    if (own.low === own.index) {
      const members = stack.splice(stack.indexOf(path))
      if (members.length > 1) circles.push(members.sort())
    }
    return own.low
  }
  for (const { path } of files) if (!order.has(path)) visit(path)
  return circles
}

const indexFile = /^server\/src\/modules\/([^/]+)\/index\.ts$/

/** The number of names that each module exports. The operations for the outer layer are one name, and so is a port. */
export function exportCounts(tree: readonly SourceFile[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const source of tree) {
    const module = indexFile.exec(source.path)?.[1]
    if (module === undefined) continue
    const names = nodesIn(parse(source)).filter((node) => ts.isExportSpecifier(node) || ts.isNamespaceExport(node))
    sizes.set(module, names.length)
  }
  return sizes
}

/** Code files directly in `http/`, outside its folders. */
export const looseFiles = (tree: readonly SourceFile[]): string[] =>
  tree.filter((source) => isOfServer(source) && /^server\/src\/http\/[^/]+$/.test(source.path)).map(({ path }) => path)

/** Words of one country: its name, authority, currency and numbers. Only the country itself, its gateways, the forms, the demo and `bin` may use them. */
const countryWords =
  /Nigeria|\b(NRS|NGN|TIN|IRN|LGA|BVN|NIP)\b|\b(irn|tin|lga|bvn|nip|nrs|ngn|naira|nigeria)\b|(Irn|Tin|Lga|Bvn|Nip)(?![a-z])|\b(irn|lga|bvn)[A-Z]/
const mayNameCountry = [
  'server/src/jurisdictions/',
  'server/src/gateways/',
  'server/src/bin/',
  'server/src/demo/',
  'server/src/http/form-a/',
  'server/src/http/form-b/',
  'server/src/http/shared/',
  'server/src/http/openapi/',
  'server/src/http/reference/',
  // A list of passwords that people use.
  'server/src/modules/people/most-used-passwords.gen.ts',
]

/** Files of the core that name a country, its currency or its authority. */
export const filesThatNameACountry = (tree: readonly SourceFile[]): string[] =>
  tree
    .filter((source) => isOfServer(source) && !mayNameCountry.some((place) => source.path.startsWith(place)))
    .filter(({ text }) => countryWords.test(text))
    .map(({ path }) => path)

/** Examples and rules of one country. Descriptions of the API use neutral ones: cents, dollars, the operator's time zone. */
const wordsOfOneCountry = /Lagos|\b[Kk]obo\b|\b[Nn]aira\b|\+234|[Tt]ax law requires/
const mayUseWordsOfOneCountry = [
  'server/src/jurisdictions/',
  'server/src/gateways/',
  'server/src/bin/',
  'server/src/demo/',
  // Example requests of a business in the country of the examples, which its rules must accept.
  'server/src/http/openapi/',
  'cli/src/examples.gen.ts',
  // The time zone of the operator: a decided exception.
  'server/src/modules/catalogue/prices.ts',
  'server/src/modules/people/most-used-passwords.gen.ts',
]

/** Files of the server and its clients with examples or rules of one country. */
export const filesWithWordsOfOneCountry = (tree: readonly SourceFile[]): string[] =>
  tree
    .filter(
      (source) => isOurs(source) && ['server', 'dashboard', 'cli', 'sdk'].some((of) => isUnder(`${of}/src`)(source)),
    )
    .filter(({ path }) => !mayUseWordsOfOneCountry.some((place) => path.startsWith(place)))
    .filter(({ text }) => wordsOfOneCountry.test(text))
    .map(({ path }) => path)

/**
 * Words that pages and programs must ask the service for. The dashboard is a client of form A, so the lower-case names of its
 * fields, such as `irn`, are allowed.
 */
const wordsOnPages =
  /Nigeria|Naira|\b(NRS|NGN|TIN|IRN|LGA|BVN|NIP)\b|Lagos|['"](en-)?NG['"]|\+234|₦|[A-Z]_VAT\b|Local government/

/** Files of the dashboard, the command line and the client that name a country, its currency, its taxes or its authority. */
export const clientsThatNameACountry = (tree: readonly SourceFile[]): string[] =>
  tree
    .filter((source) => isOurs(source) && ['dashboard', 'cli', 'sdk'].some((of) => isUnder(`${of}/src`)(source)))
    .filter(({ path, text }) => !path.endsWith('.gen.ts') && wordsOnPages.test(text))
    .map(({ path }) => path)

/** The entry files of one flow, and the folders that belong to it. */
interface Flow {
  readonly name: string
  readonly entry: readonly string[]
  readonly rooms: readonly string[]
  readonly mostFiles: number
  readonly mostLines: number
}

/** The files of a flow: the run-time imports of its entry files, within the folders of the flow. */
export function filesOfFlow(
  tree: readonly SourceFile[],
  { entry, rooms }: Pick<Flow, 'entry' | 'rooms'>,
): SourceFile[] {
  const byPath = new Map(tree.map((source) => [source.path, source]))
  const throughIndex = (path: string, name: string): string[] => {
    const source = byPath.get(path)
    if (!indexFile.test(path) || !source) return [path]
    return importsIn(source)
      .filter(({ names }) => names?.includes(name))
      .map(({ to }) => to)
  }
  const found = new Set<string>()
  const todo = [...entry]
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    const source = byPath.get(path)
    if (!source) throw new Error(`the flow names ${path}, which does not exist`)
    if (found.has(path)) continue
    found.add(path)
    const used = importsIn(source).filter(({ isType }) => !isType)
    const paths = used.flatMap(({ to, names }) => (names ? names.flatMap((name) => throughIndex(to, name)) : [to]))
    todo.push(...paths.filter((to) => rooms.some((room) => to.startsWith(room)) && byPath.has(to)))
  }
  return [...found].map((path) => byPath.get(path) as SourceFile)
}

const linesIn = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

export function flowMeasures(tree: readonly SourceFile[], flow: Flow): Measure[] {
  const files = filesOfFlow(tree, flow)
  return [
    { name: `files of ${flow.name}`, value: files.length, goal: flow.mostFiles, found: files.map(({ path }) => path) },
    { name: `lines of ${flow.name}`, value: linesIn(files), goal: flow.mostLines },
  ]
}

const operations = 'server/src/platform/operations/'
const flows: readonly Flow[] = [
  {
    name: 'creating an invoice',
    entry: ['server/src/modules/invoices/drafts/create-invoice.ts', `${operations}runner.ts`],
    rooms: ['server/src/modules/invoices/', 'server/src/modules/credits/', operations],
    mostFiles: 24,
    mostLines: 3_500,
  },
  {
    name: 'submitting to the authority',
    entry: [
      'server/src/modules/submissions/submitting/submit-invoice.ts',
      'server/src/modules/submissions/queue/queue.ts',
    ],
    rooms: [
      'server/src/modules/submissions/',
      'server/src/platform/background/',
      'server/src/platform/jobs/',
      operations,
    ],
    mostFiles: 20,
    mostLines: 2_800,
  },
  {
    name: 'a webhook delivery',
    entry: ['server/src/modules/webhooks/sending/fan-out.ts', 'server/src/modules/webhooks/sending/dispatcher.ts'],
    rooms: [
      'server/src/modules/webhooks/',
      'server/src/platform/background/',
      'server/src/platform/events/',
      'server/src/platform/outbound/',
    ],
    mostFiles: 20,
    mostLines: 2_600,
  },
]

/** A key of another table, such as `fact.contract` of a catalogue. */
const keyOfTable = /^[a-z_]+(\.[a-z_]+)+$/

/** Keys of other tables that a row names. The author of the row must also write these keys into those tables. */
const keysIn = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(keysIn)
  return typeof value === 'string' && keyOfTable.test(value) ? [value] : []
}

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The files that name one written field of an invoice, for the field that most files name. One table describes them, so that
 * another one takes few files. A file counts if it has the name of the field, its column, or a key that its row names.
 */
export function filesThatNameOneField(
  tree: readonly SourceFile[],
  rows: Readonly<Record<string, Readonly<{ kind: string }>>> = writtenFields,
): string[] {
  const places = tree.filter(
    (source) =>
      isOurs(source) &&
      (isUnder('server/src')(source) || isUnder('dashboard/src')(source)) &&
      !isUnder('server/src/demo')(source),
  )
  // `notes` and `paymentTerms` are words of other objects too.
  const counted = Object.entries(rows).filter(([, { kind }]) => kind !== 'paragraphs')
  const naming = counted.map(([name, row]) => {
    // Whole words, because `cancel_at_period_end` is another field than `period_end`.
    const words = new RegExp(`\\b(?:${name}|${columnOf(name)})\\b`)
    const keys = keysIn(row).map((key) => `'${key}'`)
    return places
      .filter(({ text }) => words.test(text) || keys.some((key) => text.includes(key)))
      .map(({ path }) => path)
  })
  return naming.reduce((most, one) => (one.length > most.length ? one : most), [])
}

/** The figures that describe no code: the baseline of the schema, and the texts of the published documents. */
export function publishedMeasures(tree: readonly SourceFile[], documents: readonly OpenApiDocument[]): Measure[] {
  const baseline = tree.filter(({ path }) => /^db\/migrations\/\d+_schema\.sql$/.test(path))
  const faults = documents.flatMap(faultsOfTexts)
  return [
    { name: 'migrations in the baseline', value: baseline.length, goal: 1, found: baseline.map(({ path }) => path) },
    { name: 'published descriptions: riddles or short', value: faults.length, goal: 0, found: faults },
  ]
}

/** The figures about the structure of the code. */
export function measureHouse(tree: readonly SourceFile[]): Measure[] {
  const exports = [...exportCounts(tree)].sort(([, x], [, y]) => y - x)
  const [widest, circles, loose, named] = [exports[0], fileCircles(tree), looseFiles(tree), filesThatNameACountry(tree)]
  const naming = filesThatNameOneField(tree)
  const [clients, worded] = [clientsThatNameACountry(tree), filesWithWordsOfOneCountry(tree)]
  return [
    ...flows.flatMap((flow) => flowMeasures(tree, flow)),
    {
      name: 'names that modules export',
      value: exports.reduce((sum, [, size]) => sum + size, 0),
      goal: 450,
      found: exports.map(([module, size]) => `${module} ${size}`),
    },
    { name: 'names of the widest module', value: widest?.[1] ?? 0, goal: 40, found: widest ? [widest[0]] : [] },
    {
      name: 'import circles between files',
      value: circles.length,
      goal: 0,
      found: circles.map((one) => one.join(' ')),
    },
    { name: 'loose files in http', value: loose.length, goal: 5, found: loose },
    { name: 'files that name one written field', value: naming.length, goal: 6, found: naming },
    { name: 'core files that name a country', value: named.length, goal: 0, found: named },
    { name: 'client files that name a country', value: clients.length, goal: 0, found: clients },
    { name: 'files with examples of one country', value: worded.length, goal: 0, found: worded },
  ]
}
