import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

const core = ['modules', 'kernel', 'jurisdictions', 'platform', 'jobs'].map((room) => `server/src/${room}`)

/** `/i/v1/…`, or where a form lives. */
const address = /(^|[^\w/])\/([a-z]\/v1|form-b|docs|sandbox\/v1)\b/

/** The core must not contain API paths, because the paths differ between the forms. */
export function checkAddresses(tree: readonly SourceFile[]): string[] {
  return tree
    .filter((source) => core.some((room) => isUnder(room)(source)) && isCode(source) && !isTest(source))
    .flatMap((source) =>
      nodesIn(parse(source)).flatMap((node) => {
        const text = textOf(node)
        return text !== undefined && address.test(text)
          ? [
              `${placeOf(source, node)} names an address of a form (${text.trim()}): name what is there, and the form adds it`,
            ]
          : []
      }),
    )
}

/** String literals and template parts, without comments. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent)) return node.text
  return ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) ? node.text : undefined
}
