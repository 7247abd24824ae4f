import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse } from './syntax.ts'

/** Files that only name refusals: the catalogue, the forms' maps and their documents. */
const onlyNames = /^server\/src\/(kernel\/refusals\.ts|http\/(openapi\/|reference\/|(.+\/)?answers\.ts).*)$/
const thisCheck = 'test/structure/refusals.test.ts'

/** Every refusal is thrown somewhere in the server, and a test expects it. */
export function checkRefusals(names: readonly string[], tree: readonly SourceFile[]): string[] {
  const server = tree.filter((source) => isUnder('server/src')(source) && isCode(source) && !isTest(source))
  const mayHaveSome = ({ text }: SourceFile) => /\binvalid\(/.test(text) || names.some((name) => text.includes(name))
  const speaking = server.filter((source) => !onlyNames.test(source.path) && mayHaveSome(source))
  const said = new Set(speaking.flatMap(namesSaidIn))
  const tests = tree.filter((source) => isTest(source) && source.path !== thisCheck)
  return names.flatMap((name) => [
    ...(said.has(name) ? [] : [`${name} is never thrown or returned`]),
    ...(tests.some(({ text }) => isNamedIn(text, name)) ? [] : [`${name} occurs in no test`]),
  ])
}

/** String literals outside lists of possible refusals. `invalid(…)` throws request.invalid. */
function namesSaidIn(source: SourceFile): string[] {
  return nodesIn(parse(source)).flatMap((node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'invalid') return ['request.invalid']
    return ts.isStringLiteralLike(node) && !isComparedOrListed(node) ? [node.text] : []
  })
}

/** `refuses: ['…']` announces, `=== '…'` compares, `as '…'` is a type. None of them throws. */
function isComparedOrListed(literal: ts.Node): boolean {
  const { parent } = literal
  if (ts.isLiteralTypeNode(parent)) return true
  if (ts.isBinaryExpression(parent)) return /^[!=]==?$/.test(parent.operatorToken.getText())
  return (
    ts.isArrayLiteralExpression(parent) &&
    ts.isPropertyAssignment(parent.parent) &&
    parent.parent.name.getText() === 'refuses'
  )
}

function isNamedIn(text: string, name: string): boolean {
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((literal) => text.includes(literal))
}
