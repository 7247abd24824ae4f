import { type SystemCaller, systemCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { isPassingFailure, tookTooLong } from '../database/database.ts'
import { type LogPosition, listNext, type ReadEvent } from '../events/log-reader.store.ts'
import { startTail, type Tail, type TailBounds } from '../events/tail.ts'
import { failureReason } from '../failure-reason.ts'
import { newAttemptCounts } from '../jobs/jobs.ts'
import { operation } from '../operations/operation.ts'
import type { Runner, Runtime } from '../operations/runner.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { withinDeadline } from '../within-deadline.ts'
import type { Consumer, ConsumerPool } from './consumer.ts'
import { type CursorLookup, cursorLookup } from './cursor-lookup.ts'
import {
  insertConsumer,
  lockCursor,
  lockCursors,
  moveCursors,
  noteFailure,
  passEvents,
  saveFollows,
} from './cursors.store.ts'
import { startHeadWalk } from './head-walk.ts'
import { eventsIn, halvesOfParts, type LogPart } from './log-parts.ts'
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
/** How often to save the cursors that only passed events which do not concern the consumer, and how many at a time. */
const saveEveryMs = 2_000
const mostSaved = 1_000
/** When to look again at a log that another process works on. */
const lookAgainMs = 100
/** Logs whose cursors are kept in memory. */
const mostKnown = 20_000

/**
 * Runs all consumers of this process until it is stopped. They share one tail of the newest events; a consumer that is behind reads by
 * itself. Every worker process does this. Only one process at a time moves the cursor of a consumer in the log of an organisation.
 */
export function startConsumers(
  consumers: readonly Consumer[],
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  runtimeOf: (name: ConsumerPool) => ConsumerRuntime,
  bounds?: TailBounds,
): Rounds {
  const loops: ConsumerLoop[] = []
  const notice = (organisationIds: ReadonlySet<OrganisationId>) => {
    for (const loop of loops) loop.notice(organisationIds)
  }
  const names = consumers.map(({ name }) => name)
  const walk = startHeadWalk(db, log, names, {
    notice,
    backlog: () => Math.max(0, ...loops.map((loop) => loop.backlog())),
  })
  const grew = (events: readonly ReadEvent[]) => notice(new Set(events.map(({ organisationId }) => organisationId)))
  const tail = startTail(db, log, { begun: () => walk.begin(), grew, lost: () => walk.beginSoon() }, bounds)
  const cursors = cursorLookup(db)
  for (const consumer of consumers) loops.push(startConsumer(consumer, tail, cursors, runtimeOf(consumer.pool)))
  return {
    wake: () => tail.wake(),
    async stop() {
      await Promise.all([tail.stop(), walk.stop()])
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

interface ConsumerLoop extends Rounds {
  /** these logs may have news */
  notice(organisationIds: ReadonlySet<OrganisationId>): void
  /** how many logs wait for the consumer */
  backlog(): number
}

/** A consumer's progress in one log, as this process knows it. */
interface Progress {
  /** the cursor in the database */
  readonly stored: number
  /** the last event that was examined; no event between the two positions concerns this consumer */
  readonly scanned: number
}

/** What a transaction has taken, and the cursors that it could lock. */
interface TakenParts {
  readonly taken: readonly LogPart[]
  readonly cursors: ReadonlyMap<OrganisationId, number>
}

function firstOf<Item>(items: ReadonlySet<Item>, limit: number): Item[] {
  const first: Item[] = []
  for (const item of items) {
    if (first.length >= limit) break
    first.push(item)
  }
  return first
}

/**
 * Follows the logs of all organisations for one consumer, in turns. A batch has events of several organisations. After a failure the
 * batch is halved until the event at fault is alone. Its organisation waits, the others go on. After three failures that event is set aside
 * with its reason and retried later.
 */
function startConsumer(
  consumer: Consumer,
  tail: Tail,
  cursors: CursorLookup,
  consumerRuntime: ConsumerRuntime,
): ConsumerLoop {
  const { runtime, runner, deadlineMs, pace = standardPace } = consumerRuntime
  const { idleMs, afterFailureMs, asideEveryMs } = pace
  const { db, log, consumerCounts } = runtime
  const { name, wants = () => true } = consumer
  const on = new Set<string>(consumer.on)
  const counts = consumerCounts.get(name) ?? newAttemptCounts()
  consumerCounts.set(name, counts)
  const origin = { requestId: name, address: '', userAgent: '' }
  let size = consumer.batchSize
  let isKnown = false
  let isRetry = false
  /** logs that may have news, in the order of their turns */
  const ready = new Set<OrganisationId>()
  /** logs to look at again, and when */
  const delayed = new Map<OrganisationId, number>()
  const progress = new Map<OrganisationId, Progress>()
  /** logs whose cursor is not saved yet */
  const unsaved = new Set<OrganisationId>()
  let savedAtMs = 0
  let asideAtMs = performance.now() - asideEveryMs
  let followsSavedAtMs = Number.NEGATIVE_INFINITY

  function delay(organisationId: OrganisationId, ms: number): void {
    progress.delete(organisationId)
    ready.delete(organisationId)
    delayed.set(organisationId, performance.now() + ms)
    if (ms < idleMs) setTimeout(() => rounds.wake(), ms).unref()
  }

  function resumeDelayed(): void {
    const now = performance.now()
    for (const [organisationId, dueAtMs] of delayed) {
      if (dueAtMs > now) continue
      delayed.delete(organisationId)
      ready.add(organisationId)
    }
  }

  /** Forgets the logs that this process met first, if there are too many. */
  function forgetSome(): void {
    for (const organisationId of progress.keys()) {
      if (progress.size <= mostKnown) return
      if (!unsaved.has(organisationId)) progress.delete(organisationId)
    }
  }

  /** Reads the cursors of logs that this process does not know yet. */
  async function learnCursors(organisationIds: readonly OrganisationId[]): Promise<void> {
    const unknown = organisationIds.filter((organisationId) => !progress.has(organisationId))
    if (unknown.length === 0) return
    forgetSome()
    for (const { organisationId, position, waitMs } of await cursors(name, unknown))
      if (waitMs === null) progress.set(organisationId, { stored: position, scanned: position })
      else delay(organisationId, waitMs)
  }

  /** The next events of the logs whose turn it is, and whether there is more. All logs of a batch get the same share. */
  async function nextBatch(): Promise<{ readonly parts: readonly LogPart[]; readonly isMore: boolean }> {
    const chosen = firstOf(ready, size)
    let isMore = ready.size > chosen.length
    await learnCursors(chosen)
    const share = Math.max(1, Math.floor(size / Math.max(1, chosen.length)))
    const parts: LogPart[] = []
    const add = (organisationId: OrganisationId, { stored, scanned }: Progress, events: readonly ReadEvent[]) => {
      const to = events.at(-1)?.position ?? scanned
      progress.set(organisationId, { stored, scanned: to })
      if (events.length === share) {
        ready.add(organisationId)
        isMore = true
      }
      const wanted = events.filter((event) => on.has(event.type) && wants(event))
      if (wanted.length > 0) parts.push({ organisationId, from: stored, to, events: wanted })
      else if (to > stored) unsaved.add(organisationId)
    }
    const unread: LogPosition[] = []
    for (const organisationId of chosen) {
      ready.delete(organisationId)
      const known = progress.get(organisationId)
      if (!known) continue
      const events = tail.after(organisationId, known.scanned, share)
      if (events) add(organisationId, known, events)
      else unread.push({ organisationId, position: known.scanned })
    }
    if (unread.length > 0) {
      const read = Map.groupBy(await listNext(db, unread, share), (event) => event.organisationId)
      for (const { organisationId } of unread)
        add(organisationId, progress.get(organisationId) as Progress, read.get(organisationId) ?? [])
    }
    return { parts, isMore }
  }

  const operationFor = (parts: readonly LogPart[]) =>
    operation<SystemCaller, undefined, TakenParts>({ needs: [], refuses: [] }, async (context) => {
      const locked = await lockCursors(
        context.tx,
        consumer,
        parts.map(({ organisationId }) => organisationId),
      )
      const cursors = new Map(locked.map(({ organisationId, position }) => [organisationId, position]))
      const taken = parts.flatMap((part) => {
        const cursor = cursors.get(part.organisationId)
        if (cursor === undefined || cursor < part.from || cursor >= part.to) return []
        return [{ ...part, events: part.events.filter(({ position }) => position > cursor) }]
      })
      const events = eventsIn(taken)
      if (events.length > 0) await consumer.take(context, events)
      if (taken.length > 0)
        await moveCursors(
          context.tx,
          consumer,
          taken.map(({ organisationId, to }) => ({ organisationId, position: to })),
        )
      return { taken, cursors }
    })

  /** Runs a transaction of this consumer, with the time limit of its pool. */
  async function run<Result>(body: ReturnType<typeof operation<SystemCaller, undefined, Result>>): Promise<Result> {
    const over = new AbortController()
    const running = runner.run(body, { caller: systemCaller, origin, input: undefined, deadline: over.signal })
    return await withinDeadline(name, deadlineMs, running).catch((error: unknown) => {
      over.abort()
      throw error
    })
  }

  async function take(parts: readonly LogPart[]): Promise<void> {
    if (isRetry) counts.retried++
    isRetry = false
    const { taken, cursors } = await run(operationFor(parts))
    const done = eventsIn(taken).length
    counts.done += done
    if (done > 0) consumer.committed?.()
    const moved = new Set(taken.map(({ organisationId }) => organisationId))
    for (const { organisationId, to } of taken) {
      progress.set(organisationId, { stored: to, scanned: Math.max(to, progress.get(organisationId)?.scanned ?? to) })
      unsaved.delete(organisationId)
    }
    for (const { organisationId } of parts) {
      if (moved.has(organisationId)) continue
      // Another process has the log, or has moved its cursor.
      progress.delete(organisationId)
      unsaved.delete(organisationId)
      if (cursors.has(organisationId)) ready.add(organisationId)
      else delay(organisationId, lookAgainMs)
    }
    if (parts.length === taken.length) size = Math.min(consumer.batchSize, size * 2)
  }

  async function takeOrSplit(parts: readonly LogPart[]): Promise<void> {
    try {
      await take(parts)
    } catch (error) {
      counts.failed++
      isRetry = true
      for (const { organisationId } of parts) {
        progress.delete(organisationId)
        ready.add(organisationId)
      }
      // The database failed, not the consumer. But a batch that took too long is retried with fewer events.
      if (isPassingFailure(error) && !tookTooLong(error)) throw error
      const [event, ...more] = eventsIn(parts)
      log.error('consumer.failed', { reason: name, eventId: more.length === 0 ? event?.eventId : undefined, error })
      if (!event) return
      if (more.length === 0) return await fail(error, event)
      size = Math.max(1, (1 + more.length) >> 1)
      for (const half of halvesOfParts(parts)) await takeOrSplit(half)
    }
  }

  async function fail(error: unknown, event: ReadEvent): Promise<void> {
    const { organisationId, eventId } = event
    const reason = failureReason(error)
    const tries = await noteFailure(db, name, event, reason, afterFailureMs)
    if (tries === undefined) return
    if (tries < patience || !(await setEventAside(db, name, { event, reason, tries, waitMs: asideWaitMs(0) })))
      return delay(organisationId, afterFailureMs)
    log.error('consumer.event_set_aside', { reason: name, eventId, organisationId })
  }

  /**
   * Retries one set-aside event; it leaves the list in the transaction of its effects. Not while another process takes events of the same
   * log: both could read the same row and write the same difference.
   */
  const retryOperation = (organisationId: OrganisationId, eventId: string) =>
    operation<SystemCaller, undefined, boolean>({ needs: [], refuses: [] }, async (context) => {
      if (!(await lockCursor(context.tx, name, organisationId))) return false
      const event = await takeSetAside(context.tx, name, eventId)
      if (event) await consumer.take(context, [event])
      return event !== undefined
    })

  async function retrySetAside(everyMs: number): Promise<void> {
    if (performance.now() - asideAtMs < everyMs) return
    asideAtMs = performance.now()
    for (const { eventId, organisationId, tries } of await listSetAsideDue(db, name, asideAtOnce))
      try {
        if (!(await run(retryOperation(organisationId, eventId)))) continue
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

  /** Saves the cursors of logs in which no event concerned the consumer, at intervals. */
  async function savePassed(): Promise<void> {
    if (unsaved.size === 0 || (performance.now() - savedAtMs < saveEveryMs && unsaved.size < mostSaved)) return
    savedAtMs = performance.now()
    const passed = firstOf(unsaved, mostSaved).flatMap((organisationId) => {
      unsaved.delete(organisationId)
      const position = progress.get(organisationId)?.scanned
      return position === undefined ? [] : [{ organisationId, position }]
    })
    await passEvents(db, consumer, passed)
    for (const { organisationId, position } of passed)
      progress.set(organisationId, { stored: position, scanned: position })
  }

  /** Returns whether there is more to read. */
  async function round(): Promise<boolean> {
    if (!isKnown) await insertConsumer(db, consumer)
    isKnown = true
    if (performance.now() - followsSavedAtMs >= followsEveryMs) {
      await saveFollows(db, consumer)
      followsSavedAtMs = performance.now()
    }
    // New events come first, but a consumer that is never idle must still retry set-aside events.
    await retrySetAside(asideWhileBusyEveryMs)
    await consumer.pause?.()
    resumeDelayed()
    const { parts, isMore } = await nextBatch()
    if (parts.length > 0) await takeOrSplit(parts)
    await savePassed()
    if (!isMore) await retrySetAside(asideEveryMs)
    return isMore
  }

  const rounds = startRounds(round, { restMs: consumer.restMs, idleMs }, (error) => {
    // The batch may have committed, or not: the cursors say so.
    for (const organisationId of progress.keys()) ready.add(organisationId)
    progress.clear()
    unsaved.clear()
    log.warn('consumer.round_failed', { reason: name, error })
  })
  return {
    ...rounds,
    notice(organisationIds) {
      for (const organisationId of organisationIds) if (!delayed.has(organisationId)) ready.add(organisationId)
      rounds.wake()
    },
    backlog: () => ready.size,
  }
}
