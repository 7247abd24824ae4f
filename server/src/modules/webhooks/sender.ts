import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isPassingFailure, isSerializationFailure } from '../../platform/database/database.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { type Rounds, startRounds } from '../../platform/rounds.ts'
import { failingOnes } from '../../platform/work/failing-items.ts'
import type { QueueCounts, RunningQueue } from '../../platform/work/queues.ts'
import { attemptDelivery, type Outcome } from './attempt.ts'
import { claimApart } from './claim-apart.ts'
import { mostAttempts } from './delivery.ts'
import { isEntitledTo } from './endpoint.ts'
import { type Held, Line, tenantOf } from './line.ts'
import { noteFailures } from './note-failures.ts'
import { startNotes } from './notes.ts'
import { recoverBatches } from './recover-batches.ts'
import {
  type Batch,
  type Claimed,
  type ClaimedPiece,
  claimQueued,
  type Ending,
  handBackQueued,
  type NewPiece,
  type Piece,
  type QueueClaim,
  renewBatches,
} from './sending.store.ts'
import { SigningKeys } from './signing-keys.ts'

/** Requests under way in one process, to endpoints that answer and in total. */
const width = 512
const mostUnderWay = 2 * width
/**
 * Limits per tenant, and for slow and failing endpoints. A request that turns out to hang moves to the latter, so that
 * it takes no room from endpoints that answer.
 */
const mostOfTenant = width / 4
const mostHeldUp = width / 2
/** Waiting deliveries of one endpoint in this process, by origin. */
const mostFresh = 1_024
const mostFromQueue = 64
const mostForAiling = 16
/** Waiting deliveries in total. New ones leave room for the queue, and one tenant leaves room for the others. */
const mostHeld = 8_192
const mostFreshHeld = (mostHeld * 3) / 4
const mostHeldOfTenant = mostHeld / 2
/** A delivery from the queue goes back after this time, before its lease ends. */
const stalestMs = 25_000
const queueLeaseMs = 70_000
const batchLeaseMs = 30_000
const renewEveryMs = 10_000
const recoverEveryMs = 5_000
/** Longer delays are found by a check every second. */
const longestTimerMs = 60_000
const finishWithinMs = 5_000
const busyHeld = 32
/** Longest pause of the consumer. */
const settleMs = 250
const lookMs = 5
/** Deliveries and endpoints per claim from the queue. */
const mostClaimed = 512
const mostTurns = 512
const firstTurn = '00000000-0000-0000-0000-000000000000'
const origin = { requestId: 'webhooks', address: '', userAgent: '' }

/** Why a delivery taken from the queue is not sent. */
function reasonToGiveUp(piece: ClaimedPiece): string | undefined {
  if (piece.isEndpointGone) return 'endpoint_disabled'
  // The endpoint was redirected by a person with fewer capabilities after the delivery was written.
  if (!isEntitledTo(piece.capabilities, piece)) return 'not_entitled'
  // Begun this often without an end: it is not sent forever.
  return piece.attempt > mostAttempts ? 'attempts_exhausted' : undefined
}

/** Result of a delivery that was not sent. */
const unsent = (
  piece: Piece,
  { status, reason, waitMs = null }: Pick<Ending, 'status' | 'reason'> & Partial<Pick<Ending, 'waitMs'>>,
): Ending => ({ piece, entry: undefined, status, reason, waitMs, clearsFailures: false })

export interface Sender {
  readonly lease: Pick<Batch, 'taker' | 'leaseMs'>
  /** Number of deliveries that it could take now, by endpoint. */
  roomNow(): { takes(target: Pick<Piece, 'organisationId' | 'mode' | 'endpointId'>): boolean }
  /** Takes over deliveries that were written as begun. */
  accept(batchId: string, pieces: readonly NewPiece[]): void
  /** Pauses briefly if its deliveries will soon be sent, because reading on would only fill the queue. */
  settle(): Promise<void>
}

/**
 * Runs until it is stopped. New deliveries are sent from memory, delayed ones are claimed from the queue, endpoint by
 * endpoint in turn. Results are written in batches.
 */
