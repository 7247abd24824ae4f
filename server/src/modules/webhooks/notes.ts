import { setTimeout as wait } from 'node:timers/promises'
import { isPassingFailure, isSerializationFailure, type Queryable } from '../../platform/database/database.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { failingOnes } from '../../platform/work/failing-items.ts'
import { type Ending, type Note, saveEndings } from './sending.store.ts'

/** Rows per statement. */
const mostAtOnce = 1_000
/** Waits this long for further results, because under load a commit for every few would cost more than the rest. */
const gatherMs = 80
const soonMs = 1
const pauseMs = 1_000

export interface Notes {
  /** Announces a batch and the number of its deliveries. */
  open(batchId: string, deliveries: number): void
  /** Batches with unfinished deliveries. */
  openBatches(): string[]
  add(ending: Ending, batchId: string | undefined): void
  /** Writes the rest, with a few retries. */
  finish(): Promise<void>
}

interface Told {
  /** True if more results are about to come. */
  isBusy(): boolean
  /** Called with the results that the database has stored. */
  noted(endings: readonly Ending[]): Promise<void>
}

const halvesOf = (group: readonly Note[]): Note[][] => {
  const middle = Math.ceil(group.length / 2)
  return [group.slice(0, middle), group.slice(middle)]
}

/** Number of results per batch. Results of one batch mostly follow each other and are counted before the lookup. */
function countByBatch(group: readonly Note[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (let from = 0; from < group.length; ) {
    const batchId = group[from]?.batchId
    let to = from + 1
    while (to < group.length && group[to]?.batchId === batchId) to++
    if (batchId !== undefined) counts.set(batchId, (counts.get(batchId) ?? 0) + to - from)
    from = to
  }
  return counts
}

/** All other texts are our own; only the reply is the receiver's. */
function withoutAnswer({ ending, batchId }: Note): Note | undefined {
  const { entry } = ending
  return entry && entry.response !== null
    ? { ending: { ...ending, entry: { ...entry, response: null } }, batchId }
    : undefined
}

/** Writes results in batches. Results that come during a write are written together next. */
export function startNotes(runtime: Runtime, db: Queryable, told: Told): Notes {
  const { log, clock } = runtime
  const failing = failingOnes(runtime, 'webhooks.cannot_be_noted')
  const batches = new Map<string, number>()
  const endings: Note[] = []
  let noting: Promise<void> | undefined
  let isFinishing = false

  /** Batches that are complete with these results. */
  const overWith = (group: readonly Note[]): string[] =>
    [...countByBatch(group)].filter(([batchId, count]) => batches.get(batchId) === count).map(([batchId]) => batchId)

  function countOff(group: readonly Note[]): void {
    for (const [batchId, count] of countByBatch(group)) {
      const left = (batches.get(batchId) ?? 0) - count
      if (left > 0) batches.set(batchId, left)
      else batches.delete(batchId)
    }
  }

  /** A result that the database refuses in any form is left to its lease, and the delivery is attempted again. */
  async function leave({ ending, batchId }: Note, error: unknown): Promise<void> {
    if (batchId !== undefined) batches.delete(batchId)
    const { organisationId, mode, id } = ending.piece
    await failing.note({ organisationId, mode, id }, error)
  }

  async function noteAll(): Promise<void> {
    await wait(told.isBusy() ? gatherMs : soonMs)
    const all = endings.splice(0)
    const groups = Array.from({ length: Math.ceil(all.length / mostAtOnce) }, (_, nth) =>
      all.slice(nth * mostAtOnce, (nth + 1) * mostAtOnce),
    )
    // Each batch is written or halved, until only the refused result is left.
    for (let tries = 0; groups.length > 0 && tries <= 3 * all.length; tries++) {
      const group = groups.shift() as Note[]
      try {
        const noted = await saveEndings(db, group, overWith(group), clock.now())
        countOff(group)
        await failing.done(noted.map(({ piece }) => piece))
        await told.noted(noted)
      } catch (error) {
        if (isPassingFailure(error) || isSerializationFailure(error)) {
          log.warn('webhooks.not_noted', { error })
          // Kept until the database is back, because sending again would be worse.
          endings.unshift(...group, ...groups.flat())
          if (!isFinishing) await wait(pauseMs)
          return
        }
        const [first] = group as [Note, ...Note[]]
        const lesser = group.length === 1 ? withoutAnswer(first) : undefined
        if (group.length > 1) groups.unshift(...halvesOf(group))
        else if (lesser) groups.unshift([lesser])
        else await leave(first, error)
      }
    }
  }

  function noteSoon(): void {
    noting ??= noteAll().finally(() => {
      noting = undefined
      if (endings.length > 0) noteSoon()
    })
  }

  return {
    open: (batchId, deliveries) => void batches.set(batchId, deliveries),
    openBatches: () => [...batches.keys()],
    add(ending, batchId) {
      endings.push({ ending, batchId })
      noteSoon()
    },
    async finish() {
      isFinishing = true
      for (let tries = 0; tries < 3 && (noting || endings.length > 0); tries++) {
        noteSoon()
        await noting
      }
    },
  }
}
