import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunningQueue } from '../../../platform/background/fair-queue.ts'
import { isPassingFailure, isSerializationFailure } from '../../../platform/database/database.ts'
import { failingOnes } from '../../../platform/jobs/failing-items.ts'
import type { AttemptCounts } from '../../../platform/jobs/jobs.ts'
import { firstTurn } from '../../../platform/jobs/turns.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { mostAttempts } from '../deliveries/delivery.ts'
import { isEntitledTo } from '../endpoints/endpoint.ts'
import { recordFailures } from '../endpoints/record-failures.ts'
import { SigningKeys } from '../endpoints/signing-keys.ts'
import { type AttemptOutcome, attemptDelivery } from './attempt.ts'
import { claimApart } from './claim-apart.ts'
import {
  type AttemptResult,
  type Batch,
  type ClaimedDelivery,
  type ClaimResult,
  claimQueued,
  handBackQueued,
  type NewDelivery,
  type OutgoingDelivery,
  type QueueClaim,
  renewBatches,
} from './dispatch.store.ts'
import { EndpointQueue, tenantOf, type WaitingDelivery } from './endpoint-queue.ts'
import { recoverBatches } from './recover-batches.ts'
import { startResultWriter } from './result-writer.ts'

/** Requests under way in one process, to endpoints that answer and in total. */
const width = 512
const mostUnderWay = 2 * width
/**
 * Limits per tenant, and for slow and failing endpoints. A request that turns out to hang moves to the latter, so that
 * it takes no room from endpoints that answer.
 */
const mostOfTenant = width / 4
const mostSlow = width / 2
/** Waiting deliveries of one endpoint in this process, by origin. */
const mostFresh = 1_024
const mostFromQueue = 64
const mostForUnhealthy = 16
/** Waiting deliveries in total. New ones leave room for the queue, and one tenant leaves room for the others. */
const mostWaiting = 8_192
const mostFreshWaiting = (mostWaiting * 3) / 4
const mostWaitingOfTenant = mostWaiting / 2
/** A delivery from the queue goes back after this time, before its lease ends. */
const stalestMs = 25_000
const queueLeaseMs = 70_000
const batchLeaseMs = 30_000
const renewEveryMs = 10_000
const recoverEveryMs = 5_000
/** Longer delays are found by a check every second. */
const longestTimerMs = 60_000
const finishWithinMs = 5_000
const busyWaiting = 32
/** Longest pause of the consumer. */
const longestPauseMs = 250
const lookMs = 5
/** Deliveries and endpoints per claim from the queue. */
const mostClaimed = 512
const mostTurns = 512
const origin = { requestId: 'webhooks', address: '', userAgent: '' }

/** Why a delivery taken from the queue is not sent. */
function reasonToGiveUp(delivery: ClaimedDelivery): string | undefined {
  if (delivery.isEndpointGone) return 'endpoint_disabled'
  // The endpoint was redirected by a person with fewer capabilities after the delivery was written.
  if (!isEntitledTo(delivery.capabilities, delivery)) return 'not_entitled'
  // Begun this often without an end: it is not sent forever.
  return delivery.attempt > mostAttempts ? 'attempts_exhausted' : undefined
}

/** Result of a delivery that was not sent. */
const unsent = (
  delivery: OutgoingDelivery,
  { status, reason, waitMs = null }: Pick<AttemptResult, 'status' | 'reason'> & Partial<Pick<AttemptResult, 'waitMs'>>,
): AttemptResult => ({ delivery, entry: undefined, status, reason, waitMs, clearsFailures: false })

export interface Dispatcher {
  readonly lease: Pick<Batch, 'taker' | 'leaseMs'>
  /** Reserves places for deliveries that are about to be written: `takes` tells whether one more fits, and counts it. */
  roomNow(): { takes(target: Pick<OutgoingDelivery, 'organisationId' | 'mode' | 'endpointId'>): boolean }
  /** Takes over deliveries that were written as begun. */
  accept(batchId: string, deliveries: readonly NewDelivery[]): void
  /** Pauses briefly if its deliveries will soon be sent, because reading on would only fill the queue. */
  pauseIfFull(): Promise<void>
}

