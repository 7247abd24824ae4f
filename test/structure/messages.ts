import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** Callers use major units, so a message in minor units would be wrong by a factor of 100. */
export function checkMessages(tree: readonly SourceFile[]): string[] {
  return tree
    .filter((source) => isUnder('server/src')(source) && isCode(source) && !isTest(source))
    .filter(({ text }) => /minor/i.test(text))
    .flatMap((source) =>
      nodesIn(parse(source))
        .filter(ts.isPropertyAssignment)
        .filter(({ name }) => name.getText() === 'message')
        .filter(({ initializer }) => namesMinorUnits(initializer))
        .map((node) => `${placeOf(source, node)} tells an amount in minor units: say it with moneyInWords`),
    )
}

function namesMinorUnits(message: ts.Expression): boolean {
  if (/minor units?\b/i.test(message.getText())) return true
  return nodesIn(message)
    .filter(ts.isTemplateSpan)
    .some(({ expression }) => /minor$/i.test(expression.getText()))
}
