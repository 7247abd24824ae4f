import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type ImportKind, type MatchedColumn, matchColumns } from './columns.ts'
import { type Import, type ImportId, rightsOf } from './import.ts'
import { countOpenImports, findImport, insertImport } from './imports.store.ts'
import { recordsOf } from './records.ts'
import { repeatedIn } from './repeated-records.ts'
import { readCsv } from './tables/csv.ts'
import { readXlsx } from './tables/xlsx.ts'
import { workOnImportJob } from './work-on-import.ts'

export interface ImportFile {
  readonly kind: ImportKind
  readonly fileName: string
  readonly format: 'csv' | 'xlsx'
  /** the text of a CSV file, or the bytes of a workbook */
  readonly content: string | Buffer
  /** nothing: columns are matched by their names */
  readonly columns: readonly MatchedColumn[] | undefined
}

/** More than anybody looks after at once; they would only wait for each other. */
const mostOpen = 5

async function readFile({ kind, content, columns }: ImportFile) {
  const table = typeof content === 'string' ? readCsv(content) : await readXlsx(content)
  const matched = columns ?? matchColumns(kind, table.header)
  return { columns: matched, records: repeatedIn(kind, recordsOf(kind, table, matched), matched) }
}

/**
 * Takes a file and has every row of it checked. Nothing is made of it yet: the report says what would be, and `runImport` does it.
 */
export const startImport = preparedOperation(
  {
    needs: {
      all: [],
      oneOf: [rightsOf.buyers.make, rightsOf.items.make, rightsOf.invoices.make],
      by: ({ kind }: ImportFile) => [rightsOf[kind].make],
    },
    refuses: ['request.invalid', 'import.too_many'],
  },
  (_: Outside<TokenCaller>, file: ImportFile) => readFile(file),
  async ({ tx, caller, now, enqueue }: Inside<TokenCaller>, { kind, fileName }, read): Promise<Import> => {
    const { tenant } = caller
    if ((await countOpenImports(tx, tenant)) >= mostOpen) throw refuse('import.too_many')
    const id = newId<'import'>() as ImportId
    await insertImport(tx, tenant, caller, { id, kind, fileName, ...read }, now)
    enqueue(workOnImportJob, { ...tenant, importId: id })
    return (await findImport(tx, tenant, id)) as Import
  },
)
