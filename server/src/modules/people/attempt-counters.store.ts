import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** One counter of wrong attempts, and until when it is locked. */
export interface AttemptCounter {
  readonly network: string
  readonly wrong: number
  readonly beganAt: Date
  readonly lockouts: number
  readonly lockedUntil: Date | null
}

const columns = sql`network, wrong, began_at, lockouts, locked_until`

export function findAttemptCounters(
  db: Queryable,
  purpose: string,
  accountMac: string,
  networks: readonly string[],
): Promise<AttemptCounter[]> {
  return db.rows(
    sql`select ${columns} from attempt_counters where purpose = ${purpose} and account_mac = ${accountMac} and network = any(${networks}::text[])`,
  )
}

/** Inserts a missing row, so that it can be locked: concurrent attempts then see each other's count. */
export function lockAttemptCounter(
  tx: Tx,
  purpose: string,
  accountMac: string,
  network: string,
  now: Date,
): Promise<AttemptCounter> {
  return tx.one(sql`
    insert into attempt_counters as d (purpose, account_mac, network, wrong, began_at, lockouts)
    values (${purpose}, ${accountMac}, ${network}, 0, ${now}, 0)
    on conflict (purpose, account_mac, network) do update set wrong = d.wrong
    returning ${columns}`)
}

export async function saveAttemptCounter(
  tx: Tx,
  purpose: string,
  accountMac: string,
  row: AttemptCounter,
): Promise<void> {
  await tx.run(sql`
    update attempt_counters set wrong = ${row.wrong}, began_at = ${row.beganAt}, lockouts = ${row.lockouts}, locked_until = ${row.lockedUntil}
     where purpose = ${purpose} and account_mac = ${accountMac} and network = ${row.network}`)
}

export async function deleteAttemptCounter(
  tx: Tx,
  purpose: string,
  accountMac: string,
  network: string,
): Promise<void> {
  await tx.run(
    sql`delete from attempt_counters where purpose = ${purpose} and account_mac = ${accountMac} and network = ${network}`,
  )
}

export function purgeAttemptCounters(db: Queryable, before: Date, limit: number): Promise<number> {
  const isPast = sql`began_at < ${before} and (locked_until is null or locked_until < ${before})`
  // Checks again, because a count that has started again must stay.
  return db.run(sql`
    delete from attempt_counters where ${isPast} and (purpose, account_mac, network) in (
      select purpose, account_mac, network from attempt_counters where ${isPast} limit ${limit})`)
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
