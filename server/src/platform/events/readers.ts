import { type SystemCaller, systemCaller } from '../../kernel/callers.ts'
import { isPassingFailure } from '../database/database.ts'
import { operation } from '../operations/operation.ts'
import type { Machine, Runner } from '../operations/runner.ts'
import { failureReason } from '../work/failure-reason.ts'
import { type Rounds, startRounds } from '../work/rounds.ts'
import type { Consumer } from './consumer.ts'
import { holdPlace, insertPlace, movePlace, noteFailure, type Scan, scanEvents } from './places.store.ts'

const idleMs = 1_000
const firstWaitMs = 1_000
const longestWaitMs = 60_000

/**
 * Follows the events for one consumer until it is stopped. Every process that works has one, and only one of them moves at a time. A consumer
 * that fails is handed ever fewer events until it is clear which one it fails on; there it stays, and nobody else with it.
 */
export function startReader(consumer: Consumer, { db, log, consumerCounts }: Machine, runner: Runner): Rounds {
  const { name } = consumer
  const counts = consumerCounts.get(name) ?? { done: 0, failed: 0, retried: 0 }
  consumerCounts.set(name, counts)
  const origin = { requestId: name, address: '', userAgent: '' }
  let size = consumer.batchSize
  let failuresInARow = 0
  let hasPlace = false
  let isRetry = false

  const taking = ({ from, to, events, isEnd }: Scan) =>
    operation<SystemCaller, undefined, boolean>({ needs: [], refuses: [] }, async (context) => {
      if (!(await holdPlace(context.tx, name, from))) return false
      await consumer.take(context, events)
      return await movePlace(context.tx, name, { from, to, events, isEnd })
    })

  async function fail(error: unknown, { from, events }: Scan): Promise<void> {
    // The database gave up, not the consumer.
    if (isPassingFailure(error)) throw error
    const [event] = events
    log.error('consumer.failed', { reason: name, eventId: events.length === 1 ? event?.eventId : undefined, error })
    if (events.length > 1 || !event) {
      size = Math.max(1, Math.floor(Math.min(size, events.length) / 2))
      return
    }
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failuresInARow)
    failuresInARow++
    await noteFailure(db, name, from, event.eventId, failureReason(error), waitMs)
  }

  /** Says whether there is more to read. */
  async function round(): Promise<boolean> {
    if (!hasPlace) await insertPlace(db, consumer)
    hasPlace = true
    await consumer.settle?.()
    const scan = await scanEvents(db, consumer, size)
    if (!scan) return false
    if (scan.events.length === 0) await movePlace(db, name, scan)
    else {
      const call = { caller: systemCaller, origin, input: undefined }
      try {
        // Another process moves it at the moment.
        if (isRetry) counts.retried++
        isRetry = false
        if (!(await runner.run(taking(scan), call))) return false
        counts.done += scan.events.length
        consumer.committed?.()
      } catch (error) {
        counts.failed++
        isRetry = true
        await fail(error, scan)
        return scan.events.length > 1
      }
    }
    failuresInARow = 0
    size = Math.min(consumer.batchSize, size * 2)
    return !scan.isEnd
  }

  return startRounds(round, { restMs: consumer.restMs, idleMs }, (error) =>
    log.warn('consumer.round_failed', { reason: name, error }),
  )
}
