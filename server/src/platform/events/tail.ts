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
} from './cursors.store.ts'

/** The newest events, read once for all who follow them in this process. */
export interface Tail extends Rounds {
  /** where it begins; nothing before it was read for the first time */
  readonly start: EventCursor | undefined
  /** whether everything after this cursor that has been read is kept */
  reachesBackTo(cursor: EventCursor): boolean
  /** what comes after a cursor, at most so many */
  after(cursor: EventCursor, limit: number): { readonly events: readonly EventAtCursor[]; readonly isEnd: boolean }
}

export interface TailBounds {
  /** as many are kept; whoever is further behind reads by themselves */
  readonly mostKept: number
  readonly batchSize: number
  /** how long it rests when it has read many: so long, at the most, an event waits before anybody hears of it */
  readonly restMs: number
  readonly idleMs: number
  /** how often it looks once more when it was woken and found nothing: what it was told of may wait for an older transaction to end */
  readonly looksAgain: number
}

const tailBounds: TailBounds = { mostKept: 8_000, batchSize: 1_000, restMs: 50, idleMs: 1_000, looksAgain: 20 }

/**
 * How long it rests after so many: who comes right behind a single one is not to wait as long as under load. Nothing counts as a few: while a
 * long transaction is under way there is nothing to read, however often somebody says so.
 */
const restAfter = (read: number): number => 2 + 2 * (read || 4)

/**
 * Reads every event once, in their order, and tells `grew` when there are more. What stands in the order of events never changes behind
 * what can be read of it, so what was read is good for all.
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

  /** How many of those kept stand at or before a cursor. */
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
