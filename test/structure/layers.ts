import { posix } from 'node:path'
import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { importsOf, nodesIn, parse, placeOf } from './syntax.ts'

const home = 'server/src/'

/** The layers, from low to high. A higher layer may import a lower one. Parts of one layer do not import each other. */
const floors = {
  bin: 5,
  http: 4,
  jobs: 4,
  gateways: 4,
  demo: 4,
  modules: 3,
  jurisdictions: 2,
  platform: 1,
  kernel: 0,
} as const
type Room = keyof typeof floors

/** Packages that only these places may import. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  fastify: ['http/'],
  typebox: ['http/', 'jurisdictions/', 'gateways/', 'platform/config.ts', 'platform/config/'],
  pg: ['platform/'],
  undici: ['platform/outbound/'],
}

/** The only folder that sends requests, and the names of Node's network modules that send none. */
const outboundFolder = 'platform/outbound/'
const harmless: Readonly<Record<string, readonly string[]>> = {
  http: ['STATUS_CODES', 'ServerResponse'],
  https: [],
  http2: [],
  net: ['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'createServer'],
  tls: [],
  dgram: [],
}
/** Global names of Node that open a connection. */
const sendingGlobals: readonly string[] = ['fetch', 'WebSocket', 'EventSource']

/** Files that may read the environment or the arguments of the process, with the reason. */
const surroundings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  env: {
    'platform/config.ts': 'reads every setting once',
    'platform/database/embedded-postgres.ts': 'hands PATH on to the programs it starts; no setting is read',
  },
  argv: { 'platform/config.ts': 'reads every setting once' },
}

interface Import {
  readonly from: string
  readonly to: string
}

const inHouse = (path: string): boolean => path.startsWith(home)
const below = (path: string): string => path.slice(home.length)
const roomOf = (path: string): string => below(path).split('/')[0] as string
const isRoom = (name: string): name is Room => name in floors

/** `modules/invoices` for every file of that module. */
const moduleOf = (path: string): string | undefined => /^server\/src\/modules\/([^/]+)\//.exec(path)?.[1]
const countryOf = (path: string): string | undefined => /^server\/src\/jurisdictions\/([^/]+)\//.exec(path)?.[1]
const formOf = (path: string): string | undefined => /^server\/src\/http\/(form-[ab])\//.exec(path)?.[1]

const importsAmong = (files: readonly SourceFile[]): Import[] =>
  files.filter(isCode).flatMap((source) => importsOf(source).map((to) => ({ from: source.path, to })))

/** Lists every violation of the layers, one sentence each. Tests of the server may import anything. */
export function checkLayers(tree: readonly SourceFile[]): string[] {
  const house = tree.filter((source) => isUnder('server/src')(source) && isCode(source) && !isTest(source))
  const imports = importsAmong(house)
  const inside = imports.filter(({ to }) => inHouse(to))
  return [
    ...unknownRooms(house),
    ...inside.flatMap(climbs),
    ...inside.flatMap(knownToBinAlone),
    ...inside.flatMap(besideTheDoor),
    ...inside.flatMap(betweenForms),
    ...circles(inside),
    ...circlesInModules(inside),
    ...circlesInPlatform(inside),
    ...imports.flatMap(misplacedPackage),
    ...imports.flatMap(outOfTheHouse),
    ...house.flatMap(readsSurroundings),
    ...house.flatMap(believesTheNeighbour),
    ...house.flatMap(goesOutBeside),
    ...formsKnownToModules(tree),
    ...importsOfNeighbours(tree),
  ]
}

function unknownRooms(house: readonly SourceFile[]): string[] {
  return house.filter(({ path }) => !isRoom(roomOf(path))).map(({ path }) => `${path} stands in no room of the house`)
}

function climbs({ from, to }: Import): string[] {
  const [here, there] = [roomOf(from), roomOf(to)]
  if (here === there || !isRoom(here) || !isRoom(there) || floors[here] > floors[there]) return []
  return [
    `${from} imports ${to}: ${here} must not look ${floors[here] < floors[there] ? 'up at' : 'across at'} ${there}`,
  ]
}

/** Only `bin` may import a country. Other code uses jurisdictions/port.ts. */
function knownToBinAlone({ from, to }: Import): string[] {
  const country = countryOf(to)
  if (country === undefined || countryOf(from) === country || roomOf(from) === 'bin') return []
  return [`${from} imports ${to}: a country is known to bin alone`]
}

