import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** One counter of wrong attempts, and until when it is locked. */
export interface DoorRow {
  readonly lane: string
  readonly wrong: number
  readonly beganAt: Date
  readonly closings: number
  readonly closedUntil: Date | null
}

const columns = sql`lane, wrong, began_at, closings, closed_until`

export function findDoors(
  db: Queryable,
  purpose: string,
  accountMac: string,
  lanes: readonly string[],
): Promise<DoorRow[]> {
  return db.rows(
    sql`select ${columns} from doors where purpose = ${purpose} and account_mac = ${accountMac} and lane = any(${lanes}::text[])`,
  )
}

/** Inserts a missing row, so that it can be locked: concurrent attempts then see each other's count. */
export function lockDoorRow(tx: Tx, purpose: string, accountMac: string, lane: string, now: Date): Promise<DoorRow> {
  return tx.one(sql`
    insert into doors as d (purpose, account_mac, lane, wrong, began_at, closings)
    values (${purpose}, ${accountMac}, ${lane}, 0, ${now}, 0)
    on conflict (purpose, account_mac, lane) do update set wrong = d.wrong
    returning ${columns}`)
}

export async function saveDoor(tx: Tx, purpose: string, accountMac: string, row: DoorRow): Promise<void> {
  await tx.run(sql`
    update doors set wrong = ${row.wrong}, began_at = ${row.beganAt}, closings = ${row.closings}, closed_until = ${row.closedUntil}
     where purpose = ${purpose} and account_mac = ${accountMac} and lane = ${row.lane}`)
}

export async function forgetDoor(tx: Tx, purpose: string, accountMac: string, lane: string): Promise<void> {
  await tx.run(sql`delete from doors where purpose = ${purpose} and account_mac = ${accountMac} and lane = ${lane}`)
}

export function purgeDoors(db: Queryable, before: Date, limit: number): Promise<number> {
  const isPast = sql`began_at < ${before} and (closed_until is null or closed_until < ${before})`
  // Checks again, because a count that has started again must stay.
  return db.run(sql`
    delete from doors where ${isPast} and (purpose, account_mac, lane) in (
      select purpose, account_mac, lane from doors where ${isPast} limit ${limit})`)
}

/**
 * Whether a person with this address has signed in from a network recently. The query is the same for an unknown
 * address.
 */
export async function isKnownNetwork(
  db: Queryable,
  email: string,
  networkMacs: readonly string[],
  since: Date,
  most: number,
): Promise<boolean> {
  const { known } = await db.one<{ known: boolean }>(sql`
    select ${networkMacs}::text[] && array(
      select d.network_mac from users u join known_devices d on d.user_id = u.id
       where lower(u.email) = ${email} and d.last_seen_at > ${since}
       group by d.network_mac order by max(d.last_seen_at) desc limit ${most}) as known`)
  return known
}
