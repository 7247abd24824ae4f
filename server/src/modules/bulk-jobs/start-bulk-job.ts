import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { chosenInvoices, type InvoiceId } from '../invoices/index.ts'
import {
  actionCapabilities,
  type BulkJob,
  type BulkJobId,
  capabilityOf,
  mostItemsOf,
  type NewBulkJob,
} from './bulk-job.ts'
import { countStoredItems, findBulkJob, insertBulkJob, lockRunningCount, type NewItem } from './bulk-jobs.store.ts'
import { workOnBulkJobJob } from './work-on-bulk-job.ts'

/** More jobs than anybody watches at once; they would only wait for each other. */
const mostRunning = 5

const tooManyStored =
  'The bulk jobs of the last 30 days have too many documents for another one. Results are deleted 30 days after their job.'

const tooMany = (path: string, found: number, most: number): Refusal => {
  const [many, limit] = [found, most].map((count) => count.toLocaleString('en'))
  const message = `names ${many} documents, but one job of this action takes ${limit} at most; name fewer, for example with a shorter period`
  return invalid([{ path, rule: 'max', message }])
}

const countChanged = (found: number, expected: number): Refusal => {
  const [many, seen] = [found, expected].map((count) => count.toLocaleString('en'))
  return refuse('bulk_job.count_changed', {
    message: `${many} documents match now, not ${seen}. Look at the list again, then repeat the request with the new number.`,
  })
}

/** All documents that match, oldest first. Later changes do not affect the job. */
async function matching(
  context: Outside<TokenCaller>,
  filter: chosenInvoices.InvoiceFilter,
  expectedCount: number | undefined,
  most: number,
): Promise<NewItem[]> {
  const sort = { by: 'createdAt', descending: false } as const
  const request = { filter, sort, page: { page: 1, limit: most } }
  const { rows, total } = await chosenInvoices.listInvoices.body(context, request)
  if (expectedCount !== undefined && total !== expectedCount) throw countChanged(total, expectedCount)
  if (total > most) throw tooMany('filter', total, most)
  return rows.map(({ id, number }) => ({ invoiceId: id, invoiceNumber: number }))
}

/** Unknown ids stay in the job and fail as not found, like ids of other tenants. */
async function withIds(
  { db, caller }: Outside<TokenCaller>,
  ids: readonly InvoiceId[],
  most: number,
): Promise<NewItem[]> {
  if (ids.length > most) throw tooMany('invoiceIds', ids.length, most)
  const numbers = await chosenInvoices.findNumbers(db, caller.tenant, ids)
  return ids.map((id) => ({ invoiceId: id, invoiceNumber: numbers.get(id) ?? null }))
}

/** Takes an action for many documents and enqueues it. The documents are chosen now, the rights are checked again later. */
export const startBulkJob = preparedOperation(
  {
    needs: {
      all: [],
      oneOf: actionCapabilities,
      by: ({ action, filter }: NewBulkJob) => [capabilityOf[action], ...(filter ? (['invoice.read'] as const) : [])],
    },
    refuses: ['request.invalid', 'bulk_job.too_many', 'bulk_job.count_changed'],
  },
  (context: Outside<TokenCaller>, { action, ids = [], filter, expectedCount }: NewBulkJob) =>
    filter ? matching(context, filter, expectedCount, mostItemsOf(action)) : withIds(context, ids, mostItemsOf(action)),
  async ({ tx, caller, now, settings, enqueue }: Inside<TokenCaller>, { action }, items): Promise<BulkJob> => {
    const { tenant } = caller
    if ((await lockRunningCount(tx, tenant)) >= mostRunning) throw refuse('bulk_job.too_many')
    const quota = settings.bulkItemsQuota
    if ((await countStoredItems(tx, tenant, quota)) + items.length > quota)
      throw refuse('bulk_job.too_many', { message: tooManyStored })
    const id = newId<'bulk-job'>() as BulkJobId
    await insertBulkJob(tx, tenant, caller, { id, action, items }, now)
    enqueue(workOnBulkJobJob, { ...tenant, bulkJobId: id, slice: 1 })
    return (await findBulkJob(tx, tenant, id)) as BulkJob
  },
)
