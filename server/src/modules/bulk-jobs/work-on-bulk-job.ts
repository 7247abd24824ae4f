import type { SystemCaller, TokenCaller } from '../../kernel/callers.ts'
import { makerOf } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, operation, reading } from '../../platform/operations/operation.ts'
import { tryPart } from '../../platform/operations/try-part.ts'
import { renderedFiles } from '../documents/index.ts'
import { deleteDraft, finaliseInTransaction, type InvoiceId, sendingInvoices } from '../invoices/index.ts'
import { reminders } from '../reminders/index.ts'
import { submitInTransaction } from '../submissions/index.ts'
import { type BulkAction, type BulkJobId, type BulkSlice, capabilityOf } from './bulk-job.ts'
import {
  findOpenSlice,
  hasWaiting,
  lockBulkJob,
  lockWaitingItem,
  saveNextSlice,
  saveOutcome,
} from './bulk-jobs.store.ts'
import { endBulkJob } from './end-bulk-job.ts'

/** One slice of a bulk job. It enqueues the next slice itself, so that organisations take turns. */
export const workOnBulkJobJob = job<BulkSlice>('work-on-bulk-job', 'upkeep', { maxAttempts: 8 })

/** A second or two of work, so that other organisations do not wait long for their turn. */
const itemsOfSlice = 50

export interface SliceWork {
  readonly caller: TokenCaller
  readonly positions: readonly number[]
  /** false once the starter has lost the permission, or once the session or API key has ended */
  readonly isAllowed: boolean
}

/** The next documents and the person who asked, with the current rights. `undefined` if the slice is out of date. */
export const readSlice = reading(
  { needs: [], refuses: [] },
  async ({ db, ports, realNow }, { bulkJobId, slice, ...tenant }: BulkSlice): Promise<SliceWork | undefined> => {
    const found = await findOpenSlice(db, tenant, bulkJobId, itemsOfSlice)
    if (found?.status !== 'running' || found.slice !== slice) return undefined
    const { askedBy, positions, action } = found
    const capabilities = await ports.capabilitiesNow(db, tenant, makerOf(askedBy), realNow)
    const caller: TokenCaller =
      askedBy.kind === 'user'
        ? { ...askedBy, signedInAt: new Date(askedBy.signedInAt), capabilities }
        : { ...askedBy, capabilities }
    return { caller, positions, isAllowed: capabilities.has(capabilityOf[action]) }
  },
)

type ItemContext = Inside<TokenCaller>

/** Each action is the operation of a single document. */
const perform: Readonly<Record<BulkAction, (context: ItemContext, id: InvoiceId) => Promise<unknown>>> = {
  finalise: (context, id) => finaliseInTransaction(context, { id }),
  submit: (context, id) => submitInTransaction(context, { id }),
  send: async (context, id) => (await sendingInvoices.sendInvoice.prepare(outside(context), { id }))(context),
  remind: async (context, id) => (await reminders.remindBuyer.prepare(outside(context), { id }))(context),
  // The PDF is drawn while the ZIP file is read.
  download: (context, id) =>
    renderedFiles.documentState({ ...context, db: context.tx }, { ...context.caller.tenant, id }),
  delete: async (context, id) => (await deleteDraft.prepare(outside(context), { id }))(context),
}
const outside = (context: ItemContext) => ({ ...context, db: context.tx, throttle: async () => {} })

interface ItemRef {
  readonly bulkJobId: BulkJobId
  readonly position: number
}

/** Acts on one document. The effect and its result commit together, so nothing happens twice. */
export const workOnItem = operation(
  { needs: [], refuses: ['limit.mails', 'state.changed'] },
  async (context: ItemContext, { bulkJobId, position }: ItemRef): Promise<void> => {
    const { tx, caller } = context
    const item = await lockWaitingItem(tx, caller.tenant, bulkJobId, position)
    if (!item) return
    const ended = await tryPart(context, (inner) => perform[item.action](inner, item.invoiceId))
    const refused = ended instanceof Refusal ? ended : undefined
    // The hourly limit says nothing about this document: the job waits for the next hour.
    if (refused?.refusal === 'limit.mails') throw refused
    // Another request changed the document at the same moment. Thrown, it makes the runner repeat the whole item.
    if (refused?.refusal === 'state.changed') throw refused
    const { refusal, message, details = [] } = refused ?? {}
    await saveOutcome(tx, caller.tenant, bulkJobId, position, refusal && { refusal, message: message ?? '', details })
  },
)

/** Records why one document failed after all repetitions, so that the others can go on. */
export const saveItemFailure = operation(
  { needs: [], refuses: [] },
  async (
    { tx, caller }: ItemContext,
    { bulkJobId, position, failure: { refusal, message } }: ItemRef & { readonly failure: Refusal },
  ): Promise<void> => {
    await saveOutcome(tx, caller.tenant, bulkJobId, position, { refusal, message, details: [] })
  },
)

/** Enqueues the next slice, or ends the job. The next slice runs at `continuesAt`, or at once if that is null. */
export const continueBulkJob = operation(
  { needs: [], refuses: [] },
  async (
    context: Inside<SystemCaller>,
    { bulkJobId, slice, continuesAt, ...tenant }: BulkSlice & { readonly continuesAt: Date | null },
  ): Promise<void> => {
    const { tx, now, enqueue } = context
    const found = await lockBulkJob(tx, tenant, bulkJobId)
    if (found?.status !== 'running' || found.slice !== slice) return
    if (!(await hasWaiting(tx, tenant, bulkJobId))) {
      await endBulkJob(context, tenant, bulkJobId, 'done')
      return
    }
    const next = { slice: slice + 1, continuesAt }
    await saveNextSlice(tx, tenant, bulkJobId, next, now)
    const dueAt = continuesAt ? { dueAt: continuesAt } : {}
    enqueue(
      workOnBulkJobJob,
      { organisationId: tenant.organisationId, mode: tenant.mode, bulkJobId, slice: slice + 1 },
      dueAt,
    )
  },
)

/** Stops a job whose starter lost the permission, or that kept failing through our own errors. */
export const stopBulkJob = operation(
  { needs: [], refuses: [] },
  async (context: Inside<SystemCaller>, { bulkJobId, ...tenant }: BulkSlice): Promise<void> => {
    const found = await lockBulkJob(context.tx, tenant, bulkJobId)
    if (found?.status === 'running') await endBulkJob(context, tenant, bulkJobId, 'stopped')
  },
)
