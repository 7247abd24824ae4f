import { type SystemCaller, systemCaller } from '../../kernel/callers.ts'
import { isPassingFailure, tookTooLong } from '../database/database.ts'
import { compareCursors, type EventCursor } from '../events/log-reader.store.ts'
import { startTail, type Tail, type TailBounds } from '../events/tail.ts'
import { failureReason } from '../failure-reason.ts'
import { newAttemptCounts } from '../jobs/jobs.ts'
import { operation } from '../operations/operation.ts'
import type { Runner, Runtime } from '../operations/runner.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { withinDeadline } from '../within-deadline.ts'
import type { Consumer, ConsumerPool } from './consumer.ts'
import {
  findCursor,
  insertCursor,
  lockConsumer,
  lockCursor,
  moveCursor,
  noteFailure,
  type Scan,
  saveFollows,
  scanFromCursor,
} from './cursors.store.ts'
import { listSetAsideDue, saveSetAsideLater, setEventAside, takeSetAside } from './set-aside.store.ts'

/** What the consumers of one pool share. */
export interface ConsumerRuntime {
  readonly runtime: Runtime
  readonly runner: Runner
  /** a batch that takes longer has failed */
  readonly deadlineMs: number
  readonly pace?: ConsumerPace
}

/** How long a consumer waits. Tests wait less. */
export interface ConsumerPace {
  /** the longest wait for a wake-up */
  readonly idleMs: number
  /** the wait after the first failure of an event; it doubles with each further failure */
  readonly afterFailureMs: number
  /** how often an idle consumer looks for set-aside events */
  readonly asideEveryMs: number
}

const standardPace: ConsumerPace = { idleMs: 1_000, afterFailureMs: 1_000, asideEveryMs: 5_000 }
/** After this many failures an event is set aside, so that the later events continue. */
const patience = 3
/** How often busy consumers look for set-aside events, how many they retry at a time, and how long those wait. */
const asideWhileBusyEveryMs = 60_000
const asideAtOnce = 20
const asideWaitMs = (tries: number): number => Math.min(3600_000, 5_000 * 2 ** Math.min(tries, 16))
/** How often a worker records which types it follows. */
const followsEveryMs = 60_000
/** How often to save a cursor that only passed events which do not concern the consumer. */
const saveEveryMs = 1_000

const later = (one: EventCursor, other: EventCursor): EventCursor => (compareCursors(one, other) < 0 ? other : one)

/**
 * Runs all consumers of this process until it is stopped. They share one tail of the newest events; a consumer that is behind reads by
 * itself. Every worker process does this, and only one process at a time moves a given consumer.
 */
