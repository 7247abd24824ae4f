import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { isPassingFailure, isUniqueViolation } from '../database/database.ts'
import { halvesOf } from '../halves.ts'
import type { KeyedReply } from './idempotency.store.ts'
import type { PlannedWrite, Statement } from './operation.ts'
import type { ReturnedValues } from './reply-template.ts'
import { timesOf } from './times.ts'
import type { Call, Runtime, Transactions } from './transactions.ts'
import { tooBusy } from './turns-of-tenants.ts'

export interface QueueBounds {
  /** members of one batch; in a larger batch, members wait longer than they gain */
  readonly largestBatch: number
  /** members of a batch of several tenants; fewer, so that other batches can be written at the same time */
  readonly largestShared: number
  /** batches written at the same time; fewer than the connections, so that readers find one too */
  readonly mostBatches: number
  /**
   * this many batches start with any number of members; further ones need enough members, because a statement costs as much as several of
   * its members
   */
  readonly promptBatches: number
  /** so many waiting members start another batch */
  readonly worthABatch: number
  /** a member that has waited this long starts another batch too: the running batch may be waiting for a lock */
  readonly longestPauseMs: number
  /** members of one tenant that may wait; a client that never stops must not fill the memory */
  readonly mostWaiting: number
  /** a member that has waited this long is refused; nothing was written for it */
  readonly longestWaitMs: number
  /** a tenant whose own batch failed or was split shares no batches for this long */
  readonly apartMs: number
  /** above this many such tenants, all of them may share batches again */
  readonly mostApart: number
}

export const queueBounds: QueueBounds = {
  largestBatch: 64,
  largestShared: 32,
  mostBatches: 6,
  promptBatches: 2,
  worthABatch: 16,
  longestPauseMs: 5,
  mostWaiting: 2_000,
  longestWaitMs: 5_000,
  apartMs: 10_000,
  mostApart: 10_000,
}

type AnyStatement<Output> = Statement<Caller, unknown, Output>

/** A plan and the values that the database returned; `returned` is undefined if a guard failed. */
export interface StatementResult {
  readonly plan: unknown
  readonly returned: ReturnedValues | undefined
}

/** Makes the reply that is stored with a plan. Returns `undefined` if the reply cannot be made before the plan is written. */
export type MakeReply = (plan: unknown) => KeyedReply | undefined

