import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { BulkJob, BulkJobId, BulkJobStatus } from './bulk-job.ts'
import { findBulkJob, saveEnd } from './bulk-jobs.store.ts'

/** Ends a running job and tells how. The caller holds the lock of the job, so that this happens once. */
export async function endBulkJob(
  { tx, now, emit }: Inside<Caller>,
  { organisationId, mode }: Tenant,
  id: BulkJobId,
  status: Exclude<BulkJobStatus, 'running'>,
): Promise<BulkJob> {
  await saveEnd(tx, { organisationId, mode }, id, status, now)
  const ended = (await findBulkJob(tx, { organisationId, mode }, id)) as BulkJob
  const { waiting, ...counts } = ended.counts
  const total = waiting + counts.done + counts.failed + counts.skipped
  emit(
    'bulk_job.completed',
    { organisationId, mode, objectId: id },
    { bulkJobId: id, action: ended.action, status, total, ...counts },
  )
  return ended
}