export function startConsumers(
  consumers: readonly Consumer[],
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  runtimeOf: (name: ConsumerPool) => ConsumerRuntime,
  bounds?: TailBounds,
): Rounds {
  const loops: Rounds[] = []
  const wakeAll = () => {
    for (const loop of loops) loop.wake()
  }
  const tail = startTail(db, log, wakeAll, bounds)
  for (const consumer of consumers) loops.push(startConsumer(consumer, tail, runtimeOf(consumer.pool)))
  return {
    wake: () => tail.wake(),
    async stop() {
      await tail.stop()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** A consumer's progress as this process knows it. */
interface Progress {
  /** the cursor in the database */
  readonly stored: EventCursor
  /** the last event that was examined; no event between the two cursors concerns this consumer */
  readonly scannedTo: EventCursor
}

/**
 * Follows the event log for one consumer. After a failure the batches get smaller until the event at fault is alone. That event is set
 * aside with its reason and retried later, and the consumer continues.
 */
function startConsumer(consumer: Consumer, tail: Tail, consumerRuntime: ConsumerRuntime): Rounds {
  const { runtime, runner, deadlineMs, pace = standardPace } = consumerRuntime
  const { idleMs, afterFailureMs, asideEveryMs } = pace
  const { db, log, consumerCounts } = runtime
  const { name, wants = () => true } = consumer
  const on = new Set<string>(consumer.on)
  const counts = consumerCounts.get(name) ?? newAttemptCounts()
  consumerCounts.set(name, counts)
  const origin = { requestId: name, address: '', userAgent: '' }
  let size = consumer.batchSize
  let hasCursor = false
  let isRetry = false
  /** undefined while the consumer reads from the database: it is behind, or another process may have moved the cursor */
  let progress: Progress | undefined
  let savedAtMs = 0
  let asideAtMs = performance.now() - asideEveryMs
  let followsSavedAtMs = Number.NEGATIVE_INFINITY

  const operationFor = ({ from, to, events, isEnd }: Scan) =>
    operation<SystemCaller, undefined, boolean>({ needs: [], refuses: [] }, async (context) => {
      if (!(await lockCursor(context.tx, consumer, from))) return false
      await consumer.take(context, events)
      return await moveCursor(context.tx, consumer, { from, to, isEnd })
    })

  /** Returns whether to continue at once. */
  async function fail(error: unknown, scan: Scan): Promise<boolean> {
    const { from, events } = scan
    // The database failed, not the consumer. But a batch that took too long is retried with fewer events.
    if (isPassingFailure(error) && !tookTooLong(error)) throw error
    const [event] = events
    log.error('consumer.failed', { reason: name, eventId: events.length === 1 ? event?.eventId : undefined, error })
    if (events.length > 1 || !event) {
      size = Math.max(1, Math.floor(Math.min(size, events.length) / 2))
      return events.length > 1
    }
    const reason = failureReason(error)
    const tries = await noteFailure(db, name, from, event.eventId, reason, afterFailureMs)
    if (tries === undefined || tries < patience) return false
    if (!(await setEventAside(db, name, scan, { event, reason, tries, waitMs: asideWaitMs(0) }))) return false
    const { eventId, organisationId } = event
    log.error('consumer.event_set_aside', { reason: name, eventId, organisationId })
    return true
  }

  /**
   * Retries one set-aside event; it leaves the list in the transaction of its effects. Not while another process takes a batch: both could
   * read the same row and write the same difference.
   */
  const retryOperation = (eventId: string) =>
    operation<SystemCaller, undefined, boolean>({ needs: [], refuses: [] }, async (context) => {
      if (!(await lockConsumer(context.tx, name))) return false
      const event = await takeSetAside(context.tx, name, eventId)
      if (event) await consumer.take(context, [event])
      return event !== undefined
    })

  async function retrySetAside(everyMs: number): Promise<void> {
    if (performance.now() - asideAtMs < everyMs) return
    asideAtMs = performance.now()
    for (const { eventId, tries } of await listSetAsideDue(db, name, asideAtOnce))
      try {
        if (!(await run(retryOperation(eventId)))) continue
        counts.done++
        consumer.committed?.()
        log.info('consumer.event_taken_at_last', { reason: name, eventId })
      } catch (error) {
        if (isPassingFailure(error) && !tookTooLong(error)) throw error
        counts.failed++
        log.warn('consumer.event_still_set_aside', { reason: name, eventId, attempt: tries, error })
        await saveSetAsideLater(db, name, eventId, { reason: failureReason(error), waitMs: asideWaitMs(tries) })
      }
  }

  /** Runs a transaction of this consumer, with the time limit of its pool. */
  async function run(body: ReturnType<typeof retryOperation>): Promise<boolean> {
    const over = new AbortController()
    const running = runner.run(body, { caller: systemCaller, origin, input: undefined, deadline: over.signal })
    return await withinDeadline(name, deadlineMs, running).catch((error: unknown) => {
      over.abort()
      throw error
    })
  }

  /** Returns whether the batch was taken; false if another process moves this consumer at the moment, or waits after a failure. */
  async function take(scan: Scan): Promise<boolean> {
    if (isRetry) counts.retried++
    isRetry = false
    if (!(await run(operationFor(scan)))) return false
    counts.done += scan.events.length
    consumer.committed?.()
    size = Math.min(consumer.batchSize, size * 2)
    return true
  }

  /** Reads from the saved cursor, out of the database. */
  async function catchUp(): Promise<boolean> {
    const { start } = tail
    const found = await scanFromCursor(db, consumer, size)
    if (!found) return false
    const scan = { ...found, events: found.events.filter(wants) }
    if (scan.events.length === 0) {
      if (compareCursors(scan.from, scan.to) !== 0) await moveCursor(db, consumer, scan)
    } else {
      try {
        if (!(await take(scan))) return false
      } catch (error) {
        counts.failed++
        isRetry = true
        return await fail(error, scan)
      }
    }
    if (!scan.isEnd) return true
    // A consumer that read to the end has passed everything before the tail.
    if (start) progress = { stored: scan.to, scannedTo: later(scan.to, start) }
    return progress !== undefined && !tail.after(progress.scannedTo, 0).isEnd
  }

  /** Saves the cursor at intervals. If another process has moved it, the next round reads it again. */
  async function save({ stored, scannedTo }: Progress, isEnd: boolean): Promise<void> {
    progress = { stored, scannedTo }
    if (compareCursors(stored, scannedTo) === 0 || performance.now() - savedAtMs < saveEveryMs) return
    savedAtMs = performance.now()
    const isMoved = await moveCursor(db, consumer, { from: stored, to: scannedTo, isEnd })
    progress = isMoved ? { stored: scannedTo, scannedTo } : undefined
  }

  /** Reads from the tail while no other process moves this consumer. */
  async function follow({ stored, scannedTo }: Progress): Promise<boolean> {
    const { events: next, isEnd } = tail.after(scannedTo, size)
    const to = next.at(-1)?.cursor ?? scannedTo
    const events = next.map(({ event }) => event).filter((event) => on.has(event.type) && wants(event))
    // Unknown until the batch has ended. After the failure of a single event the next round reads it from the database.
    progress = undefined
    if (events.length === 0) await save({ stored, scannedTo: to }, isEnd)
    else {
      const scan = { from: stored, to, events, isEnd }
      try {
        if (await take(scan)) {
          progress = { stored: to, scannedTo: to }
          savedAtMs = performance.now()
        } else {
          const cursor = await findCursor(db, consumer)
          if (!cursor || !tail.reachesBackTo(cursor)) return false
          progress = { stored: cursor, scannedTo: cursor }
          return compareCursors(cursor, stored) !== 0
        }
      } catch (error) {
        counts.failed++
        isRetry = true
        const goesOn = await fail(error, scan)
        if (events.length > 1) progress = { stored, scannedTo }
        return goesOn
      }
    }
    return !isEnd
  }

  /** Returns whether there is more to read. */
  async function round(): Promise<boolean> {
    if (!hasCursor) await insertCursor(db, consumer)
    hasCursor = true
    if (performance.now() - followsSavedAtMs >= followsEveryMs) {
      await saveFollows(db, consumer)
      followsSavedAtMs = performance.now()
    }
    // New events come first, but a consumer that is never idle must still retry set-aside events.
    await retrySetAside(asideWhileBusyEveryMs)
    await consumer.settle?.()
    const isMore = progress && tail.reachesBackTo(progress.scannedTo) ? await follow(progress) : await catchUp()
    if (!isMore) await retrySetAside(asideEveryMs)
    return isMore
  }

  return startRounds(round, { restMs: consumer.restMs, idleMs }, (error) => {
    progress = undefined
    log.warn('consumer.round_failed', { reason: name, error })
  })
}
