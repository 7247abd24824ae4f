import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Machine, Runner } from '../../platform/operations/runner.ts'
import type { Lane } from '../../platform/work/lanes.ts'
import { type Rounds, startRounds } from '../../platform/work/rounds.ts'
import { attemptDelivery, type Outcome } from './attempt.ts'
import { type Held, Line } from './line.ts'
import { noteFailures } from './note-failures.ts'
import {
  type Batch,
  claimQueued,
  type Ending,
  handBackQueued,
  type NewPiece,
  type Piece,
  recoverBatches,
  renewBatches,
  saveEndings,
} from './sending.store.ts'

/** Requests under way in one process. */
const width = 256
/** One organisation's, and those to endpoints that are slow or fail: whatever they do, others find room. */
const mostOfOrganisation = width / 4
const mostAiling = width / 2
/** What one endpoint may have waiting in this process, by where it came from. */
const mostFresh = 512
const mostFromQueue = 64
const mostForAiling = 16
const mostHeld = 8_192
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
const gatherMs = 20
const mostTurns = 512
const firstTurn = '00000000-0000-0000-0000-000000000000'
const origin = { requestId: 'webhooks', address: '', userAgent: '' }

export interface Sender {
  readonly lease: Pick<Batch, 'taker' | 'leaseMs'>
  /** how much more it would take at this moment, by endpoint */
  roomNow(): { takes(endpointId: string): boolean }
  /** takes over deliveries that were written as begun */
  accept(batchId: string, pieces: readonly NewPiece[]): void
  /** waits a moment when what it has will soon be gone: reading on would only fill the queue */
  settle(): Promise<void>
}

/**
 * Sends deliveries until it is stopped. What it is handed fresh it sends from memory; what has to wait it takes from the queue, endpoint by
 * endpoint in turn. How attempts end is noted many at a time.
 */