export function startSender(runtime: Runtime, runner: Runner, counts: QueueCounts): Sender & RunningQueue {
  const { db, log } = runtime
  const taker = randomUUID()
  const keys = new SigningKeys(runtime.vault)
  const lines = new Map<string, Line>()
  /** Endpoints with waiting deliveries, in turn. */
  const ready: Line[] = []
  let turn = 0
  const ofTenant = new Map<string, number>()
  const heldOf = new Map<string, number>()
  let held = 0
  let underWay = 0
  let heldUp = 0
  let from = firstTurn
  /** True if anything was due since the round began. */
  let hasFound = false
  let isStopping = false
  let renewedAt = performance.now()
  let recoveredAt = 0
  /** Resolved when no request is under way. */
  let whenIdle = (): void => {}

  function lineOf(piece: Piece): Line {
    let line = lines.get(piece.endpointId)
    if (!line) {
      line = new Line(piece)
      lines.set(piece.endpointId, line)
    }
    return line
  }

  const mayBegin = (line: Line): boolean =>
    line.waiting.length > 0 &&
    line.underWay < line.concurrency &&
    underWay < mostUnderWay &&
    (line.isAiling ? heldUp < mostHeldUp : underWay - heldUp < width) &&
    (ofTenant.get(line.tenant) ?? 0) < mostOfTenant

  const add = (counts: Map<string, number>, id: string, change: 1 | -1): void => {
    const count = (counts.get(id) ?? 0) + change
    if (count > 0) counts.set(id, count)
    else counts.delete(id)
  }

  function hold(one: Held): void {
    held++
    add(heldOf, tenantOf(one.piece), 1)
    const line = lineOf(one.piece)
    line.waiting.push(one)
    if (line.isReady) return
    line.isReady = true
    ready.push(line)
  }

  function letGo(piece: Piece): void {
    held--
    add(heldOf, tenantOf(piece), -1)
  }

  function dropFromTurns(line: Line): void {
    if (!line.isReady) return
    line.isReady = false
    const at = ready.indexOf(line)
    ready.splice(at, 1)
    if (at < turn) turn--
  }

  /** One delivery per endpoint in turn, until there is no room or none may start. */
  function pump(): void {
    if (isStopping) return
    for (let passed = 0; passed < ready.length && underWay < mostUnderWay; ) {
      if (turn >= ready.length) turn = 0
      const line = ready[turn] as Line
      turn++
      if (mayBegin(line)) {
        passed = 0
        begin(line, line.waiting.shift() as Held)
        if (line.waiting.length === 0) dropFromTurns(line)
      } else passed++
    }
  }

  function begin(line: Line, one: Held): void {
    const { piece } = one
    const at = performance.now()
    const wasAiling = line.isAiling
    const begun = line.begin(at)
    underWay++
    if (begun.isHeldUp) heldUp++
    add(ofTenant, line.tenant, 1)
    attemptDelivery(runtime, keys, piece, (outcome) => {
      letGo(piece)
      underWay--
      if (begun.isHeldUp) heldUp--
      add(ofTenant, line.tenant, -1)
      line.end(begun, performance.now(), outcome.isWorking)
      if (line.isAiling && !wasAiling) turnedAiling(line)
      // The queue may have more for it, now that there is room.
      if (one.batchId === undefined || line.isAiling) rounds.wake()
      if (line.isForgettable) lines.delete(line.endpointId)
      note(outcome, one.batchId)
      pump()
      if (underWay === 0) whenIdle()
    })
  }

  function turnedAiling(line: Line): void {
    heldUp += line.holdUp()
    putBack(line)
  }

  /** Deliveries of an endpoint that became slow go back to the queue, where other processes can see them. */
  function putBack(line: Line): void {
    dropFromTurns(line)
    for (const { piece, batchId } of line.waiting.splice(0)) {
      letGo(piece)
      notes.add(unsent(piece, { status: 'pending', reason: null, waitMs: 0 }), batchId)
    }
  }

  function note({ ending }: Outcome, batchId: string | undefined): void {
    notes.add(ending, batchId)
    const { status, waitMs } = ending
    if (status === 'delivered') counts.done++
    else counts.failed++
    if (waitMs !== null) counts.retried++
    if (waitMs !== null && waitMs <= longestTimerMs) setTimeout(() => rounds.wake(), waitMs + 5).unref()
  }

  async function countFailures(ends: readonly Ending[]): Promise<void> {
    const failed = ends.filter(({ status, countsAsFailure }) => status === 'failed' && countsAsFailure)
    for (const [endpointId, ofOne] of Map.groupBy(failed, ({ piece }) => piece.endpointId)) {
      const [{ piece }] = ofOne as [Ending, ...Ending[]]
      const isGone = ofOne.some(({ reason }) => reason === 'gone')
      const input = { organisationId: piece.organisationId, mode: piece.mode, endpointId, count: ofOne.length, isGone }
      await runner
        .run(noteFailures, { caller: { kind: 'system' }, origin, input })
        .catch((error: unknown) => log.warn('webhooks.failures_not_counted', { error }))
    }
  }

  function takeFromQueue(pieces: readonly Piece[]): void {
    for (const piece of pieces) hold({ piece, batchId: undefined, takenAt: performance.now() })
    pump()
  }

  /** Once a second: old deliveries from the queue, and hanging requests. */
  function lookAround(at: number): void {
    for (const line of lines.values()) {
      if (line.look(at)) turnedAiling(line)
      const stale = line.waiting.filter(({ batchId, takenAt }) => batchId === undefined && at - takenAt > stalestMs)
      if (stale.length > 0 || line.waiting.length > line.takesSoon) putBack(line)
      if (line.isForgettable) lines.delete(line.endpointId)
    }
  }

  async function keepAlive(at: number): Promise<void> {
    const open = at - renewedAt > renewEveryMs ? notes.openBatches() : []
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

  async function claimDue(claim: QueueClaim): Promise<Claimed> {
    try {
      const claimed = await db.transaction((tx) => claimQueued(tx, claim))
      await unclaimed.done(claimed.pieces)
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
    const limit = Math.min(mostClaimed, mostHeld - held)
    if (limit <= 0) return false
    const claim = {
      taker,
      limit,
      from,
      mostTurns,
      perEndpoint: mostFromQueue,
      endpointRooms: new Map(
        [...lines].map(([id, line]) => [
          id,
          Math.max(
            0,
            Math.min(line.isAiling ? mostForAiling : mostFromQueue, line.takesSoon) -
              line.underWay -
              line.waiting.length,
          ),
        ]),
      ),
      tenantRooms: new Map([...ofTenant].map(([tenant, count]) => [tenant, Math.max(0, mostOfTenant - count)])),
      leaseMs: queueLeaseMs,
    }
    const { pieces, reached } = await claimDue(claim)
    const wanted = pieces.filter((piece) => {
      const reason = reasonToGiveUp(piece)
      if (reason) notes.add(unsent(piece, { status: 'failed', reason }), undefined)
      return !reason
    })
    takeFromQueue(wanted)
    const [last] = pieces
      .map(({ endpointId }) => endpointId as string)
      .sort()
      .reverse()
    hasFound ||= pieces.length > 0
    // The round continues behind endpoints without due deliveries, so that later ones get their turn.
    from = (pieces.length === limit ? last : reached) ?? firstTurn
    if (from !== firstTurn) return true
    const isMore = hasFound
    hasFound = false
    return isMore
  }

  const notes = startNotes(runtime, db, { isBusy: () => held > busyHeld, noted: countFailures })
  const rounds: Rounds = startRounds(round, { restMs: 5, idleMs: 1_000 }, (error) =>
    log.warn('webhooks.round_failed', { error }),
  )

  return {
    lease: { taker, leaseMs: batchLeaseMs },
    roomNow() {
      const given = new Map<string, number>()
      const givenOf = new Map<string, number>()
      let room = isStopping ? 0 : mostFreshHeld - held
      return {
        takes(target) {
          const { endpointId } = target
          const tenant = tenantOf(target)
          const line = lines.get(endpointId)
          const count = (given.get(endpointId) ?? line?.waiting.length ?? 0) + 1
          const countOf = (givenOf.get(tenant) ?? heldOf.get(tenant) ?? 0) + 1
          const most = Math.min(mostFresh, line?.takesSoon ?? mostFresh)
          if (room <= 0 || count > most || countOf > mostHeldOfTenant || line?.isAiling) return false
          given.set(endpointId, count)
          givenOf.set(tenant, countOf)
          room--
          return true
        },
      }
    },
    accept(batchId, pieces) {
      // All deliveries existed already. The row of the batch is deleted when its lease ends.
      if (pieces.length === 0) return
      notes.open(batchId, pieces.length)
      const takenAt = performance.now()
      for (const piece of pieces) hold({ piece, batchId, takenAt })
      pump()
    },
    async settle() {
      const isFull = (line: Line) => line.isQuick && line.waiting.length > mostFresh / 2
      for (const until = performance.now() + settleMs; performance.now() < until; await wait(lookMs))
        if (!ready.some(isFull)) return
    },
    wake: () => rounds.wake(),
    async stop() {
      isStopping = true
      await rounds.stop()
      for (const line of lines.values()) putBack(line)
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve
        if (underWay === 0) resolve()
      })
      await Promise.race([idle, wait(finishWithinMs, undefined, { ref: false })])
      await notes.finish()
      await recoverBatches(db, log, taker).catch(() => {})
      await handBackQueued(db, taker).catch(() => {})
    },
  }
}
