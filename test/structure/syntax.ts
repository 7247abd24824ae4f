import { posix } from 'node:path'
import ts from 'typescript-5'
import type { SourceFile } from './source-tree.ts'

const parsed = new WeakMap<SourceFile, ts.SourceFile>()

export function parse(source: SourceFile): ts.SourceFile {
  let known = parsed.get(source)
  if (!known) {
    known = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true)
    parsed.set(source, known)
  }
  return known
}

/** A node and everything inside it, in the order of the text. */
export function nodesIn(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = []
  const visit = (inner: ts.Node): void => {
    found.push(inner)
    ts.forEachChild(inner, visit)
  }
  visit(node)
  return found
}

/** `path:line`, so that an editor can jump there. */
export function placeOf(source: SourceFile, node: ts.Node): string {
  const { line } = parse(source).getLineAndCharacterOfPosition(node.getStart())
  return `${source.path}:${line + 1}`
}

/** What a file imports, types too: a path of the project, or the name of a package or built-in. */
export function importsOf(source: SourceFile): readonly string[] {
  const { importedFiles } = ts.preProcessFile(source.text, true, true)
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? posix.join(posix.dirname(source.path), fileName) : fileName,
  )
}
