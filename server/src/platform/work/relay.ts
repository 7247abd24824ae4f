import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { takeWaitingEvents } from '../events/events.store.ts'
import type { Logger } from '../logger.ts'
import type { Job } from './jobs.ts'
import { addJobs, callCollapsed, type JobSpec, takeOutboxRows } from './outbox.store.ts'

const batchSize = 500
const pollMs = 1000
/** So long it rests after it has carried something: under load, many commits are then carried at once. */
const restMs = 25
/** So long a call for collapsed work waits for others to join it. */
const collapseMs = 1500

export interface Relay {
  /** called after a commit that wrote to the outbox */
  wake(): void
  start(): void
  stop(): Promise<void>
}

/**
 * Carries the outbox to the queue in batches, and events to the jobs that listen to them. Every node has one: a commit wakes the relay of its own process, and a
 * poll finds what a dead process left. Rows are locked while carried, so that each is carried once.
 */
export function createRelay(db: Database, jobs: readonly Job<object>[], log: Logger): Relay {
  const maxAttempts = new Map(jobs.map((job) => [job.name, job.maxAttempts]))
  const singly = jobs.filter(({ collapsed }) => !collapsed)
  const collapsed = jobs.filter(({ collapsed }) => collapsed)
  let running: Promise<void> | undefined
  let stopping = new AbortController()
  let wakened = Promise.withResolvers<void>()

  /** Until when a call that was made already stands for new events too; well before the work can have begun. */
  const coveredUntil = new Map<string, number>()

  async function carryBatch(): Promise<number> {
    const began = performance.now()
    let called: readonly Job<object>[] = []
    const carried = await db.transaction(async (tx) => {
      const rows = await takeOutboxRows(tx, batchSize)
      const events = await takeWaitingEvents(tx, batchSize)
      const specs: JobSpec[] = rows.map(({ job, payload, runAt, jobKey }) => ({
        identifier: job,
        payload,
        runAt,
        jobKey,
        maxAttempts: maxAttempts.get(job) ?? 25,
      }))
      for (const event of events)
        for (const { name, maxAttempts } of singly.filter(({ on }) => on.includes(event.type)))
          specs.push({ identifier: name, payload: event, runAt: null, jobKey: null, maxAttempts })
      if (specs.length > 0) await addJobs(tx, specs)
      const types = new Set(events.map(({ type }) => type))
      called = collapsed.filter(
        ({ name, on }) => on.some((type) => types.has(type)) && (coveredUntil.get(name) ?? 0) < performance.now(),
      )
      if (called.length > 0) await callCollapsed(tx, called, collapseMs)
      return Math.max(rows.length, events.length)
    })
    for (const { name } of called) coveredUntil.set(name, began + collapseMs / 2)
    return carried
  }

  async function loop(signal: AbortSignal) {
    while (!signal.aborted) {
      wakened = Promise.withResolvers()
      const carried = await carryBatch().catch((error: unknown) => {
        log.warn('relay.failed', { error })
        return 0
      })
      if (carried === batchSize) continue
      if (carried > 0) await wait(restMs, undefined, { signal }).catch(() => {})
      const idle = new AbortController()
      await Promise.race([
        wakened.promise,
        wait(pollMs, undefined, { signal: AbortSignal.any([signal, idle.signal]) }).catch(() => {}),
      ])
      idle.abort()
    }
  }

  return {
    wake: () => wakened.resolve(),
    start() {
      stopping = new AbortController()
      running ??= loop(stopping.signal)
    },
    async stop() {
      stopping.abort()
      wakened.resolve()
      await running
      running = undefined
    },
  }
}
