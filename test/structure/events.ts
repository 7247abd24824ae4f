import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** Files that emit events. The catalogue and the forms only name the types. */
const isTelling = (source: SourceFile): boolean =>
  (isUnder('server/src/modules')(source) || isUnder('server/src/jobs')(source)) && isCode(source) && !isTest(source)

/** Other texts can have this shape, so only texts that begin like an event type count. */
const looksLikeType = (text: string): boolean => /^[a-z_]+(\.[a-z_]+)+$/.test(text)

/** Every event type is emitted somewhere, and every emitted type is in the catalogue. */
export function checkEvents(types: readonly string[], tree: readonly SourceFile[]): string[] {
  const told = tree.filter(isTelling).flatMap((source) => tellingsIn(source).map((telling) => ({ source, ...telling })))
  const all = new Set(told.map(({ type }) => type))
  return [
    ...types.filter((type) => !all.has(type)).map((type) => `${type} is never told`),
    ...told
      .filter(({ type, isCalled }) => isCalled && looksLikeType(type) && !types.includes(type))
      .map(({ source, node, type }) => `${placeOf(source, node)} tells of ${type}, which is not in the catalogue`),
  ]
}

interface EmittedType {
  readonly type: string
  readonly node: ts.Node
  /** whether the literal is an argument of the call itself */
  readonly isCalled: boolean
}

function tellingsIn(source: SourceFile): EmittedType[] {
  return nodesIn(parse(source)).flatMap((node) =>
    ts.isStringLiteralLike(node) && !isHeardOrLookedAt(node)
      ? [{ type: node.text, node, isCalled: isInTellingCall(node) }]
      : [],
  )
}

/**
 * `emit(…)`, `insertingEvents(…)` and `tellOf…(context, …)` emit events. Their first two arguments describe the event.
 */
function isInTellingCall(literal: ts.Node): boolean {
  const at = ts.isConditionalExpression(literal.parent) ? literal.parent : literal
  const call = at.parent
  if (!ts.isCallExpression(call) || !call.arguments.slice(0, 2).includes(at as ts.Expression)) return false
  return /(^|\.)(emit|insertingEvents|tellOf\w+)$/.test(call.expression.getText())
}

/** `jobOn(…, ['…'])`, `on: ['…']` and `findEventData(…, '…')` consume, `=== '…'` compares, `as '…'` is a type. */
function isHeardOrLookedAt(literal: ts.Node): boolean {
  const { parent } = literal
  if (ts.isLiteralTypeNode(parent)) return true
  if (ts.isBinaryExpression(parent)) return /^[!=]==?$/.test(parent.operatorToken.getText())
  const call = ts.isArrayLiteralExpression(parent) ? parent.parent : parent
  if (ts.isPropertyAssignment(call)) return call.name.getText() === 'on'
  return ts.isCallExpression(call) && /^(jobOn|findEventData)$/.test(call.expression.getText())
}
