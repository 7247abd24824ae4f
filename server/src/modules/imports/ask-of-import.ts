import type { TokenCaller } from '../../kernel/callers.ts'
import type { RefusalName } from '../../kernel/refusals.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type Import, type ImportId, type ImportStatus, type RecordStatus, rightsOf } from './import.ts'
import { findImport, listRecords, lockImport, saveAskedBy, saveImportStatus } from './imports.store.ts'
import { workOnImportJob } from './work-on-import.ts'

interface Asked {
  readonly id: ImportId
}

/** Longer than any piece takes: whoever worked on it is no more. */
const leftAfterMs = 15 * 60_000
const isLeft = ({ updatedAt }: Pick<Import, 'updatedAt'>, now: Date): boolean =>
  now.getTime() - updatedAt.getTime() > leftAfterMs

async function hasRecords({ tx, caller }: Inside<TokenCaller>, id: ImportId, statuses: readonly RecordStatus[]) {
  for (const status of statuses) if ((await listRecords(tx, caller.tenant, id, status, 1)).length > 0) return true
  return false
}

async function begin(
  context: Inside<TokenCaller>,
  id: ImportId,
  {
    from,
    to,
    right,
    otherwise,
  }: { from: readonly ImportStatus[]; to: ImportStatus; right: 'make' | 'undo'; otherwise: RefusalName },
): Promise<Import> {
  const { tx, caller, now, enqueue } = context
  const { tenant, capabilities } = caller
  const found = await lockImport(tx, tenant, id)
  // Whoever may not make such things does not hear of files with them either.
  if (!found || !capabilities.has(rightsOf[found.kind].make)) throw refuse('resource.not_found')
  if (!capabilities.has(rightsOf[found.kind][right])) throw refuse('auth.capability_missing')
  if (!from.includes(found.status) && !(found.status === to && isLeft(found, now))) throw refuse(otherwise)
  // What was taken back stays so: to go on would make the rest of it.
  if (to === 'running' && (await hasRecords(context, id, ['undone', 'kept']))) throw refuse(otherwise)
  // One that stopped before all of it was checked goes on with that.
  const isUnchecked = to === 'running' && (await hasRecords(context, id, ['unchecked']))
  await saveImportStatus(tx, tenant, id, isUnchecked ? 'checking' : to, now)
  await saveAskedBy(tx, tenant, id, caller)
  enqueue(workOnImportJob, { ...tenant, importId: id })
  return (await findImport(tx, tenant, id)) as Import
}

const anyMaker = [rightsOf.buyers.make, rightsOf.items.make, rightsOf.invoices.make] as const
const needs = { all: [], oneOf: anyMaker, by: () => [] }

/** Makes everything that a checked file says, but for what is faulty. */
export const runImport = operation(
  { needs, refuses: ['resource.not_found', 'import.run.not_checked'] },
  (context: Inside<TokenCaller>, { id }: Asked) =>
    begin(context, id, {
      from: ['checked', 'stopped'],
      to: 'running',
      right: 'make',
      otherwise: 'import.run.not_checked',
    }),
)

/** Takes back what an import made, but for what is in use by now. */
export const undoImport = operation(
  { needs, refuses: ['resource.not_found', 'auth.capability_missing', 'import.undo.not_done'] },
  (context: Inside<TokenCaller>, { id }: Asked) =>
    begin(context, id, { from: ['done', 'stopped'], to: 'undoing', right: 'undo', otherwise: 'import.undo.not_done' }),
)
