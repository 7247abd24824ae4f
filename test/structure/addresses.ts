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

/** What has to work without Form B. */
const independent = ['dashboard', 'simulators', 'sdk/src', 'server/src']
/** Form B itself, the list of the forms, and the client of Form B. */
const ofFormB = /^(server\/src\/http\/(form-b\/|forms\.ts$)|sdk\/src\/form-b[\w.-]*\.ts$)/

/** `/form-b/…`, `@risiti/sdk/form-b` or its folder: where one stands, deleting Form B breaks something. */
export function checkNamesOfFormB(tree: readonly SourceFile[]): string[] {
  return tree
    .filter((source) => independent.some((folder) => isUnder(folder)(source)) && !ofFormB.test(source.path))
    .filter((source) => isCode(source) && !isTest(source) && source.text.includes('form-b'))
    .flatMap((source) =>
      nodesIn(parse(source)).flatMap((node) => {
        const text = ts.isStringLiteral(node) || ts.isJsxText(node) ? node.text : textOf(node)
        return text !== undefined && /\bform-b\b/.test(text)
          ? [`${placeOf(source, node)} names Form B (${text.trim()}): use Form A instead`]
          : []
      }),
    )
}

/** String literals and template parts, without comments. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent)) return node.text
  return ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) ? node.text : undefined
}
