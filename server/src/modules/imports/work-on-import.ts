import type { SystemCaller, TokenCaller } from '../../kernel/callers.ts'
import { makerOf } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, operation, reading } from '../../platform/operations/operation.ts'
import { tryPart } from '../../platform/operations/try-part.ts'
import type { ImportKind } from './columns.ts'
import { type ImportId, type ImportStatus, type RecordStatus, rightsOf } from './import.ts'
import {
  findAskedBy,
  type KeptRecord,
  listRecords,
  lockImport,
  type RecordOutcome,
  saveImportStatus,
  saveOutcomes,
} from './imports.store.ts'
import { makeRecord } from './make-record.ts'
import { rowFaultsOf } from './records.ts'
import { takeBack } from './take-back.ts'

interface WorkOnImport {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly importId: ImportId
}

/** One batch of an import. It enqueues the next batch itself, so that organisations take turns. */
export const workOnImportJob = job<WorkOnImport>('work-on-import', 'upkeep', { maxAttempts: 5 })

/** Small enough that nobody waits long for the balance that the batch locks. */
const piece = 20

/** For each running state: the records to process, and the state when none is left. */
const steps = {
  checking: { takes: 'unchecked', ends: 'checked', right: 'make' },
  running: { takes: 'ready', ends: 'done', right: 'make' },
  undoing: { takes: 'made', ends: 'undone', right: 'undo' },
} as const satisfies Partial<Record<ImportStatus, { takes: RecordStatus; ends: ImportStatus; right: 'make' | 'undo' }>>

const stepOf = (status: ImportStatus) => (status in steps ? steps[status as keyof typeof steps] : undefined)

/** The caller for the next batch: the person who asked, with the current rights. */
export const findWhoAsked = reading(
  { needs: [], refuses: [] },
  async ({ db, ports, realNow }, { importId, ...tenant }: WorkOnImport): Promise<TokenCaller | undefined> => {
    const caller = await findAskedBy(db, tenant, importId)
    if (!caller) return undefined
    const capabilities = await ports.capabilitiesNow(db, tenant, makerOf(caller), realNow)
    return caller.kind === 'user'
      ? { ...caller, signedInAt: new Date(caller.signedInAt), capabilities }
      : { ...caller, capabilities }
  },
)

type RecordResult = RecordOutcome | Refusal

/** A refusal by row and column; a refusal without a field concerns the whole row. */
const outcomeOf = (
  record: KeptRecord,
  done: RecordResult,
  otherwise: RecordStatus,
  columns: Parameters<typeof rowFaultsOf>[2],
): RecordOutcome => {
  if (!(done instanceof Refusal)) return done
  const faults = done.details?.length
    ? rowFaultsOf(done.details, record, columns)
    : [{ row: record.row, column: null, message: done.message }]
  return { row: record.row, status: otherwise, objectId: record.objectId, faults }
}

type WorkContext = Inside<TokenCaller>

async function make(context: WorkContext, kind: ImportKind, record: KeptRecord): Promise<RecordResult> {
  return await tryPart(context, async (inner) => {
    const objectId = await makeRecord(inner, kind, record)
    return { row: record.row, status: 'made', objectId, faults: [] } satisfies RecordOutcome
  })
}

/** Finds faults by creating the records and rolling everything back. */
async function check(context: WorkContext, kind: ImportKind, records: readonly KeptRecord[]): Promise<RecordResult[]> {
  const tried: RecordResult[] = []
  await tryPart(context, async (inner) => {
    for (const record of records) tried.push(await make(inner, kind, record))
    return refuse('state.changed')
  })
  // Missing credits say nothing about the file.
  return tried.map((done, nth) =>
    done instanceof Refusal && !isShortOfCredits(done)
      ? done
      : { row: (records[nth] as KeptRecord).row, status: 'ready', objectId: null, faults: [] },
  )
}

const isShortOfCredits = (done: RecordResult): boolean =>
  done instanceof Refusal && done.refusal === 'credits.insufficient'

/** One record after the other, until credits run out; the rest can be continued later. */
async function each(
  records: readonly KeptRecord[],
  work: (record: KeptRecord) => Promise<RecordResult>,
): Promise<RecordResult[]> {
  const done: RecordResult[] = []
  for (const record of records) {
    const one = await work(record)
    if (isShortOfCredits(one)) break
    done.push(one)
  }
  return done
}

/** Runs the next batch of an import. Its records and their results commit together, so nothing is created twice. */
export const workOnImport = operation(
  { needs: [], refuses: [] },
  async (context: WorkContext, { importId }: Pick<WorkOnImport, 'importId'>): Promise<void> => {
    const { tx, caller, now, enqueue } = context
    const { tenant } = caller
    const found = await lockImport(tx, tenant, importId)
    const step = found && stepOf(found.status)
    if (!step) return
    const { kind, columns, status } = found
    if (!caller.capabilities.has(rightsOf[kind][step.right]))
      return await saveImportStatus(tx, tenant, importId, 'stopped', now)
    const records = await listRecords(tx, tenant, importId, step.takes, piece)
    if (records.length === 0) return await saveImportStatus(tx, tenant, importId, step.ends, now)
    const done =
      status === 'checking'
        ? await check(context, kind, records)
        : await each(records, (record) =>
            status === 'running' ? make(context, kind, record) : takeBack(context, kind, record),
          )
    const otherwise = status === 'undoing' ? 'kept' : 'faulty'
    await saveOutcomes(
      tx,
      tenant,
      importId,
      done.map((one, nth) => outcomeOf(records[nth] as KeptRecord, one, otherwise, columns)),
    )
    const isWhole = done.length === records.length
    await saveImportStatus(tx, tenant, importId, isWhole ? status : 'stopped', now)
    if (isWhole) enqueue(workOnImportJob, { ...tenant, importId })
  },
)

/** Stops an import that kept failing through our own errors; it can be continued. */
export const stopImport = operation(
  { needs: [], refuses: [] },
  async ({ tx, now }: Inside<SystemCaller>, { importId, ...tenant }: WorkOnImport): Promise<void> => {
    const found = await lockImport(tx, tenant, importId)
    if (found && stepOf(found.status)) await saveImportStatus(tx, tenant, importId, 'stopped', now)
  },
)
