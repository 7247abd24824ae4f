import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { actionCapabilities, type BulkJob, type BulkJobId, capabilityOf } from './bulk-job.ts'
import { lockBulkJob } from './bulk-jobs.store.ts'
import { endBulkJob } from './end-bulk-job.ts'

/** Skips the documents whose turn has not come. What is done stays done. */
export const cancelBulkJob = operation(
  {
    needs: { all: [], oneOf: actionCapabilities, by: () => [] },
    refuses: ['resource.not_found', 'bulk_job.cancel.not_running'],
  },
  async (context: Inside<TokenCaller>, { id }: { id: BulkJobId }): Promise<BulkJob> => {
    const { tenant, capabilities } = context.caller
    const found = await lockBulkJob(context.tx, tenant, id)
    if (!found || !capabilities.has(capabilityOf[found.action])) throw refuse('resource.not_found')
    if (found.status !== 'running') throw refuse('bulk_job.cancel.not_running')
    return await endBulkJob(context, tenant, id, 'cancelled')
  },
)
