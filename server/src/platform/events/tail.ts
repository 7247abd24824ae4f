import type { OrganisationId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import {
  findLastSeqs,
  listRanges,
  listWritten,
  type ReadEvent,
  rangeOf,
  startOf,
  type WrittenEvent,
} from './log-reader.store.ts'

/** The newest events of all organisations, read once for all consumers of this process. */
export interface Tail extends Rounds {
  /** the events of an organisation after a position, up to a limit; `undefined` if memory lacks the next one */
  after(organisationId: OrganisationId, position: number, limit: number): readonly ReadEvent[] | undefined
}

export interface TailListener {
  /** no later event can be missed any more; called at the start and after each failure */
  readonly begun?: () => void
  readonly grew: (events: readonly ReadEvent[]) => void
  /** the tail has dropped its memory: it gave up some numbers, a read failed, or a data server was added */
  readonly lost?: () => void
}

export interface TailBounds {
  /** events kept in memory; a consumer that is further behind reads from the database */
  readonly mostKept: number
  readonly batchSize: number
  /** the rest after a full read: the longest that an event waits before a consumer gets it */
  readonly restMs: number
  readonly idleMs: number
  /** how often to read again after a wake-up that found no event: its transaction may be about to commit */
  readonly looksAgain: number
  /** how often to look for a new server of a cluster, which numbers its events in a range of its own; never on one PostgreSQL */
  readonly rangesEveryMs: number
}

export const tailBounds: TailBounds = {
  mostKept: 8_000,
  batchSize: 1_000,
  restMs: 50,
  idleMs: 1_000,
  looksAgain: 20,
  rangesEveryMs: 10_000,
}

/** The rest after a read of this many events. A single event rests shortly, so that the next one does not wait as long as under load. */
const restAfter = (read: number): number => 2 + 2 * (read || 4)

/**
 * Numbers of transactions that have not committed are looked for at every read for the first second, and then every second for ten minutes.
 * Most of them belong to transactions that failed.
 */
const lookOftenMs = 1_000
const lookForMs = 10 * 60_000
const mostMissing = 5_000
/** At the start, so many of the last numbers are checked: transactions with lower numbers may still be running. */
const checkedAtStart = 1_000n

/** Numbers that were passed without an event. */
function createMissing(lost: () => void) {
  const since = new Map<bigint, number>()
  let lookedAtMs = 0
  return {
    add(from: bigint, to: bigint): void {
      const now = performance.now()
      const first = to - from > mostMissing ? to - BigInt(mostMissing) : from
      for (let seq = first; seq < to; seq++) since.set(seq, now)
      const tooMany = since.size - mostMissing
      if (first > from || tooMany > 0) lost()
      for (const seq of [...since.keys()].slice(0, Math.max(0, tooMany))) since.delete(seq)
    },
    found: (seq: bigint) => since.delete(seq),
    /** the numbers to look for at this read */
    due(): bigint[] {
      const now = performance.now()
      const isAll = now - lookedAtMs >= lookOftenMs
      if (isAll) lookedAtMs = now
      for (const [seq, at] of since) if (now - at > lookForMs) since.delete(seq)
      return [...since].filter(([, at]) => isAll || now - at < lookOftenMs).map(([seq]) => seq)
    },
  }
}

/** Events of each organisation in the order of their positions, and of all in the order in which they arrived. */
function createMemory(mostKept: number) {
  const logs = new Map<string, ReadEvent[]>()
  let arrived: ReadEvent[] = []

  function forget(events: readonly ReadEvent[]): void {
    const gone = new Set(events)
    for (const organisationId of new Set(events.map((event) => event.organisationId))) {
      const left = (logs.get(organisationId) ?? []).filter((event) => !gone.has(event))
      if (left.length === 0) logs.delete(organisationId)
      else logs.set(organisationId, left)
    }
  }

  /** The index of the first event after a position. */
  function indexAfter(log: readonly ReadEvent[], position: number): number {
    let [low, high] = [0, log.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((log[middle] as ReadEvent).position <= position) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add(events: readonly ReadEvent[]): void {
      for (const event of events) {
        const log = logs.get(event.organisationId) ?? []
        logs.set(event.organisationId, log)
        const at = indexAfter(log, event.position)
        if (log[at - 1]?.position !== event.position) log.splice(at, 0, event)
      }
      arrived.push(...events)
      if (arrived.length <= mostKept) return
      const from = arrived.length - Math.ceil(mostKept * 0.75)
      forget(arrived.slice(0, from))
      arrived = arrived.slice(from)
    },
    after(organisationId: string, position: number, limit: number): readonly ReadEvent[] | undefined {
      const log = logs.get(organisationId)
      if (!log) return undefined
      const from = indexAfter(log, position)
      if (from === log.length) return log.at(-1)?.position === position ? [] : undefined
      let end = from
      while (end < log.length && end - from < limit && log[end]?.position === position + 1 + end - from) end++
      return end === from ? undefined : log.slice(from, end)
    },
  }
}

/**
 * Reads every event once, in the order of writing, and passes it on. This order is a hint. The positions decide: a consumer takes from
 * memory only what directly follows its cursor, and otherwise reads from the database.
 */
export function startTail(
  db: Queryable,
  log: Logger,
  { begun = () => {}, grew, lost = () => {} }: TailListener,
  { mostKept, batchSize, restMs, idleMs, looksAgain, rangesEveryMs }: TailBounds = tailBounds,
): Tail {
  let memory = createMemory(mostKept)
  /** Some events will never be read here. The newest one in memory may no longer be the last of its log. */
  const loseSome = () => {
    memory = createMemory(mostKept)
    lost()
  }
  const missing = createMissing(loseSome)
  /** the last number of each range */
  let last: readonly bigint[] | undefined
  let rangesReadAtMs = 0
  /** A full read ended in this range. The next read takes the ranges above it, so that one server's backlog does not delay the others. */
  let fullIn: bigint | undefined
  let readLast = 0
  let looksLeft = 0

  /** Events after `from`, and the numbers between them. */
  function pass(from: readonly bigint[], events: readonly WrittenEvent[]): bigint[] {
    const reached = new Map(from.map((seq) => [rangeOf(seq), seq]))
    for (const { seq } of events) {
      const before = reached.get(rangeOf(seq)) ?? seq
      if (seq <= before) missing.found(seq)
      else {
        if (seq > before + 1n) missing.add(before + 1n, seq)
        reached.set(rangeOf(seq), seq)
      }
    }
    return [...reached.values()]
  }

  /** Whether a server was added. Shards may have moved to it, so the newest event in memory may no longer be the last of its log. */
  async function hasNewRange(known: readonly bigint[]): Promise<boolean> {
    const now = performance.now()
    if (known.length === 1 || now - rangesReadAtMs < rangesEveryMs) return false
    rangesReadAtMs = now
    const ranges = new Set(known.map(rangeOf))
    return (await listRanges(db)).some((range) => !ranges.has(range))
  }

  async function begin(): Promise<void> {
    rangesReadAtMs = performance.now()
    fullIn = undefined
    const ends = await findLastSeqs(db)
    const from = ends.map((end) => {
      const start = startOf(rangeOf(end))
      return end - start > checkedAtStart ? end - checkedAtStart : start
    })
    const events = await listWritten(db, from, [], Number(checkedAtStart) * ends.length)
    const firstOf = (end: bigint) => events.find(({ seq }) => rangeOf(seq) === rangeOf(end))?.seq
    last = pass(
      ends.map((end) => (firstOf(end) ?? end + 1n) - 1n),
      events,
    )
    begun()
  }

  async function round(): Promise<boolean> {
    if (last !== undefined && (await hasNewRange(last))) {
      loseSome()
      last = undefined
    }
    if (last === undefined) {
      await begin()
      return true
    }
    const before = last
    const wasFullIn = fullIn
    const inTurn = wasFullIn === undefined ? before : before.filter((seq) => rangeOf(seq) > wasFullIn)
    const events = await listWritten(db, inTurn, missing.due(), batchSize)
    last = pass(before, events)
    const isFull = events.length >= batchSize
    const reached = last.findLast((seq, at) => seq !== before[at])
    fullIn = isFull && reached !== undefined && reached !== last.at(-1) ? rangeOf(reached) : undefined
    readLast = events.length
    if (events.length === 0) {
      if (wasFullIn !== undefined) return true
      if (looksLeft > 0) rounds.wake()
      looksLeft = Math.max(0, looksLeft - 1)
      return false
    }
    looksLeft = 0
    memory.add(events)
    grew(events)
    return isFull || wasFullIn !== undefined
  }

  const pace = { restMs: () => Math.min(restMs, restAfter(readLast)), idleMs }
  const rounds = startRounds(round, pace, (error) => {
    log.warn('events.tail_failed', { error })
    // The database may come back without the newest events, and then gives their numbers again.
    if (last !== undefined) loseSome()
    last = undefined
  })
  return {
    wake() {
      looksLeft = looksAgain
      rounds.wake()
    },
    stop: () => rounds.stop(),
    after: (organisationId, position, limit) => memory.after(organisationId, position, limit),
  }
}
