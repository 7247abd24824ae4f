import type { Jurisdiction } from '../../../jurisdictions/port.ts'
import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Outside } from '../../../platform/operations/operation.ts'
import { type Connection, findConnection, isConnected } from '../../tax-connection/index.ts'
import { type Feed, feedOf } from '../feeds/feed.ts'
import { type FeedProgress, findFeed } from '../feeds/feeds.store.ts'
import type { Today } from '../received-filter.ts'
import { listTaxIdsReceivedUnder } from '../received-invoices.store.ts'
import { countArrivals } from './arrivals.store.ts'

/** Whether the list that a tenant sees is complete. */
export interface Sync {
  readonly isConnected: boolean
  /** Documents are being processed, or the feed was never read. */
  readonly syncing: boolean
  /** When the feed was last read to the end. */
  readonly lastSyncedAt: Date | null
  readonly error: string | null
}

/** A feed is read every minute. After 15 minutes without a read the list may be incomplete, and callers must know. */
const silentMs = 15 * 60_000

export function errorOf(feedState: FeedProgress | undefined, now: Date): string | null {
  if (!feedState) return null
  if (feedState.error !== null) return feedState.error
  const { polledAt } = feedState
  if (polledAt === null || now.getTime() - polledAt.getTime() < silentMs) return null
  return 'Invoices from other businesses have not been read for at least 15 minutes. Reading resumes when the worker runs.'
}

const errorOfSetAside = (count: number): string | null =>
  count === 0
    ? null
    : `${count} of the documents sent to you could not be stored. They are retried; ask the operator of this installation.`

export interface FeedState {
  readonly connection: Connection | undefined
  readonly feed: Feed | undefined
  readonly sync: Sync
}

/** The sync state of a tenant, from our own records only. */
export async function feedStateOf({ db, caller, realNow }: Outside<TokenCaller>): Promise<FeedState> {
  const connection = await findConnection(db, caller.tenant)
  if (!isConnected(connection) || caller.country === undefined)
    return {
      connection,
      feed: undefined,
      sync: { isConnected: false, syncing: false, lastSyncedAt: null, error: null },
    }
  const feed = feedOf(caller.country, caller, connection)
  const feedState = await findFeed(db, feed)
  const { waiting, setAside } = await countArrivals(db, caller.tenant)
  const lastSyncedAt = feedState?.polledAt ?? null
  return {
    connection,
    feed,
    sync: {
      isConnected: true,
      syncing: lastSyncedAt === null || waiting > 0,
      lastSyncedAt,
      error: errorOf(feedState, realNow) ?? errorOfSetAside(setAside),
    },
  }
}

/** The organisation's tax numbers in this mode: that of its connection, and those under which it has received. */
export async function ownTaxIds(
  db: Queryable,
  { tenant }: Pick<TokenCaller, 'tenant'>,
  connection: Connection | undefined,
): Promise<string[]> {
  const received = await listTaxIdsReceivedUnder(db, tenant)
  const own = connection?.taxIdNormal ?? null
  return [...new Set([...(own === null ? [] : [own]), ...received])]
}

export const todayOf = (jurisdiction: Jurisdiction | undefined, now: Date): Today => {
  const zone = jurisdiction?.zone ?? 'UTC'
  return { zone, today: businessDay(now, zone) }
}