export function startSender(machine: Machine, runner: Runner): Sender & Lane {
  const { db, log, clock } = machine
  const taker = randomUUID()
  const lines = new Map<string, Line>()
  const ofOrganisation = new Map<string, number>()
  const openBatches = new Map<string, number>()
  const endings: { readonly ending: Ending; readonly batchId: string | undefined }[] = []
  let held = 0
  let underWay = 0
  let ailingUnderWay = 0
  let from = firstTurn
  let isStopping = false
  let renewedAt = performance.now()
  let recoveredAt = 0
  let noting: Promise<void> | undefined
  let attempts = new Set<Promise<void>>()

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
    underWay < width &&
    (!line.isAiling || ailingUnderWay < mostAiling) &&
    (ofOrganisation.get(line.organisationId) ?? 0) < mostOfOrganisation

  /** Lines take turns: one from each, until there is no room or nothing left. */
  function pump(): void {
    if (isStopping) return
    let begun = 1
    while (begun > 0 && underWay < width) {
      begun = 0
      for (const line of lines.values())
        if (mayBegin(line)) {
          begin(line, line.waiting.shift() as Held)
          begun++
        }
    }
  }

  function begin(line: Line, one: Held): void {
    const { piece } = one
    const at = performance.now()
    const wasAiling = line.isAiling
    line.begin(piece.id, at)
    underWay++
    if (wasAiling) ailingUnderWay++
    ofOrganisation.set(line.organisationId, (ofOrganisation.get(line.organisationId) ?? 0) + 1)
    const attempt = attemptDelivery(machine, piece).then((outcome) => {
      held--
      underWay--
      if (wasAiling) ailingUnderWay--
      const left = (ofOrganisation.get(line.organisationId) ?? 1) - 1
      if (left > 0) ofOrganisation.set(line.organisationId, left)
      else ofOrganisation.delete(line.organisationId)
      line.end(piece.id, performance.now(), outcome.isWorking)
      if (line.isAiling && !wasAiling) putBack(line)
      // There may be more of it in the queue, now that there is room.
      if (one.batchId === undefined || line.isAiling) rounds.wake()
      if (line.isForgettable) lines.delete(line.endpointId)
      note(outcome, one.batchId)
      pump()
      attempts.delete(attempt)
    })
    attempts.add(attempt)
  }

  /** What waits for an endpoint that has turned out to be slow waits in the queue, where others can see it. */
  function putBack(line: Line): void {
    for (const { piece, batchId } of line.waiting.splice(0)) {
      held--
      const ending: Ending = {
        piece,
        entry: undefined,
        status: 'pending',
        reason: null,
        waitMs: 0,
        clearsFailures: false,
      }
      endings.push({ ending, batchId })
    }
    if (endings.length > 0) noteSoon()
  }

  function note({ ending }: Outcome, batchId: string | undefined): void {
    endings.push({ ending, batchId })
    const { waitMs } = ending
    if (waitMs !== null && waitMs <= longestTimerMs) setTimeout(() => rounds.wake(), waitMs + 5).unref()
    noteSoon()
  }

  function noteSoon(): void {
    noting ??= noteAll().finally(() => {
      noting = undefined
      if (endings.length > 0) noteSoon()
    })
  }

  /** Ends that come while others are being written are written together. */
  async function noteAll(): Promise<void> {
    // Under load a commit for every few would cost more than the rest: whatever ends in the next moment comes along.
    await wait(held > busyHeld ? gatherMs : 1)
    const now = endings.splice(0)
    const ended = now.flatMap(({ batchId }) => {
      const left = batchId === undefined ? undefined : (openBatches.get(batchId) ?? 0) - 1
      if (batchId === undefined || left === undefined) return []
      openBatches.set(batchId, left)
      return left === 0 ? [batchId] : []
    })
    try {
      const all = now.map(({ ending }) => ending)
      const noted = await saveEndings(db, all, ended, clock.now())
      for (const id of ended) openBatches.delete(id)
      await countFailures(noted)
    } catch (error) {
      log.warn('webhooks.not_noted', { error })
      // They are noted once the database is back; sending again would be the worse way to find out.
      for (const { batchId } of now)
        if (batchId !== undefined) openBatches.set(batchId, (openBatches.get(batchId) ?? 0) + 1)
      endings.unshift(...now)
      if (!isStopping) await wait(1_000)
    }
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
    for (const piece of pieces) {
      held++
      lineOf(piece).waiting.push({ piece, batchId: undefined, takenAt: performance.now() })
    }
    pump()
  }

  /** What came from the queue long ago, and what hangs, is looked at once a second. */
  function lookAround(at: number): void {
    for (const line of lines.values()) {
      if (line.look(at)) putBack(line)
      const stale = line.waiting.filter(({ batchId, takenAt }) => batchId === undefined && at - takenAt > stalestMs)
      if (stale.length > 0) putBack(line)
      if (line.isForgettable) lines.delete(line.endpointId)
    }
  }

  async function keepAlive(at: number): Promise<void> {
    if (openBatches.size > 0 && at - renewedAt > renewEveryMs) {
      renewedAt = at
      await renewBatches(db, taker, batchLeaseMs)
    }
    if (at - recoveredAt > recoverEveryMs) {
      recoveredAt = at
      const recovered = await recoverBatches(db, undefined)
      if (recovered > 0) log.warn('webhooks.recovered', { count: recovered })
    }
  }

  async function round(): Promise<boolean> {
    const at = performance.now()
    lookAround(at)
    await keepAlive(at)
    const limit = Math.min(width * 2, mostHeld - held)
    if (limit <= 0) return false
    const pieces = await claimQueued(db, {
      taker,
      limit,
      from,
      mostTurns,
      perEndpoint: mostFromQueue,
      endpointRooms: new Map(
        [...lines].map(([id, line]) => [
          id,
          Math.max(0, (line.isAiling ? mostForAiling : mostFromQueue) - line.underWay - line.waiting.length),
        ]),
      ),
      organisationRooms: new Map(
        [...ofOrganisation].map(([id, count]) => [id, Math.max(0, mostOfOrganisation - count)]),
      ),
      leaseMs: queueLeaseMs,
    })
    const gone = pieces.filter(({ isEndpointGone }) => isEndpointGone)
    for (const piece of gone) {
      const ending: Ending = {
        piece,
        entry: undefined,
        status: 'failed',
        reason: 'endpoint_disabled',
        waitMs: null,
        clearsFailures: false,
      }
      endings.push({ ending, batchId: undefined })
    }
    if (gone.length > 0) noteSoon()
    takeFromQueue(pieces.filter(({ isEndpointGone }) => !isEndpointGone))
    const [last] = pieces
      .map(({ endpointId }) => endpointId as string)
      .sort()
      .reverse()
    const wasWhole = from === firstTurn
    from = pieces.length === limit && last !== undefined ? last : firstTurn
    return pieces.length > 0 || !wasWhole
  }

  const rounds: Rounds = startRounds(round, { restMs: 5, idleMs: 1_000 }, (error) =>
    log.warn('webhooks.round_failed', { error }),
  )

  return {
    lease: { taker, leaseMs: batchLeaseMs },
    roomNow() {
      const given = new Map<string, number>()
      let room = isStopping ? 0 : mostHeld - held
      return {
        takes(endpointId) {
          const line = lines.get(endpointId)
          const count = (given.get(endpointId) ?? line?.waiting.length ?? 0) + 1
          if (room <= 0 || count > mostFresh || line?.isAiling) return false
          given.set(endpointId, count)
          room--
          return true
        },
      }
    },
    accept(batchId, pieces) {
      // All of it was told before; the row of the batch goes when its time is over.
      if (pieces.length === 0) return
      openBatches.set(batchId, pieces.length)
      const takenAt = performance.now()
      for (const piece of pieces) {
        held++
        lineOf(piece).waiting.push({ piece, batchId, takenAt })
      }
      pump()
    },
    async settle() {
      for (let waited = 0; waited < 20; waited++) {
        if (![...lines.values()].some((line) => line.isQuick && line.waiting.length > mostFresh / 2)) return
        await wait(5)
      }
    },
    wake: () => rounds.wake(),
    async stop() {
      isStopping = true
      await rounds.stop()
      for (const line of lines.values()) putBack(line)
      await Promise.race([Promise.all(attempts), wait(finishWithinMs, undefined, { ref: false })])
      attempts = new Set()
      for (let tries = 0; tries < 3 && (noting || endings.length > 0); tries++) {
        noteSoon()
        await noting
      }
      await recoverBatches(db, taker).catch(() => {})
      await handBackQueued(db, taker).catch(() => {})
    },
  }
}
