import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type Import, type ImportId, rightsOf } from './import.ts'
import { countOpenImports, findImport, insertImport } from './imports.store.ts'
import type { FileToRead } from './read-file.ts'
import { workOnImportJob } from './work-on-import.ts'

export interface ImportFile extends FileToRead {
  readonly fileName: string
  readonly format: 'csv' | 'xlsx'
}

/** More than anybody looks after at once; they would only wait for each other. */
const mostOpen = 5

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
    refuses: ['request.invalid', 'import.too_many', 'dependency.unavailable'],
  },
  ({ ports, caller, gone }: Outside<TokenCaller>, { kind, content, columns }: ImportFile) =>
    ports.fileReader.read(caller.tenant.organisationId, { kind, content, columns }, gone),
  async ({ tx, caller, now, enqueue }: Inside<TokenCaller>, { kind, fileName }, read): Promise<Import> => {
    const { tenant } = caller
    if ((await countOpenImports(tx, tenant)) >= mostOpen) throw refuse('import.too_many')
    const id = newId<'import'>() as ImportId
    await insertImport(tx, tenant, caller, { id, kind, fileName, ...read }, now)
    enqueue(workOnImportJob, { ...tenant, importId: id })
    return (await findImport(tx, tenant, id)) as Import
  },
)
