import type { OrganisationId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { listAhead } from './cursors.store.ts'

export interface HeadWalk extends Pick<Rounds, 'stop'> {
  /** starts a new walk */
  begin(): void
  /** the same within some seconds */
  beginSoon(): void
}

interface HeadWalkPort {
  readonly notice: (organisationIds: ReadonlySet<OrganisationId>) => void
  /** how many logs wait for the busiest consumer */
  readonly backlog: () => number
}

const heads = 2_000
/** The next page waits until every consumer has fewer logs than this before it. */
const mostWaiting = 2_000
const restMs = 50
const soonMs = 5_000
const everyMs = 5 * 60_000

/**
 * Walks through the heads of all logs and finds those that are ahead of a consumer's cursor. Needed at the start, and for events that the
 * tail did not read. The tail finds all others sooner.
 */
export function startHeadWalk(
  db: Queryable,
  log: Logger,
  consumers: readonly string[],
  { notice, backlog }: HeadWalkPort,
): HeadWalk {
  /** when the next walk starts; none before the tail has started */
  let dueAtMs = Number.POSITIVE_INFINITY
  /** the walk under way, and the last log that it has passed */
  let walk: { after: OrganisationId | undefined } | undefined

  async function round(): Promise<boolean> {
    const now = performance.now()
    if (now >= dueAtMs) {
      walk = { after: undefined }
      dueAtMs = now + everyMs
    }
    if (!walk || backlog() >= mostWaiting) return false
    const { ahead, next } = await listAhead(db, consumers, walk.after, heads)
    if (ahead.length > 0) notice(new Set(ahead))
    walk = next === undefined ? undefined : { after: next }
    if (walk) rounds.wake()
    return false
  }

  const rounds = startRounds(round, { restMs, idleMs: 1_000 }, (error) => log.warn('events.walk_failed', { error }))
  return {
    begin() {
      dueAtMs = 0
      rounds.wake()
    },
    beginSoon() {
      dueAtMs = Math.min(dueAtMs, performance.now() + soonMs)
    },
    stop: () => rounds.stop(),
  }
}
