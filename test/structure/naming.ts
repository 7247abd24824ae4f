import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

const codeRoots = ['server', 'test', 'bench', 'scripts', 'simulators', 'dashboard', 'sdk', 'cli']
const kebabFolder = /^[a-z0-9]+(-[a-z0-9]+)*$/
const kebabFile = /^[a-z0-9]+([-.][a-z0-9]+)*$/
const pageForPeople = /^([A-Z]+\.md|LICENSE)$/
/** Names that say nothing about what is inside, alone or at the end of a longer one. */
const emptyName = /(^|-)(utils?|helpers?|common|managers?|services?|misc)$/
const unfinished = /\b(TODO|FIXME)\b/
const mostLines = 400

/** The files of this very check hold the words that it looks for. */
const isThisCheck = ({ path }: SourceFile): boolean => path.startsWith('test/structure/naming.')
const isGenerated = ({ path }: SourceFile): boolean => path.endsWith('.gen.ts')

/** Everything that is named or shaped against the rules of the house, one sentence each. */
export function checkNaming(tree: readonly SourceFile[]): string[] {
  const code = tree.filter((source) => codeRoots.some((root) => isUnder(root)(source)))
  const server = code.filter((source) => isUnder('server/src')(source) && isCode(source))
  return [
    ...new Set(code.flatMap(({ path }) => misnamed(path))),
    ...incompleteModules(tree),
    ...server.flatMap(defaultExports),
    ...tree.filter((source) => !isThisCheck(source)).flatMap(unfinishedWork),
    ...server.filter((source) => !isTest(source) && !isGenerated(source)).flatMap(tooLong),
  ]
}

function misnamed(path: string): string[] {
  const folders = path.split('/')
  const name = folders.pop() as string
  const stem = name.split('.')[0] as string
  return [
    ...folders.filter((folder) => !kebabFolder.test(folder)).map((folder) => `the folder ${folder} is not kebab-case`),
    ...(kebabFile.test(name) || pageForPeople.test(name) ? [] : [`${path} is not kebab-case`]),
    ...[...folders, stem]
      .filter((word) => emptyName.test(word))
      .map((word) => `${path}: "${word}" does not say what is inside`),
  ]
}

function incompleteModules(tree: readonly SourceFile[]): string[] {
  const names = tree.flatMap(({ path }) => /^server\/src\/modules\/([^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(names)].flatMap((name) => {
    const find = (file: string) => tree.find(({ path }) => path === `server/src/modules/${name}/${file}`)
    const readme = find('README.md')
    return [
      ...(find('index.ts') ? [] : [`the module ${name} has no index.ts`]),
      ...(readme ? [] : [`the module ${name} has no README.md`]),
      ...['Owns', 'Invariants']
        .filter((word) => readme && !new RegExp(`\\b${word}\\b`).test(readme.text))
        .map((word) => `the README.md of the module ${name} lacks the word ${word}`),
    ]
  })
}

function defaultExports(source: SourceFile): string[] {
  if (!source.text.includes('default')) return []
  return nodesIn(parse(source))
    .filter(
      (node) =>
        (ts.isExportAssignment(node) && !node.isExportEquals) ||
        (ts.isExportSpecifier(node) && node.name.text === 'default') ||
        node.kind === ts.SyntaxKind.DefaultKeyword,
    )
    .map((node) => `${placeOf(source, node)} exports by default: give it a name`)
}

function unfinishedWork({ path, text }: SourceFile): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => (unfinished.test(line) ? [`${path}:${at + 1} is left unfinished: ${line.trim()}`] : []))
}

function tooLong({ path, text }: SourceFile): string[] {
  const lines = text.trimEnd().split('\n').length
  return lines > mostLines ? [`${path} has ${lines} lines, more than ${mostLines}: split it by meaning`] : []
}
