import { firstIdAt } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import {
  clockSlackMs,
  compareCursors,
  type EventAtCursor,
  type EventCursor,
  findSettled,
  listAfter,
} from './log-reader.store.ts'

/** The newest events, read once for all consumers of this process. */
export interface Tail extends Rounds {
  /** the first position in memory; undefined before the first read */
  readonly start: EventCursor | undefined
  /** whether memory holds every event after this cursor that has been read */
  reachesBackTo(cursor: EventCursor): boolean
  /** events after a cursor, up to a limit */
  after(cursor: EventCursor, limit: number): { readonly events: readonly EventAtCursor[]; readonly isEnd: boolean }
}

export interface TailBounds {
  /** events kept in memory; a consumer that is further behind reads from the database */
  readonly mostKept: number
  readonly batchSize: number
  /** the rest after a full read: the longest that an event waits before a consumer gets it */
  readonly restMs: number
  readonly idleMs: number
  /** how often to read again after a wake-up that found no event: the event may wait for an older transaction to end */
  readonly looksAgain: number
}

const tailBounds: TailBounds = { mostKept: 8_000, batchSize: 1_000, restMs: 50, idleMs: 1_000, looksAgain: 20 }

/**
 * The rest after a read of this many events. A single event rests shortly, so that the next one does not wait as long as under load. An
 * empty read counts like a few events: a long transaction hides new events, however many wake-ups arrive.
 */
const restAfter = (read: number): number => 2 + 2 * (read || 4)

/**
 * Reads every event once, in order, and calls `grew` when there are more. The order of readable events never changes, so one read serves
 * all consumers.
 */
export function startTail(
  db: Queryable,
  log: Logger,
  grew: () => void,
  { mostKept, batchSize, restMs, idleMs, looksAgain }: TailBounds = tailBounds,
): Tail {
  let start: EventCursor | undefined
  let kept: EventAtCursor[] = []
  let fromId = firstIdAt(0)
  let readLast = 0
  let looksLeft = 0
  const end = () => kept.at(-1)?.cursor ?? start

  async function round(): Promise<boolean> {
    const from = end()
    if (!from) {
      fromId = firstIdAt(Date.now() - clockSlackMs)
      start = await findSettled(db)
      grew()
      return true
    }
    const readAt = Date.now()
    const more = await listAfter(db, from, fromId, batchSize)
    readLast = more.length
    const isEnd = more.length < batchSize
    if (isEnd) fromId = firstIdAt(readAt - clockSlackMs)
    if (more.length === 0) {
      if (looksLeft > 0) rounds.wake()
      looksLeft = Math.max(0, looksLeft - 1)
      return false
    }
    looksLeft = 0
    kept.push(...more)
    if (kept.length > mostKept) {
      start = kept[kept.length - mostKept - 1]?.cursor
      kept = kept.slice(-mostKept)
    }
    grew()
    return !isEnd
  }

  /** How many events in memory are at or before a cursor. */
  function passed(cursor: EventCursor): number {
    let [low, high] = [0, kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareCursors((kept[middle] as EventAtCursor).cursor, cursor) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  const pace = { restMs: () => Math.min(restMs, restAfter(readLast)), idleMs }
  const rounds = startRounds(round, pace, (error) => log.warn('events.tail_failed', { error }))
  return {
    wake() {
      looksLeft = looksAgain
      rounds.wake()
    },
    stop: () => rounds.stop(),
    get start() {
      return start
    },
    reachesBackTo: (cursor) => start !== undefined && compareCursors(cursor, start) >= 0,
    after(cursor, limit) {
      const from = passed(cursor)
      return { events: kept.slice(from, from + limit), isEnd: from + limit >= kept.length }
    },
  }
}
