import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { writeAllButRefused } from '../../../platform/database/write-all-but-refused.ts'
import type { Runner } from '../../../platform/operations/runner.ts'
import { type AnswerToRecord, type NextStep, type RecordResult, recordAnswers } from '../state/record-answers.ts'

/** The most answers in a batch of one tenant, and the most tenants that are written at a time. */
const largestBatch = 64
const writers = 6
/** How long answers wait for those of their tenant's other documents. */
const waitForOthersMs = 100
const origin = { requestId: 'submissions', address: '', userAgent: '' }
const keyOf = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

/**
 * Writes answers in batches of one tenant: once all its documents under way have an answer, but soon in any case. Those
 * that come during a write join the next batch. While few tenants are locked, they delay no answers of other tenants.
 */
export function createRecorder(
  runner: Runner,
  underWay: (tenant: Tenant) => number,
  written: (recorded: RecordResult) => void,
) {
  interface WaitingAnswer {
    readonly answered: AnswerToRecord
    readonly done: (next: NextStep | undefined) => void
    readonly failed: (error: unknown) => void
  }
  interface TenantQueue {
    readonly tenant: Tenant
    readonly waiting: WaitingAnswer[]
    /** runs while answers wait for others */
    timer?: NodeJS.Timeout | undefined
  }
  /** tenants with answers to write or with a running batch */
  const queues = new Map<string, TenantQueue>()
  /** tenants without a running batch, longest waiting first */
  const ready: TenantQueue[] = []
  let writing = 0

  async function record(tenant: Tenant, batch: readonly WaitingAnswer[]): Promise<void> {
    const input = { tenant, answers: batch.map(({ answered }) => answered) }
    const recorded = await runner.run(recordAnswers, { caller: systemCaller, origin, input })
    written(recorded)
    const next = new Map(recorded.nextSteps.map((one) => [one.id, one]))
    for (const { answered, done } of batch) {
      const goesOn = next.get(answered.id)
      // A worker that lost its lease must not continue, even if its answer was in the same batch.
      done(goesOn?.fence === (answered.fence ?? 0) + 1 ? goesOn : undefined)
    }
  }
  async function write({ tenant, waiting }: TenantQueue): Promise<void> {
    const batch = waiting.splice(0, largestBatch)
    try {
      // An answer that cannot be written must not fail the others.
      const { refused, error } = await writeAllButRefused(batch, (some) => record(tenant, some))
      for (const { failed } of refused) failed(error)
    } catch (error) {
      // After a passing failure of the database, smaller batches would only wait again.
      for (const { failed } of batch) failed(error)
    }
  }
  function begin(): void {
    for (; writing < writers && ready.length > 0; writing++) {
      const queue = ready.shift() as TenantQueue
      void write(queue).finally(() => {
        writing--
        if (queue.waiting.length > 0) waitForOthers(queue)
        else queues.delete(keyOf(queue.tenant))
        begin()
      })
    }
  }
  /** Live answers are written before sandbox answers, however many of these wait. */
  function makeReady(queue: TenantQueue): void {
    queue.timer = undefined
    const firstOfSandbox = queue.tenant.mode === 'live' ? ready.findIndex(({ tenant }) => tenant.mode !== 'live') : -1
    ready.splice(firstOfSandbox === -1 ? ready.length : firstOfSandbox, 0, queue)
    begin()
  }
  const isComplete = ({ tenant, waiting }: TenantQueue): boolean => waiting.length >= underWay(tenant)
  function waitForOthers(queue: TenantQueue): void {
    clearTimeout(queue.timer)
    queue.timer = setTimeout(makeReady, isComplete(queue) ? 0 : waitForOthersMs, queue)
  }
  return (tenant: Tenant, answered: AnswerToRecord): Promise<NextStep | undefined> =>
    new Promise((done, failed) => {
      const known = queues.get(keyOf(tenant))
      const queue = known ?? { tenant, waiting: [] }
      queue.waiting.push({ answered, done, failed })
      queues.set(keyOf(tenant), queue)
      if (!known || (queue.timer && isComplete(queue))) waitForOthers(queue)
    })
}
