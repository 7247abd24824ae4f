import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isPassingFailure, isSerializationFailure } from '../../platform/database/database.ts'
import type { Machine, Runner } from '../../platform/operations/runner.ts'
import { type Rounds, startRounds } from '../../platform/rounds.ts'
import { failingOnes } from '../../platform/work/failing-items.ts'
import type { Lane, LaneCounts } from '../../platform/work/lanes.ts'
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

/** Requests under way in one process to endpoints that answer, and in all. */
const width = 512
const mostUnderWay = 2 * width
/**
 * One tenant's, and those that are begun at endpoints that are slow or fail. A request to an endpoint that turns out to hang counts among the held up
 * from then on, so that it takes no room from those that answer, however long its endpoint may take.
 */
const mostOfTenant = width / 4
const mostHeldUp = width / 2
/** What one endpoint may have waiting in this process, by where it came from. */
const mostFresh = 1_024
const mostFromQueue = 64
const mostForAiling = 16
/** What all have: what comes fresh leaves room for the queue, and one organisation for the others. */
const mostHeld = 8_192
const mostFreshHeld = (mostHeld * 3) / 4
const mostHeldOfTenant = mostHeld / 2
/** One that was taken from the queue and has waited here so long goes back: before its lease is over. */
const stalestMs = 25_000
const queueLeaseMs = 70_000
const batchLeaseMs = 30_000
const renewEveryMs = 10_000
const recoverEveryMs = 5_000
/** Longer waits are found by looking, once a second. */
const longestTimerMs = 60_000
const finishWithinMs = 5_000
const busyHeld = 32
/** Reading on is put off by this much at most. */
const settleMs = 250
const lookMs = 5
/** from the queue, and of how many endpoints, in one round */
const mostClaimed = 512
const mostTurns = 512
const firstTurn = '00000000-0000-0000-0000-000000000000'
const origin = { requestId: 'webhooks', address: '', userAgent: '' }

/** Why what was taken from the queue is not sent after all. */
function reasonToGiveUp(piece: ClaimedPiece): string | undefined {
  if (piece.isEndpointGone) return 'endpoint_disabled'
  // It was under way, or only just told of, when somebody who reads less turned the endpoint elsewhere.
  if (!isEntitledTo(piece.capabilities, piece)) return 'not_entitled'
  // Begun so often and never ended: whatever is the matter with it, it is not sent for ever.
  return piece.attempt > mostAttempts ? 'attempts_exhausted' : undefined
}

/** The end of one that nobody was asked about. */
const unsent = (
  piece: Piece,
  { status, reason, waitMs = null }: Pick<Ending, 'status' | 'reason'> & Partial<Pick<Ending, 'waitMs'>>,
): Ending => ({ piece, entry: undefined, status, reason, waitMs, clearsFailures: false })

export interface Sender {
  readonly lease: Pick<Batch, 'taker' | 'leaseMs'>
  /** how much more it would take at this moment, by endpoint */
  roomNow(): { takes(target: Pick<Piece, 'organisationId' | 'mode' | 'endpointId'>): boolean }
  /** takes over deliveries that were written as begun */
  accept(batchId: string, pieces: readonly NewPiece[]): void
  /** waits a moment when what it has will soon be gone: reading on would only fill the queue */
  settle(): Promise<void>
}

/**
 * Sends deliveries until it is stopped. What it is handed fresh it sends from memory; what has to wait it takes from the queue, endpoint by
 * endpoint in turn. How attempts end is noted many at a time.
 */
export function startSender(machine: Machine, runner: Runner, counts: LaneCounts): Sender & Lane {
  const { db, log } = machine
  const taker = randomUUID()
  const keys = new SigningKeys(machine.vault)
  const lines = new Map<string, Line>()
  /** those that something waits for, and whose turn it is */
  const ready: Line[] = []
  let turn = 0
  const ofTenant = new Map<string, number>()
  const heldOf = new Map<string, number>()
  let held = 0
  let underWay = 0
  let heldUp = 0
  let from = firstTurn
  /** whether anything was due since the turns began with the first */
  let hasFound = false
  let isStopping = false
  let renewedAt = performance.now()
  let recoveredAt = 0
  /** told when nothing is under way any more */
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

  /** Lines take turns: one from each, until there is no room, or none of them may begin. */
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
    attemptDelivery(machine, keys, piece, (outcome) => {
      letGo(piece)
      underWay--
      if (begun.isHeldUp) heldUp--
      add(ofTenant, line.tenant, -1)
      line.end(begun, performance.now(), outcome.isWorking)
      if (line.isAiling && !wasAiling) turnedAiling(line)
      // There may be more of it in the queue, now that there is room.
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

  /** What waits for an endpoint that has turned out to be slow waits in the queue, where others can see it. */
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

  /** What came from the queue long ago, and what hangs, is looked at once a second. */
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

  const unclaimed = failingOnes(machine, 'webhooks.cannot_be_claimed')

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
    // However many endpoints come first and have nothing that is due, those behind them have their turn.
    from = (pieces.length === limit ? last : reached) ?? firstTurn
    if (from !== firstTurn) return true
    const isMore = hasFound
    hasFound = false
    return isMore
  }

  const notes = startNotes(machine, db, { isBusy: () => held > busyHeld, noted: countFailures })
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
      // All of it was told before; the row of the batch goes when its time is over.
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
