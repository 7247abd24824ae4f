import { posix } from 'node:path'
import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

const indexFile = /^server\/src\/modules\/([^/]+)\/index\.ts$/

/** The names that a file imports from another. `names` is undefined if it imports everything. */
interface TakenNames {
  readonly from: string
  readonly names: readonly string[] | undefined
}

function takenBy(source: SourceFile): TakenNames[] {
  return nodesIn(parse(source)).flatMap((node): TakenNames[] => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings
      return [{ from: pathFrom(source, node.moduleSpecifier), names: bindings && namesIn(bindings) }]
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      return [{ from: pathFrom(source, node.moduleSpecifier), names: node.exportClause && namesIn(node.exportClause) }]
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      return [{ from: pathFrom(source, node.argument.literal), names: node.qualifier && [node.qualifier.getText()] }]
    return []
  })
}

const pathFrom = (source: SourceFile, specifier: ts.Node): string =>
  posix.join(posix.dirname(source.path), specifier.getText().slice(1, -1))

/** The names in the exporting file. `undefined` for `* as all`. */
const namesIn = (bindings: ts.NamedImportBindings | ts.NamedExportBindings): string[] | undefined =>
  ts.isNamedImports(bindings) || ts.isNamedExports(bindings)
    ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
    : undefined

/** Tests and benchmarks may import from any file. */
const isOfService = (source: SourceFile): boolean => isCode(source) && isUnder('server/src')(source) && !isTest(source)

/** Names that a module's `index.ts` exports and no other part of the service imports. */
export function checkExports(tree: readonly SourceFile[]): string[] {
  const taken = new Map<string, Set<string>>()
  const open = new Set<string>()
  for (const source of tree.filter(isOfService))
    for (const { from, names } of takenBy(source)) {
      const module = indexFile.exec(from)?.[1]
      if (module === undefined || isUnder(`server/src/modules/${module}`)(source)) continue
      if (names === undefined) open.add(from)
      else taken.set(from, new Set([...(taken.get(from) ?? []), ...names]))
    }
  return tree
    .filter(({ path }) => indexFile.test(path) && !open.has(path))
    .flatMap((source) =>
      offeredBy(source)
        .filter(({ name }) => !taken.get(source.path)?.has(name))
        .map(
          ({ name, node }) =>
            `${placeOf(source, node)} offers ${name}, which nobody outside the module uses, tests aside`,
        ),
    )
}

interface OfferedName {
  readonly name: string
  readonly node: ts.Node
}

function offeredBy(source: SourceFile): OfferedName[] {
  return parse(source).statements.flatMap((statement): OfferedName[] => {
    if (!ts.isExportDeclaration(statement)) return []
    const { exportClause } = statement
    if (exportClause && ts.isNamespaceExport(exportClause)) return [{ name: exportClause.name.text, node: statement }]
    if (!exportClause || !ts.isNamedExports(exportClause)) return [{ name: 'everything', node: statement }]
    return exportClause.elements.map((element) => ({ name: element.name.text, node: element }))
  })
}

const groupFile = /^server\/src\/modules\/[^/]+\/(operations|[\w-]+\/port)\.ts$/

/**
 * For the outer layer a module exports its `operations.ts` as one name, `<noun>Operations`, and the port of a gateway as
 * `<noun>Port`. Finds members of them that nobody outside the modules uses, and modules that use those of another.
 */
export function checkOperations(tree: readonly SourceFile[]): string[] {
  const used = new Set<string>()
  const complaints: string[] = []
  for (const source of tree.filter(isOfService)) {
    const isOfModule = isUnder('server/src/modules')(source)
    for (const node of nodesIn(parse(source))) {
      const [left, right] = ts.isPropertyAccessExpression(node)
        ? [node.expression, node.name]
        : ts.isQualifiedName(node)
          ? [node.left, node.right]
          : []
      if (!left || !right || !ts.isIdentifier(left) || !/(Operations|Port)$/.test(left.text)) continue
      if (isOfModule) complaints.push(`${placeOf(source, node)} uses ${left.text}, which is for the outer layer`)
      else used.add(right.text)
    }
  }
  for (const source of tree.filter(({ path }) => groupFile.test(path)))
    for (const { name, node } of offeredBy(source))
      if (!used.has(name))
        complaints.push(`${placeOf(source, node)} offers ${name}, which nobody in the outer layer uses`)
  return complaints
}
