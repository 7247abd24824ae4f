import type { TokenCaller } from '../../kernel/callers.ts'
import type { RefusalName } from '../../kernel/refusals.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type Import, type ImportId, type ImportStatus, type RecordStatus, rightsOf } from './import.ts'
import { findImport, listRecords, lockImport, saveAskedBy, saveImportStatus } from './imports.store.ts'
import { workOnImportJob } from './work-on-import.ts'

interface ImportRef {
  readonly id: ImportId
}

/** Longer than any batch takes: the worker is dead. */
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
  // A caller who may not create such records may not see their files either.
  if (!found || !capabilities.has(rightsOf[found.kind].make)) throw refuse('resource.not_found')
  if (!capabilities.has(rightsOf[found.kind][right])) throw refuse('auth.capability_missing')
  if (!from.includes(found.status) && !(found.status === to && isLeft(found, now))) throw refuse(otherwise)
  // An undone import stays undone: continuing would create the rest.
  if (to === 'running' && (await hasRecords(context, id, ['undone', 'kept']))) throw refuse(otherwise)
  // An import that stopped during its check continues the check.
  const isUnchecked = to === 'running' && (await hasRecords(context, id, ['unchecked']))
  await saveImportStatus(tx, tenant, id, isUnchecked ? 'checking' : to, now)
  await saveAskedBy(tx, tenant, id, caller)
  enqueue(workOnImportJob, { ...tenant, importId: id })
  return (await findImport(tx, tenant, id)) as Import
}

const anyMaker = [rightsOf.buyers.make, rightsOf.items.make, rightsOf.invoices.make] as const
const needs = { all: [], oneOf: anyMaker, by: () => [] }

/** Creates everything in a checked file, except faulty records. */
export const runImport = operation(
  { needs, refuses: ['resource.not_found', 'import.run.not_checked'] },
  (context: Inside<TokenCaller>, { id }: ImportRef) =>
    begin(context, id, {
      from: ['checked', 'stopped'],
      to: 'running',
      right: 'make',
      otherwise: 'import.run.not_checked',
    }),
)

/** Deletes what an import created, except what is in use now. */
export const undoImport = operation(
  { needs, refuses: ['resource.not_found', 'auth.capability_missing', 'import.undo.not_done'] },
  (context: Inside<TokenCaller>, { id }: ImportRef) =>
    begin(context, id, { from: ['done', 'stopped'], to: 'undoing', right: 'undo', otherwise: 'import.undo.not_done' }),
)
