import ts from 'typescript-5'
import { isTest, isUnder, type SourceFile } from './source-tree.ts'
import { sqlTextsIn, tablesNamedIn } from './sql-text.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** An exported store function, with its tables and parameter types. */
export interface StoreFunction {
  /** such as `invoices.lockInvoice` */
  readonly name: string
  readonly place: string
  readonly parameterTypes: readonly string[]
  readonly tables: ReadonlySet<string>
}

interface Declaration {
  readonly name: string
  readonly node: ts.Node
  readonly exported: boolean
  readonly parameterTypes: readonly string[]
}

const isExported = (node: ts.HasModifiers): boolean =>
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false

const typesOf = (declared: ts.SignatureDeclaration | undefined): string[] =>
  declared?.parameters.map((parameter) => parameter.type?.getText() ?? '') ?? []

function declarationsIn(source: SourceFile): Declaration[] {
  const { statements } = parse(source)
  const listed = new Set(statements.filter(ts.isExportDeclaration).flatMap(namesExportedBy))
  const declarations = statements.flatMap((statement): Declaration[] => {
    if (ts.isFunctionDeclaration(statement) && statement.name)
      return [
        {
          name: statement.name.text,
          node: statement,
          exported: isExported(statement),
          parameterTypes: typesOf(statement),
        },
      ]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.map((variable) => ({
      name: variable.name.getText(),
      node: variable,
      exported: isExported(statement),
      parameterTypes: typesOf(functionIn(variable.initializer)),
    }))
  })
  return declarations.map((one) => ({ ...one, exported: one.exported || listed.has(one.name) }))
}

function namesExportedBy({ exportClause }: ts.ExportDeclaration): string[] {
  if (!exportClause || !ts.isNamedExports(exportClause)) return []
  return exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
}

const functionIn = (node: ts.Expression | undefined): ts.SignatureDeclaration | undefined =>
  node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) ? node : undefined

/** The exports of each store. Includes SQL that is reached through functions of the same file. */
export function storeFunctionsIn(tree: readonly SourceFile[]): StoreFunction[] {
  return tree
    .filter((source) => isUnder('server/src/modules')(source) && source.path.endsWith('.store.ts') && !isTest(source))
    .flatMap(functionsOfStore)
}

function functionsOfStore(source: SourceFile): StoreFunction[] {
  const declarations = declarationsIn(source)
  const byName = new Map(declarations.map((one) => [one.name, one]))

  function reach(start: Declaration): Set<Declaration> {
    const reached = new Set([start])
    for (const { node } of reached)
      for (const inner of nodesIn(node)) {
        const used = ts.isIdentifier(inner) ? byName.get(inner.text) : undefined
        if (used) reached.add(used)
      }
    return reached
  }

  return declarations
    .filter(({ exported }) => exported)
    .map((declaration) => ({
      name: `${source.path.split('/')[3]}.${declaration.name}`,
      place: placeOf(source, declaration.node),
      parameterTypes: declaration.parameterTypes,
      tables: new Set(
        [...reach(declaration)].flatMap(({ node }) =>
          sqlTextsIn(source, node).flatMap(({ text }) => [...tablesNamedIn(text).mentioned]),
        ),
      ),
    }))
}
