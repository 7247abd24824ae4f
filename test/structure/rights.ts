import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { sqlTextsIn } from './sql-text.ts'

const isStore = (source: SourceFile): boolean =>
  isUnder('server/src')(source) && isCode(source) && !isTest(source) && source.path.endsWith('.store.ts')

/** The service may delete from those tables that a store deletes from, and from no other. */
export function checkDeletions(
  tree: readonly SourceFile[],
  tables: readonly string[],
  neverDeleted: ReadonlySet<string>,
): string[] {
  const texts = tree.filter(isStore).flatMap((source) => sqlTextsIn(source).map(({ text }) => text))
  const deleted = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bdelete\s+from\s+(?:only\s+)?([a-z_]+)/gi)].map(([, table]) => table)),
  )
  return tables.flatMap((table) => {
    if (deleted.has(table) && neverDeleted.has(table))
      return [`rows of ${table} are deleted: take it off the list in service-rights.store.ts`]
    if (!deleted.has(table) && !neverDeleted.has(table))
      return [`nothing deletes rows of ${table}: put it on the list in service-rights.store.ts`]
    return []
  })
}
