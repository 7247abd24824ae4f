import type { OrganisationId } from '../../server/src/kernel/ids.ts'
import type { Consumer } from '../../server/src/platform/background/consumer.ts'
import { findCursors, listAhead, lockCursors, moveCursors } from '../../server/src/platform/background/cursors.store.ts'
import type { Database, Queryable, Tx } from '../../server/src/platform/database/database.ts'
import { listNext, type ReadEvent } from '../../server/src/platform/events/log-reader.store.ts'

/** What a consumer has examined in the log of one organisation: the events of its types between two positions. */
export interface Scan {
  readonly organisationId: OrganisationId
  readonly from: number
  readonly to: number
  readonly events: readonly ReadEvent[]
}

/** The next events of the first log with news for a consumer; `undefined` if no log has any. */
export async function scanLogs(db: Queryable, { name, on }: Consumer, limit: number): Promise<Scan | undefined> {
  const [organisationId] = (await listAhead(db, [name], undefined, 1_000)).ahead
  if (organisationId === undefined) return undefined
  const [cursor] = await findCursors(db, [{ consumer: name, organisationId }])
  const from = cursor?.position ?? 0
  const events = await listNext(db, [{ organisationId, position: from }], limit)
  const to = events.at(-1)?.position
  if (to === undefined) return undefined
  return { organisationId, from, to, events: events.filter(({ type }) => on.includes(type)) }
}

/** Whether the cursor is still where it was read. If so, no other process can move it until the transaction ends. */
export async function lockScan(tx: Tx, consumer: Consumer, { organisationId, from }: Scan): Promise<boolean> {
  const [locked] = await lockCursors(tx, consumer, [organisationId])
  return locked?.position === from
}

export const moveScan = (tx: Tx, consumer: Consumer, { organisationId, to }: Scan): Promise<void> =>
  moveCursors(tx, consumer, [{ organisationId, position: to }])

/** Lets a consumer read up to `limit` events. Returns how many it wanted, or `undefined` if there were none or another follower has the log. */
export async function followLog(
  db: Database,
  consumer: Consumer,
  limit: number,
  take: (tx: Tx, events: readonly ReadEvent[]) => Promise<void>,
): Promise<number | undefined> {
  const scan = await scanLogs(db, consumer, limit)
  if (!scan) return undefined
  return await db.transaction(async (tx) => {
    if (!(await lockScan(tx, consumer, scan))) return undefined
    await take(tx, scan.events)
    await moveScan(tx, consumer, scan)
    return scan.events.length
  })
}
