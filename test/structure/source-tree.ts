import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file of the project: its path from the root with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const projectRoot = join(import.meta.dirname, '../..')

const notOurs = new Set(['node_modules', '.git', '.risiti', 'coverage', 'dist'])
const isText = (path: string) => /\.(ts|tsx|mjs|js|md|sql|tsv|css|html)$/.test(path)

function walk(folder: string): SourceFile[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (notOurs.has(entry.name)) return []
    if (entry.isDirectory()) return walk(path)
    return [{ path, text: isText(path) ? readFileSync(join(projectRoot, path), 'utf8') : '' }]
  })
}

let tree: readonly SourceFile[] | undefined

/** Every file of the project, read once. Only text files have their content. */
export function readTree(): readonly SourceFile[] {
  tree ??= walk('')
  // Without this check, an empty tree would pass all tests.
  if (!tree.some(({ path }) => path === 'server/src/bin/start.ts')) throw new Error(`${projectRoot} is not the project`)
  return tree
}

/** A committed file from disk, even if the tree leaves its text out. */
export const readCommitted = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

export const file = (path: string, text = ''): SourceFile => ({ path, text })

export const isTest = ({ path }: SourceFile): boolean => /\.test\.tsx?$/.test(path)
export const isCode = ({ path }: SourceFile): boolean => /\.(tsx?|mjs)$/.test(path)
export const isUnder =
  (folder: string) =>
  ({ path }: SourceFile): boolean =>
    path.startsWith(`${folder}/`)