/**
 * Runs until it is stopped. New deliveries are sent from memory, delayed ones are claimed from the queue, endpoint by
 * endpoint in turn. Results are written in batches.
 */
export function startDispatcher(runtime: Runtime, runner: Runner, counts: AttemptCounts): Dispatcher & RunningQueue {
  const { db, log } = runtime
  const taker = randomUUID()
  const keys = new SigningKeys(runtime.vault)
  const queues = new Map<string, EndpointQueue>()
  /** Endpoints with waiting deliveries, in turn. */
  const ready: EndpointQueue[] = []
  let turn = 0
  const ofTenant = new Map<string, number>()
  const waitingOf = new Map<string, number>()
  let waiting = 0
  let underWay = 0
  let slowUnderWay = 0
  let from = firstTurn
  /** True if anything was due since the round began. */
  let hasFound = false
  let isStopping = false
  let renewedAt = performance.now()
  let recoveredAt = 0
  /** Resolved when no request is under way. */
  let whenIdle = (): void => {}

  function queueOf(delivery: OutgoingDelivery): EndpointQueue {
    let queue = queues.get(delivery.endpointId)
    if (!queue) {
      queue = new EndpointQueue(delivery)
      queues.set(delivery.endpointId, queue)
    }
    return queue
  }

  const mayBegin = (queue: EndpointQueue): boolean =>
    queue.waiting.length > 0 &&
    queue.underWay < queue.concurrency &&
    underWay < mostUnderWay &&
    (queue.isUnhealthy ? slowUnderWay < mostSlow : underWay - slowUnderWay < width) &&
    (ofTenant.get(queue.tenant) ?? 0) < mostOfTenant

  const add = (counts: Map<string, number>, id: string, change: 1 | -1): void => {
    const count = (counts.get(id) ?? 0) + change
    if (count > 0) counts.set(id, count)
    else counts.delete(id)
  }

  function addWaiting(one: WaitingDelivery): void {
    waiting++
    add(waitingOf, tenantOf(one.delivery), 1)
    const queue = queueOf(one.delivery)
    queue.waiting.push(one)
    if (queue.isReady) return
    queue.isReady = true
    ready.push(queue)
  }

  function letGo(delivery: OutgoingDelivery): void {
    waiting--
    add(waitingOf, tenantOf(delivery), -1)
  }

  function dropFromTurns(queue: EndpointQueue): void {
    if (!queue.isReady) return
    queue.isReady = false
    const at = ready.indexOf(queue)
    ready.splice(at, 1)
    if (at < turn) turn--
  }

  /** One delivery per endpoint in turn, until there is no room or none may start. */
  function pump(): void {
    if (isStopping) return
    for (let passed = 0; passed < ready.length && underWay < mostUnderWay; ) {
      if (turn >= ready.length) turn = 0
      const queue = ready[turn] as EndpointQueue
      turn++
      if (mayBegin(queue)) {
        passed = 0
        begin(queue, queue.waiting.shift() as WaitingDelivery)
        if (queue.waiting.length === 0) dropFromTurns(queue)
      } else passed++
    }
  }

  function begin(queue: EndpointQueue, one: WaitingDelivery): void {
    const { delivery } = one
    const at = performance.now()
    const running = queue.begin(at)
    underWay++
    if (running.isCountedSlow) slowUnderWay++
    add(ofTenant, queue.tenant, 1)
    attemptDelivery(runtime, keys, delivery, (outcome) => {
      letGo(delivery)
      underWay--
      if (running.isCountedSlow) slowUnderWay--
      add(ofTenant, queue.tenant, -1)
      const wasUnhealthy = queue.isUnhealthy
      queue.end(running, performance.now(), outcome.isWorking)
      if (queue.isUnhealthy && !wasUnhealthy) onUnhealthy(queue)
      // The queue may have more for it, now that there is room.
      if (one.batchId === undefined || queue.isUnhealthy) rounds.wake()
      if (queue.isForgettable(performance.now())) queues.delete(queue.endpointId)
      saveOutcome(outcome, one.batchId)
      pump()
      if (underWay === 0) whenIdle()
    })
  }

  function onUnhealthy(queue: EndpointQueue): void {
    slowUnderWay += queue.countAsSlow()
    putBack(queue)
  }

  /** Returns all waiting deliveries of an endpoint to the queue, where any process can take them. */
  function putBack(queue: EndpointQueue): void {
    dropFromTurns(queue)
    for (const { delivery, batchId } of queue.waiting.splice(0)) {
      letGo(delivery)
      resultWriter.add(unsent(delivery, { status: 'pending', reason: null, waitMs: 0 }), batchId)
    }
  }

  function saveOutcome({ result }: AttemptOutcome, batchId: string | undefined): void {
    resultWriter.add(result, batchId)
    const { status, waitMs } = result
    if (status === 'delivered') counts.done++
    else counts.failed++
    if (waitMs !== null) counts.retried++
    if (waitMs !== null && waitMs <= longestTimerMs) setTimeout(() => rounds.wake(), waitMs + 5).unref()
  }

  async function countFailures(ends: readonly AttemptResult[]): Promise<void> {
    const failed = ends.filter(({ status, countsAsFailure }) => status === 'failed' && countsAsFailure)
    for (const [endpointId, ofOne] of Map.groupBy(failed, ({ delivery }) => delivery.endpointId)) {
      const [{ delivery }] = ofOne as [AttemptResult, ...AttemptResult[]]
      const isGone = ofOne.some(({ reason }) => reason === 'gone')
      const input = {
        organisationId: delivery.organisationId,
        mode: delivery.mode,
        endpointId,
        count: ofOne.length,
        isGone,
      }
      await runner
        .run(recordFailures, { caller: { kind: 'system' }, origin, input })
        .catch((error: unknown) => log.warn('webhooks.failures_not_counted', { error }))
    }
  }

  function takeFromQueue(deliveries: readonly OutgoingDelivery[]): void {
    for (const delivery of deliveries) addWaiting({ delivery, batchId: undefined, takenAt: performance.now() })
    pump()
  }

  /** Once a second: old deliveries from the queue, and hanging requests. */
  function lookAround(at: number): void {
    for (const queue of queues.values()) {
      if (queue.look(at)) onUnhealthy(queue)
      const isStale = queue.waiting.some(({ batchId, takenAt }) => batchId === undefined && at - takenAt > stalestMs)
      if (isStale || queue.waiting.length > queue.takesSoon) putBack(queue)
      if (queue.isForgettable(at)) queues.delete(queue.endpointId)
    }
  }

  async function keepAlive(at: number): Promise<void> {
    const open = at - renewedAt > renewEveryMs ? resultWriter.openBatches() : []
    if (open.length > 0) {
      renewedAt = at
      await renewBatches(db, open, batchLeaseMs)
    }
    if (at - recoveredAt > recoverEveryMs) {
      recoveredAt = at
      const recovered = await recoverBatches(db, log, undefined)
      if (recovered > 0) log.warn('webhooks.recovered', { count: recovered })
    }
  }

  const unclaimed = failingOnes(runtime, 'webhooks.cannot_be_claimed')

  async function claimDue(claim: QueueClaim): Promise<ClaimResult> {
    try {
      const claimed = await db.transaction((tx) => claimQueued(tx, claim))
      await unclaimed.done(claimed.deliveries)
      return claimed
    } catch (error) {
      if (isPassingFailure(error) || isSerializationFailure(error)) throw error
    }
    const { refused, error, ...claimed } = await claimApart(db, claim)
    for (const { organisationId, mode, id } of refused) await unclaimed.note({ organisationId, mode, id }, error)
    return claimed
  }

  async function round(): Promise<boolean> {
    const at = performance.now()
    lookAround(at)
    await keepAlive(at)
    const limit = Math.min(mostClaimed, mostWaiting - waiting)
    if (limit <= 0) return false
    const claim = {
      taker,
      limit,
      from,
      mostTurns,
      perEndpoint: mostFromQueue,
      endpointRooms: new Map(
        [...queues].map(([id, queue]) => [
          id,
          Math.max(
            0,
            Math.min(queue.isUnhealthy ? mostForUnhealthy : mostFromQueue, queue.takesSoon) -
              queue.underWay -
              queue.waiting.length,
          ),
        ]),
      ),
      tenantRooms: new Map([...ofTenant].map(([tenant, count]) => [tenant, Math.max(0, mostOfTenant - count)])),
      leaseMs: queueLeaseMs,
    }
    const { deliveries, reached } = await claimDue(claim)
    const wanted = deliveries.filter((delivery) => {
      const reason = reasonToGiveUp(delivery)
      if (reason) resultWriter.add(unsent(delivery, { status: 'failed', reason }), undefined)
      return !reason
    })
    takeFromQueue(wanted)
    const last = deliveries
      .map(({ endpointId }) => endpointId as string)
      .sort()
      .at(-1)
    hasFound ||= deliveries.length > 0
    // The round continues behind endpoints without due deliveries, so that later ones get their turn.
    from = (deliveries.length === limit ? last : reached) ?? firstTurn
    if (from !== firstTurn) return true
    const isMore = hasFound
    hasFound = false
    return isMore
  }

  const resultWriter = startResultWriter(runtime, db, { isBusy: () => waiting > busyWaiting, written: countFailures })
  const rounds: Rounds = startRounds(round, { restMs: 5, idleMs: 1_000 }, (error) =>
    log.warn('webhooks.round_failed', { error }),
  )

  return {
    lease: { taker, leaseMs: batchLeaseMs },
    roomNow() {
      const given = new Map<string, number>()
      const givenOf = new Map<string, number>()
      let room = isStopping ? 0 : mostFreshWaiting - waiting
      return {
        takes(target) {
          const { endpointId } = target
          const tenant = tenantOf(target)
          const queue = queues.get(endpointId)
          const count = (given.get(endpointId) ?? queue?.waiting.length ?? 0) + 1
          const countOf = (givenOf.get(tenant) ?? waitingOf.get(tenant) ?? 0) + 1
          const most = Math.min(mostFresh, queue?.takesSoon ?? mostFresh)
          if (room <= 0 || count > most || countOf > mostWaitingOfTenant || queue?.isUnhealthy) return false
          given.set(endpointId, count)
          givenOf.set(tenant, countOf)
          room--
          return true
        },
      }
    },
    accept(batchId, deliveries) {
      // All deliveries existed already. The row of the batch is deleted when its lease ends.
      if (deliveries.length === 0) return
      resultWriter.open(batchId, deliveries.length)
      const takenAt = performance.now()
      for (const delivery of deliveries) addWaiting({ delivery, batchId, takenAt })
      pump()
    },
    async pauseIfFull() {
      const isFull = (queue: EndpointQueue) => queue.isQuick && queue.waiting.length > mostFresh / 2
      for (const until = performance.now() + longestPauseMs; performance.now() < until; await wait(lookMs))
        if (!ready.some(isFull)) return
    },
    wake: () => rounds.wake(),
    async stop() {
      isStopping = true
      await rounds.stop()
      for (const queue of queues.values()) putBack(queue)
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve
        if (underWay === 0) resolve()
      })
      await Promise.race([idle, wait(finishWithinMs, undefined, { ref: false })])
      await resultWriter.finish()
      await recoverBatches(db, log, taker).catch(() => {})
      await handBackQueued(db, taker).catch(() => {})
    },
  }
}
