import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type Import, type ImportId, importsKeptMs, rightsOf } from './import.ts'
import { findImport, insertImport, lockImportLoad, recordsText } from './imports.store.ts'
import type { FileToRead } from './read-file.ts'
import { workOnImportJob } from './work-on-import.ts'

export interface ImportFile extends Omit<FileToRead, 'words'> {
  readonly fileName: string
  readonly format: 'csv' | 'xlsx'
}

/** More imports than anybody watches at once; they would only wait for each other. */
const mostOpen = 5

/**
 * Takes a file and enqueues the check of every row. Creates nothing: the report shows the result, and `runImport`
 * creates it.
 */
export const startImport = preparedOperation(
  {
    needs: {
      all: [],
      oneOf: [rightsOf.buyers.make, rightsOf.items.make, rightsOf.invoices.make],
      by: ({ kind }: ImportFile) => [rightsOf[kind].make],
    },
    refuses: ['request.invalid', 'import.too_many', 'import.quota_reached', 'dependency.unavailable'],
  },
  ({ ports, caller, gone }: Outside<TokenCaller>, { kind, content, columns }: ImportFile) => {
    const words = ports.jurisdictions.of(caller.country)?.words.imports
    return ports.fileReader.read(caller.tenant.organisationId, { kind, content, columns, words }, gone)
  },
  async (context: Inside<TokenCaller>, { kind, fileName }, { columns, records }): Promise<Import> => {
    const { tx, caller, now, enqueue } = context
    const { tenant } = caller
    const text = recordsText(records)
    const bytes = Buffer.byteLength(text)
    await requireRoom(context, bytes)
    const id = newId<'import'>() as ImportId
    await insertImport(tx, tenant, caller, { id, kind, fileName, columns, records: text, bytes }, now)
    enqueue(workOnImportJob, { ...tenant, importId: id })
    return (await findImport(tx, tenant, id)) as Import
  },
)

async function requireRoom({ tx, caller, settings }: Inside<TokenCaller>, bytes: number): Promise<void> {
  const held = await lockImportLoad(tx, caller.tenant)
  if (held.open >= mostOpen) throw refuse('import.too_many')
  if (held.bytes + bytes <= settings.importQuotaBytes) return
  const [quota, used, needed] = [settings.importQuotaBytes, held.bytes, bytes].map(mebibytes)
  const free = held.oldest
    ? ` The oldest is deleted on ${businessDay(new Date(held.oldest.getTime() + importsKeptMs), 'UTC')}.`
    : ''
  throw refuse('import.quota_reached', {
    message: `Your organisation may store ${quota} MiB of imports; it stores ${used} MiB, and this file needs ${needed} MiB. Send a smaller file, wait until older imports are deleted (30 days after they were sent), or ask the operator for more.${free}`,
  })
}

const mebibytes = (bytes: number): string => (bytes / (1024 * 1024)).toFixed(1)