/** A call that waits to be written in a batch of a hot statement. `ended(undefined)` sends it to the fallback. */
interface Member {
  readonly planned: PlannedWrite<Caller, unknown>
  /** by the clock of this process */
  readonly sinceMs: number
  readonly ended: (returned: ReturnedValues | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Calls of one tenant for one statement. While a batch of them is being written, the others wait. */
interface Queue {
  readonly statement: AnyStatement<unknown>
  readonly tenant: Tenant
  readonly key: string
  readonly waiting: Member[]
  /** members that could not be written with other tenants, and go next */
  alone: readonly Member[]
  state: 'idle' | 'ready' | 'under way'
  /** by the clock of this process */
  readySinceMs: number
}

/** The members of a queue that one statement writes. */
interface Share {
  readonly queue: Queue
  readonly members: readonly Member[]
}

/** Takes up to `room` waiting members with different conflict keys, the oldest first. Refuses members that have waited too long. */
function takeBatch(
  waiting: Member[],
  conflictKey: ((plan: unknown) => string) | undefined,
  room: number,
  longestWaitMs: number,
): Member[] {
  const firstInTime = waiting.findIndex(({ sinceMs }) => sinceMs > performance.now() - longestWaitMs)
  for (const member of waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime)) member.failed(tooBusy())
  if (!conflictKey) return waiting.splice(0, room)
  const taken = new Set<string>()
  const batch: Member[] = []
  const left: Member[] = []
  for (const member of waiting) {
    const subject = conflictKey(member.planned.plan)
    if (taken.has(subject) || batch.length === room) left.push(member)
    else {
      taken.add(subject)
      batch.push(member)
    }
  }
  waiting.splice(0, waiting.length, ...left)
  return batch
}

/**
 * Runs hot statements in batches. Each tenant has a queue for each statement. Calls that arrive while a batch of the tenant is being
 * written form the next batch, with one lock of the tenant's counters and one commit. If the statement has `writeShared`, waiting tenants
 * share a batch; a tenant whose rows are locked is then written alone. A batch that fails is halved until the member at fault is alone;
 * that member's caller runs the fallback.
 */
export function createStatementBatches(
  runtime: Pick<Runtime, 'db' | 'clock' | 'clocks' | 'wakeUp' | 'settings' | 'log'>,
  transactions: Pick<Transactions, 'outside'>,
  bounds: QueueBounds = queueBounds,
) {
  const { db, wakeUp, settings, log } = runtime
  const queues = new Map<AnyStatement<unknown>, Map<string, Queue>>()
  /** queues that wait for a turn, the longest waiting first */
  const ready: Queue[] = []
  let free = bounds.mostBatches
  /** tenants that are written alone, and until when */
  const apart = new Map<string, number>()

  const planned = (members: readonly Member[]) => members.map((member) => member.planned)
  const failAll = (members: readonly Member[], error: unknown) => {
    for (const member of members) member.failed(error)
  }
  /** Do not split and retry: the batch may have committed (connection lost), or no member is at fault (lock timeout, disk full). */
  const failsAll = (error: unknown): boolean => isPassingFailure(error) || error instanceof Refusal

  /** Writes plans of one tenant. Returns false if the batch was not written as a whole and had to be split. */
  async function writeBatch(queue: Queue, members: readonly Member[]): Promise<boolean> {
    if (members.length === 0) return true
    try {
      const written = await queue.statement.write(db, queue.tenant, planned(members))
      if (written) {
        for (const [at, member] of members.entries()) member.ended(written[at])
        return true
      }
    } catch (error) {
      if (failsAll(error)) {
        failAll(members, error)
        return true
      }
      // A number or a key that is taken is expected. Anything else is a fault of the statement, which the fallback would hide.
      if (members.length === 1 && !isUniqueViolation(error)) log.error('statement.failed', { error })
    }
    if (members.length === 1) members[0]?.ended(undefined)
    else for (const half of halvesOf(members)) await writeBatch(queue, half)
    return false
  }

  /** Writes plans of several tenants; returns the shares that must be written alone. */
  async function writeShared(
    write: NonNullable<AnyStatement<unknown>['writeShared']>,
    shares: readonly Share[],
  ): Promise<readonly Share[]> {
    const members = shares.flatMap((share) => share.members)
    if (members.length === 0) return []
    try {
      const written = await write(db, planned(members))
      const returned = new Map(members.map((member, at) => [member, written[at]]))
      return shares.filter((share) => {
        const isWritten = share.members.every((member) => returned.get(member) !== undefined)
        if (isWritten) for (const member of share.members) member.ended(returned.get(member))
        return !isWritten
      })
    } catch (error) {
      if (!failsAll(error)) return shares
      failAll(members, error)
      return []
    }
  }

  const isApart = ({ key }: Queue): boolean => (apart.get(key) ?? 0) > performance.now()
  function keepApart({ key }: Queue): void {
    if (apart.size >= bounds.mostApart) apart.clear()
    apart.set(key, performance.now() + bounds.apartMs)
  }

  /** Takes the first queue that is ready, and others of the same statement that may share its batch. */
  function takeShares(): readonly Share[] {
    const first = ready.shift() as Queue
    const { statement } = first
    first.state = 'under way'
    if (first.alone.length > 0) return [{ queue: first, members: first.alone }]
    const shares: Share[] = []
    const take = (queue: Queue, room: number): number => {
      const taken = takeBatch(queue.waiting, statement.conflictKey, room, bounds.longestWaitMs)
      shares.push({ queue, members: taken })
      return taken.length
    }
    let room = bounds.largestShared - take(first, bounds.largestBatch)
    if (!settings.sharedStatements || !statement.writeShared || isApart(first)) return shares
    const mayJoin = (queue: Queue) => queue.statement === statement && queue.alone.length === 0 && !isApart(queue)
    for (const queue of ready.filter((one) => mayJoin(one) && db.areTogether(first.tenant, one.tenant))) {
      if (room <= 0) break
      queue.state = 'under way'
      room -= take(queue, room)
    }
    ready.splice(0, ready.length, ...ready.filter(({ state }) => state === 'ready'))
    return shares
  }

  async function write(shares: readonly Share[]): Promise<void> {
    const [only, another] = shares as [Share, Share | undefined]
    const { writeShared: shared } = only.queue.statement
    if (another && shared) {
      for (const { queue, members } of await writeShared(shared, shares)) queue.alone = members
    } else {
      const wasWrittenWhole = await writeBatch(only.queue, only.members)
      if (!wasWrittenWhole) keepApart(only.queue)
      only.queue.alone = []
    }
  }

  let isPausing = false

  /** Whether to begin the next batch now instead of waiting for more members. */
  function isWorthIt(): boolean {
    if (bounds.mostBatches - free < bounds.promptBatches) return true
    const waited = performance.now() - (ready[0] as Queue).readySinceMs
    if (waited >= bounds.longestPauseMs) return true
    let members = 0
    for (const { waiting, alone } of ready) members += waiting.length + alone.length
    if (members >= bounds.worthABatch) return true
    if (!isPausing) setTimeout(beginAgain, bounds.longestPauseMs - waited)
    isPausing = true
    return false
  }

  function beginAgain(): void {
    isPausing = false
    begin()
  }

  let isBeginning = false

  /** Runs at the end of this turn of the event loop. Members that arrive or are planned in the same turn then share the first batch. */
  function beginSoon(): void {
    if (isBeginning) return
    isBeginning = true
    setImmediate(() => {
      isBeginning = false
      begin()
    })
  }

  /** Starts batches up to the limit. Calls that arrive while a queue waits for its turn join its batch. */
  function begin(): void {
    for (; free > 0 && ready.length > 0 && isWorthIt(); free--) {
      const shares = takeShares()
      void write(shares).finally(() => {
        free++
        for (const { queue } of shares) afterBatch(queue)
        begin()
      })
    }
  }

  /** Removes empty queues. */
  function afterBatch(queue: Queue): void {
    queue.state = 'idle'
    if (queue.alone.length + queue.waiting.length > 0) makeReady(queue)
    else queues.get(queue.statement)?.delete(queue.key)
  }

  function makeReady(queue: Queue): void {
    queue.state = 'ready'
    queue.readySinceMs = performance.now()
    ready.push(queue)
  }

  function queueOf(statement: AnyStatement<unknown>, tenant: Tenant): Queue {
    let ofStatement = queues.get(statement)
    if (!ofStatement) {
      ofStatement = new Map()
      queues.set(statement, ofStatement)
    }
    const key = `${tenant.organisationId} ${tenant.mode}`
    let queue = ofStatement.get(key)
    if (!queue) {
      queue = { statement, tenant, key, waiting: [], alone: [], state: 'idle', readySinceMs: 0 }
      ofStatement.set(key, queue)
    }
    return queue
  }

  function enqueue(
    statement: AnyStatement<unknown>,
    tenant: Tenant,
    planned: PlannedWrite<Caller, unknown>,
  ): Promise<ReturnedValues | undefined> {
    const queue = queueOf(statement, tenant)
    if (queue.waiting.length >= bounds.mostWaiting) return Promise.reject(tooBusy())
    return new Promise((ended, failed) => {
      queue.waiting.push({ planned, sinceMs: performance.now(), ended, failed })
      if (queue.state === 'under way') return
      if (queue.state === 'idle') makeReady(queue)
      // The new member may complete a batch.
      beginSoon()
    })
  }

  /** Plans, and writes with the statement if it can. Writes nothing if a reply must be stored but cannot be made beforehand. */
  async function writeInBatch<C extends Caller, Input, Output>(
    statement: Statement<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    makeReply?: MakeReply,
  ): Promise<StatementResult> {
    const known = timesOf(runtime, statement, caller, input)
    // No needless wait: calls that are planned in one turn of the event loop share a batch.
    const times = known instanceof Promise ? await known : known
    const plan = await statement.plan(transactions.outside({ caller, origin, ...times }), input)
    signal?.throwIfAborted()
    if (statement.fitsStatement?.(plan) === false) return { plan, returned: undefined }
    const keyed = makeReply?.(plan)
    if (makeReply && !keyed) return { plan, returned: undefined }
    const { tenant } = caller as Caller as TokenCaller
    const planned = { plan, caller, origin, ...times, keyed }
    const returned = await enqueue(statement as unknown as AnyStatement<unknown>, tenant, planned)
    if (returned) wakeUp.send(['events', ...(statement.wakes ?? [])])
    return { plan, returned }
  }

  return writeInBatch
}
