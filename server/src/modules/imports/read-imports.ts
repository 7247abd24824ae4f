import type { TokenCaller } from '../../kernel/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { type ImportField, type ImportKind, importFields, importKinds } from './columns.ts'
import { type Import, type ImportId, type RowFault, rightsOf } from './import.ts'
import { findImport, listFaults, listImports } from './imports.store.ts'

const kindsFor = ({ capabilities }: TokenCaller): ImportKind[] =>
  importKinds.filter((kind) => capabilities.has(rightsOf[kind].make))

const needs = { all: [], oneOf: importKinds.map((kind) => rightsOf[kind].make), by: () => [] }

export const listOwnImports = reading(
  { needs, refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, page: PageRequest): Promise<Page<Import>> =>
    listImports(db, caller.tenant, kindsFor(caller), page),
)

export interface ImportReport extends Import {
  readonly faults: readonly RowFault[]
}

/** The most faults that are returned; the counts cover all. */
const mostFaults = 1_000

export const getImport = reading(
  { needs, refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: ImportId }): Promise<ImportReport> => {
    const found = await findImport(db, caller.tenant, id)
    if (!found || !kindsFor(caller).includes(found.kind)) throw refuse('resource.not_found')
    return { ...found, faults: await listFaults(db, caller.tenant, id, mostFaults) }
  },
)

/** The possible columns of a file, for each kind that the caller may import. */
export const getImportSetup = reading(
  { needs, refuses: [] },
  async ({ caller, ports }: Outside<TokenCaller>): Promise<{ kind: ImportKind; fields: readonly ImportField[] }[]> =>
    kindsFor(caller).map((kind) => ({
      kind,
      fields: importFields(kind, ports.jurisdictions.of(caller.country)?.words.imports),
    })),
)
