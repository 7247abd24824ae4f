import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** A day cut out of an instant belongs to no time zone. `businessDay` takes the zone. */
export function checkDays(tree: readonly SourceFile[]): string[] {
  return tree
    .filter((source) => isUnder('server/src')(source) && isCode(source) && !isTest(source))
    .filter(({ text }) => /toISOString|toJSON/.test(text))
    .flatMap((source) =>
      nodesIn(parse(source))
        .filter(isCutInstant)
        .map((node) => `${placeOf(source, node)} cuts a day out of an instant: say whose day, with businessDay`),
    )
}

/** `instant.toISOString().slice(…)`, and the other ways to take a part of it. */
function isCutInstant(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const { name, expression } = node.expression
  if (!/^(slice|substring|substr|split|match|replace)$/.test(name.text)) return false
  return /\.(toISOString|toJSON)\(\)$/.test(expression.getText())
}