function besideTheDoor({ from, to }: Import): string[] {
  const module = moduleOf(to)
  if (module === undefined || moduleOf(from) === module || to === `${home}modules/${module}/index.ts`) return []
  return [`${from} imports ${to}: use the index.ts of ${module}`]
}

function betweenForms({ from, to }: Import): string[] {
  const [here, there] = [formOf(from), formOf(to)]
  return here && there && here !== there ? [`${from} imports ${to}: the forms do not know each other`] : []
}

/** Imports between folders. */
type Uses = Map<string, Set<string>>

function circles(imports: readonly Import[]): string[] {
  const uses: Uses = new Map()
  for (const { from, to } of imports) {
    const [user, used] = [moduleOf(from), moduleOf(to)]
    if (user && used && user !== used) uses.set(user, (uses.get(user) ?? new Set()).add(used))
  }
  return circlesAmong(uses).map((told) => `modules form a circle: ${told}`)
}

/** A sub-folder of a module, or a file beside them. `index.ts` is above them all. */
const cornerOf = (path: string, module: string): string | undefined => {
  const [first, ...deeper] = path.slice(`${home}modules/${module}/`.length).split('/') as [string, ...string[]]
  return first === 'index.ts' && deeper.length === 0 ? undefined : first
}

function circlesInModules(imports: readonly Import[]): string[] {
  const modules = new Map<string, Uses>()
  for (const { from, to } of imports) {
    const module = moduleOf(from)
    if (module === undefined || module !== moduleOf(to)) continue
    const [user, used] = [cornerOf(from, module), cornerOf(to, module)]
    if (!user || !used || user === used) continue
    const uses: Uses = modules.get(module) ?? new Map()
    modules.set(module, uses.set(user, (uses.get(user) ?? new Set()).add(used)))
  }
  return [...modules].flatMap(([module, uses]) =>
    circlesAmong(uses).map((told) => `sub-folders of ${module} form a circle: ${told}`),
  )
}

const platformFolderOf = (path: string): string | undefined => /^server\/src\/platform\/([^/]+)\//.exec(path)?.[1]

function circlesInPlatform(imports: readonly Import[]): string[] {
  const uses: Uses = new Map()
  for (const { from, to } of imports) {
    const [user, used] = [platformFolderOf(from), platformFolderOf(to)]
    if (user && used && user !== used) uses.set(user, (uses.get(user) ?? new Set()).add(used))
  }
  return circlesAmong(uses).map((told) => `folders of platform form a circle: ${told}`)
}

/** Each import circle once, starting with its first name in the alphabet. */
function circlesAmong(uses: Uses): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const follow = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      found.add(describeCircle(path.slice(path.indexOf(name))))
      return
    }
    if (done.has(name)) return
    for (const next of uses.get(name) ?? []) follow(next, [...path, name])
    done.add(name)
  }
  for (const name of uses.keys()) follow(name, [])
  return [...found]
}

function describeCircle(ring: readonly string[]): string {
  const start = ring.indexOf([...ring].sort()[0] as string)
  return [...ring.slice(start), ...ring.slice(0, start), ring[start]].join(' → ')
}

function misplacedPackage({ from, to }: Import): string[] {
  if (roomOf(from) === 'kernel' && !inHouse(to) && !to.startsWith('node:'))
    return [`${from} imports ${to}: the kernel knows only itself and what Node brings`]
  return Object.entries(packageHomes)
    .filter(([name]) => to === name || to.startsWith(`${name}/`) || to.startsWith(`@${name}/`))
    .filter(([, homes]) => !homes.some((allowed) => below(from).startsWith(allowed)))
    .map(([name, homes]) => `${from} imports ${to}: ${name} stands only in ${homes.join(', ')}`)
}

function outOfTheHouse({ from, to }: Import): string[] {
  return /^(test|bench|scripts)\//.test(to)
    ? [`${from} imports ${to}: the server does not need its tests or tools`]
    : []
}

function readsSurroundings(source: SourceFile): string[] {
  if (!source.text.includes('process')) return []
  return nodesIn(parse(source)).flatMap((node) => {
    const name = surroundingNamed(node)
    if (name === undefined || below(source.path) in (surroundings[name] ?? {})) return []
    return [`${placeOf(source, node)} reads process.${name}, which is the matter of platform/config.ts`]
  })
}

