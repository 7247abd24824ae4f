import { setTimeout as wait } from 'node:timers/promises'
import { isPassingFailure, isSerializationFailure, type Queryable } from '../../../platform/database/database.ts'
import { halvesOf } from '../../../platform/halves.ts'
import { failingOnes } from '../../../platform/jobs/failing-items.ts'
import type { Runtime } from '../../../platform/operations/runner.ts'
import { type AttemptResult, type ResultToSave, saveResults } from './dispatch.store.ts'

/** Rows per statement. */
const mostAtOnce = 1_000
/** Waits this long for further results, because under load a commit for every few would cost more than the rest. */
const batchMs = 80
const soonMs = 1
const pauseMs = 1_000

export interface ResultWriter {
  /** Announces a batch and the number of its deliveries. */
  open(batchId: string, deliveries: number): void
  /** Batches with unfinished deliveries. */
  openBatches(): string[]
  add(result: AttemptResult, batchId: string | undefined): void
  /** Writes the rest, with a few retries. */
  finish(): Promise<void>
}

interface WriterHooks {
  /** True if more results are about to come. */
  isBusy(): boolean
  /** Called with the results that the database has stored. */
  written(results: readonly AttemptResult[]): Promise<void>
}

/** Number of results per batch. Results of one batch mostly follow each other and are counted before the lookup. */
function countByBatch(batch: readonly ResultToSave[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (let from = 0; from < batch.length; ) {
    const batchId = batch[from]?.batchId
    let to = from + 1
    while (to < batch.length && batch[to]?.batchId === batchId) to++
    if (batchId !== undefined) counts.set(batchId, (counts.get(batchId) ?? 0) + to - from)
    from = to
  }
  return counts
}

/** All other texts are our own; only the reply is the receiver's. */
function withoutAnswer({ result, batchId }: ResultToSave): ResultToSave | undefined {
  const { entry } = result
  return entry && entry.response !== null
    ? { result: { ...result, entry: { ...entry, response: null } }, batchId }
    : undefined
}

/** Writes results in batches. Results that come during a write are written together next. */
export function startResultWriter(runtime: Runtime, db: Queryable, hooks: WriterHooks): ResultWriter {
  const { log, clock } = runtime
  const failing = failingOnes(runtime, 'webhooks.result_save_failed')
  const batches = new Map<string, number>()
  const results: ResultToSave[] = []
  let writing: Promise<void> | undefined
  let isFinishing = false

  /** Batches that are complete with these results. */
  const overWith = (batch: readonly ResultToSave[]): string[] =>
    [...countByBatch(batch)].filter(([batchId, count]) => batches.get(batchId) === count).map(([batchId]) => batchId)

  function countOff(batch: readonly ResultToSave[]): void {
    for (const [batchId, count] of countByBatch(batch)) {
      const left = (batches.get(batchId) ?? 0) - count
      if (left > 0) batches.set(batchId, left)
      else batches.delete(batchId)
    }
  }

  /** A result that the database refuses in any form is left to its lease, and the delivery is attempted again. */
  async function leave({ result, batchId }: ResultToSave, error: unknown): Promise<void> {
    if (batchId !== undefined) batches.delete(batchId)
    const { organisationId, mode, id } = result.delivery
    await failing.note({ organisationId, mode, id }, error)
  }

  async function writeAll(): Promise<void> {
    await wait(hooks.isBusy() ? batchMs : soonMs)
    const all = results.splice(0)
    const groups: (readonly ResultToSave[])[] = Array.from({ length: Math.ceil(all.length / mostAtOnce) }, (_, nth) =>
      all.slice(nth * mostAtOnce, (nth + 1) * mostAtOnce),
    )
    // Each batch is written or halved, until only the refused result is left.
    for (let tries = 0; groups.length > 0 && tries <= 3 * all.length; tries++) {
      const batch = groups.shift() as readonly ResultToSave[]
      try {
        const noted = await saveResults(db, batch, overWith(batch), clock.now())
        countOff(batch)
        await failing.done(noted.map(({ delivery }) => delivery))
        await hooks.written(noted)
      } catch (error) {
        if (isPassingFailure(error) || isSerializationFailure(error)) {
          log.warn('webhooks.save_failed', { error })
          // Kept until the database is back, because sending again would be worse.
          results.unshift(...batch, ...groups.flat())
          if (!isFinishing) await wait(pauseMs)
          return
        }
        const [first] = batch as readonly [ResultToSave]
        const lesser = batch.length === 1 ? withoutAnswer(first) : undefined
        if (batch.length > 1) groups.unshift(...halvesOf(batch))
        else if (lesser) groups.unshift([lesser])
        else await leave(first, error)
      }
    }
  }

  function writeSoon(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined
      if (results.length > 0) writeSoon()
    })
  }

  return {
    open: (batchId, deliveries) => void batches.set(batchId, deliveries),
    openBatches: () => [...batches.keys()],
    add(result, batchId) {
      results.push({ result, batchId })
      writeSoon()
    },
    async finish() {
      isFinishing = true
      for (let tries = 0; tries < 3 && (writing || results.length > 0); tries++) {
        writeSoon()
        await writing
      }
    },
  }
}
