import type { CallOptions } from './calls.ts'
import { pause } from './deadline.ts'
import { TimedOut } from './errors.ts'
import type { Signal } from './fetch.ts'
import type { Transport } from './transport.ts'

export interface BulkOptions<Job> {
  /** how long to wait in all, in milliseconds; 600,000 by default. The job continues after that. */
  readonly timeoutMs?: number | undefined
  readonly signal?: Signal | undefined
  /** called with the job each time its counts or status have changed */
  readonly onProgress?: ((job: Job) => void) | undefined
  /** of the request that starts the job */
  readonly idempotencyKey?: string | undefined
}

/** The documents of a bulk job: their ids, or the filters of the list. */
export type BulkTarget<Filter> = readonly string[] | { readonly filter: Filter }

/** An ended bulk job with the result of each document. */
export interface BulkReport<Job, Result> {
  readonly job: Job
  readonly results: readonly Result[]
}

type BatchMethod<Job, Result, Filter> = (
  target: BulkTarget<Filter>,
  options?: BulkOptions<Job>,
) => Promise<BulkReport<Job, Result>>

/**
 * Each method starts a bulk job, waits until it has ended, and returns the result of each document. A refused document is a result and
 * does not throw. Throws `TimedOut` if the job takes longer than `timeoutMs`.
 */
export interface BulkHelpers<Job, Result, Filter> {
  /** Finalises drafts. */
  readonly finaliseBatch: BatchMethod<Job, Result, Filter>
  /** Submits issued documents to the tax authority. `waitForOutcome` waits for the decision about one of them. */
  readonly submitBatch: BatchMethod<Job, Result, Filter>
  /** Emails issued documents to their buyers. */
  readonly sendBatch: BatchMethod<Job, Result, Filter>
  /** Reminds the buyers of unpaid invoices by email. */
  readonly remindBatch: BatchMethod<Job, Result, Filter>
  /** Deletes drafts. */
  readonly deleteBatch: BatchMethod<Job, Result, Filter>
}

export interface ArchiveHelper<Job, Filter> {
  /** The PDFs of up to 200 documents as one ZIP file. Documents that do not exist are left out. */
  readonly downloadPdfs: (target: BulkTarget<Filter>, options?: BulkOptions<Job>) => Promise<Uint8Array>
}

interface AnyJob {
  readonly id: string
  readonly status: string
  readonly counts: object
}

export interface BulkCalls<Job, Result> {
  start(body: object, options?: CallOptions): PromiseLike<Job>
  get(id: string, options?: CallOptions): PromiseLike<Job>
  listResults(id: string, query?: { limit: number }, options?: CallOptions): AsyncIterable<Result>
  /** form A only */
  download(id: string, options?: CallOptions): PromiseLike<{ readonly url: string }>
}

const firstPauseMs = 150
const longestPauseMs = 2_000

async function ended<Job extends AnyJob>(
  calls: BulkCalls<Job, unknown>,
  started: Job,
  { timeoutMs = 600_000, signal, onProgress }: BulkOptions<Job>,
): Promise<Job> {
  const endsAt = performance.now() + timeoutMs
  let job = started
  let last = ''
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.3)) {
    const seen = `${job.status} ${JSON.stringify(job.counts)}`
    if (seen !== last) onProgress?.(job)
    last = seen
    if (job.status !== 'running') return job
    if (performance.now() + pauseMs > endsAt)
      throw new TimedOut(`the bulk job ${job.id} is still running after ${timeoutMs} ms`)
    await pause(pauseMs, signal)
    job = await calls.get(job.id, { signal })
  }
}

export function bulkHelpers<Job extends AnyJob, Result, Filter>(
  calls: BulkCalls<Job, Result>,
  transport: Pick<Transport, 'bytesAt'>,
): BulkHelpers<Job, Result, Filter> & ArchiveHelper<Job, Filter> {
  async function run(action: string, target: BulkTarget<Filter>, options: BulkOptions<Job>): Promise<Job> {
    const { signal, idempotencyKey } = options
    const named = Array.isArray(target) ? { invoiceIds: target } : target
    return await ended(calls, await calls.start({ action, ...named }, { signal, idempotencyKey }), options)
  }
  const batch =
    (action: string): BatchMethod<Job, Result, Filter> =>
    async (target, options = {}) => {
      const { signal } = options
      const job = await run(action, target, options)
      const results: Result[] = []
      for await (const result of calls.listResults(job.id, { limit: 100 }, { signal })) results.push(result)
      return { job, results }
    }
  return {
    finaliseBatch: batch('finalise'),
    submitBatch: batch('submit'),
    sendBatch: batch('send'),
    remindBatch: batch('remind'),
    deleteBatch: batch('delete'),
    async downloadPdfs(target, options = {}) {
      const { signal, timeoutMs } = options
      const { id } = await run('download', target, options)
      const { url } = await calls.download(id, { signal })
      return await transport.bytesAt(url, { signal, timeoutMs })
    },
  }
}
