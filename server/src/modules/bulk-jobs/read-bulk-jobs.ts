import type { TokenCaller } from '../../kernel/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import {
  actionCapabilities,
  actions,
  type BulkAction,
  type BulkJob,
  type BulkJobId,
  type BulkOutcome,
  type BulkResult,
  capabilityOf,
} from './bulk-job.ts'
import { findVisibleBulkJob, listResults, listVisibleBulkJobs } from './bulk-jobs.store.ts'

const actionsFor = ({ capabilities }: TokenCaller): BulkAction[] =>
  actions.filter((action) => capabilities.has(capabilityOf[action]))

/** A caller sees the jobs whose action the caller may do; without `invoice.read`, only those that the caller started. */
const needs = { all: [], oneOf: actionCapabilities, by: () => [] }

interface BulkJobRef {
  readonly id: BulkJobId
}

async function getOwn({ db, caller }: Outside<TokenCaller>, { id }: BulkJobRef): Promise<BulkJob> {
  const found = await findVisibleBulkJob(db, caller.tenant, caller, id)
  if (!found || !actionsFor(caller).includes(found.action)) throw refuse('resource.not_found')
  return found
}

export const getBulkJob = reading({ needs, refuses: ['resource.not_found'] }, getOwn)

export const listOwnBulkJobs = reading(
  { needs, refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, page: PageRequest): Promise<Page<BulkJob>> =>
    listVisibleBulkJobs(db, caller.tenant, caller, actionsFor(caller), page),
)

export const listBulkResults = reading(
  { needs, refuses: ['resource.not_found', 'request.invalid'] },
  async (
    context: Outside<TokenCaller>,
    { id, outcome, page }: BulkJobRef & { outcome: BulkOutcome | undefined; page: PageRequest },
  ): Promise<Page<BulkResult>> => {
    await getOwn(context, { id })
    return await listResults(context.db, context.caller.tenant, id, outcome, page)
  },
)