/** `env` or `argv`, if this node takes it from the process by name, pattern or import. */
function surroundingNamed(node: ts.Node): string | undefined {
  const isProcess = (expression: ts.Node | undefined) =>
    expression !== undefined && /^(globalThis\.)?process$/.test(expression.getText())
  let name: string | undefined
  if (ts.isPropertyAccessExpression(node) && isProcess(node.expression)) name = node.name.text
  if (ts.isElementAccessExpression(node) && isProcess(node.expression))
    name = ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : undefined
  if (ts.isBindingElement(node) && ts.isVariableDeclaration(node.parent.parent))
    name = isProcess(node.parent.parent.initializer) ? (node.propertyName ?? node.name).getText() : undefined
  if (ts.isImportSpecifier(node) && /^'(node:)?process'$/.test(node.parent.parent.parent.moduleSpecifier.getText()))
    name = (node.propertyName ?? node.name).text
  return name !== undefined && name in surroundings ? name : undefined
}

/** The framework's `ip` is the nearest proxy or an untrusted header, so it must not be counted, logged or shown. */
function believesTheNeighbour(source: SourceFile): string[] {
  if (roomOf(source.path) !== 'http' || !/\bips?\b/.test(source.text)) return []
  return nodesIn(parse(source)).flatMap((node) => {
    const isRead = ts.isPropertyAccessExpression(node) && ['ip', 'ips'].includes(node.name.text)
    const isTaken = ts.isBindingElement(node) && ['ip', 'ips'].includes((node.propertyName ?? node.name).getText())
    return isRead || isTaken
      ? [`${placeOf(source, node)} asks the framework for an address; request.clientAddress knows our proxies`]
      : []
  })
}

/** Deadlines, limits, address rules and metrics apply only to requests through `platform/outbound`. */
function goesOutBeside(source: SourceFile): string[] {
  if (below(source.path).startsWith(outboundFolder)) return []
  return nodesIn(parse(source)).flatMap((node) => {
    const name = wayOut(node)
    return name === undefined
      ? []
      : [`${placeOf(source, node)} uses ${name}: only this folder may send: ${outboundFolder}`]
  })
}

/** The name with which this node could send a request, if any. Types do not count. */
function wayOut(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node)) return importedWayOut(node)
  if (ts.isCallExpression(node) && /^(import|require)$/.test(node.expression.getText())) {
    const module = node.arguments[0]?.getText().slice(1, -1) ?? ''
    return allowedFrom(module) === undefined ? undefined : module
  }
  if (!ts.isIdentifier(node) || !sendingGlobals.includes(node.text)) return undefined
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return parent.expression.getText() === 'globalThis' ? node.text : undefined
  if (ts.isTypeQueryNode(parent) || ts.isTypeReferenceNode(parent)) return undefined
  // The declaration of an own name: a field, a method or a parameter.
  const isMadeHere = 'name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent)
  return isMadeHere ? undefined : node.text
}

const allowedFrom = (module: string): readonly string[] | undefined => harmless[module.replace(/^node:/, '')]

function importedWayOut({ importClause, moduleSpecifier }: ts.ImportDeclaration): string | undefined {
  const module = moduleSpecifier.getText().slice(1, -1)
  const allowed = allowedFrom(module)
  if (allowed === undefined || !importClause || importClause.isTypeOnly) return undefined
  const { name, namedBindings } = importClause
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return module
  return namedBindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map((element) => (element.propertyName ?? element.name).text)
    .find((taken) => !allowed.includes(taken))
}

/** Includes tests and README files, because a module must not know a form. */
function formsKnownToModules(tree: readonly SourceFile[]): string[] {
  return tree.filter(isUnder('server/src/modules')).flatMap(({ path, text }) => {
    const word = /form-[ab]\b|\bForm [AB]\b|\bform[AB]\b/.exec(text)?.[0]
    return word === undefined ? [] : [`${path} says "${word}": the core does not know that two forms exist`]
  })
}

/** Simulators and the dashboard use the server only over HTTP. */
function importsOfNeighbours(tree: readonly SourceFile[]): string[] {
  const neighbours = tree.filter((source) => ['simulators', 'dashboard'].some((name) => isUnder(name)(source)))
  return importsAmong(neighbours)
    .filter(({ to }) => inHouse(to))
    .map(
      ({ from, to }) => `${from} imports ${to}: ${posix.dirname(from).split('/')[0]} must not know the server's code`,
    )
}
