import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { Feed } from './feed.ts'

export interface FeedProgress {
  readonly polledAt: Date | null
  readonly triedAt: Date | null
  readonly error: string | null
  readonly reachBackTo: Date | null
}

const of = ({ country, mode, access }: Feed): Sql => sql`country = ${country} and mode = ${mode} and access = ${access}`

export function findFeed(db: Queryable, feed: Feed): Promise<FeedProgress | undefined> {
  return db.maybe(sql`select polled_at, tried_at, error, reach_back_to from received_feeds where ${of(feed)}`)
}

/** Saves that the feed was read to the end, or the error; an error changes nothing else. */
export async function saveFeedPolled(tx: Tx, feed: Feed, now: Date, error: string | null): Promise<void> {
  const polledAt = error === null ? now : null
  await tx.run(sql`
    insert into received_feeds as f (country, mode, access, polled_at, tried_at, error)
    values (${feed.country}, ${feed.mode}, ${feed.access}, ${polledAt}, ${now}, ${error})
    on conflict (country, mode, access) do update
      set polled_at = coalesce(excluded.polled_at, f.polled_at), tried_at = excluded.tried_at, error = excluded.error,
          reach_back_to = case when excluded.polled_at is null then f.reach_back_to end`)
}

export async function saveFeedError(tx: Tx, feed: Feed, error: string): Promise<void> {
  await tx.run(sql`update received_feeds set error = ${error} where ${of(feed)}`)
}

export async function saveReachBack(tx: Tx, feed: Feed, to: Date): Promise<void> {
  await tx.run(sql`
    insert into received_feeds as f (country, mode, access, reach_back_to)
    values (${feed.country}, ${feed.mode}, ${feed.access}, ${to})
    on conflict (country, mode, access) do update set reach_back_to = least(f.reach_back_to, excluded.reach_back_to)`)
}

/** Each reference is stored once. */
export async function insertReferences(tx: Tx, feed: Feed, references: readonly string[], now: Date): Promise<void> {
  await tx.run(sql`
    insert into received_references (country, mode, access, reference, due_at, seen_at)
    select ${feed.country}, ${feed.mode}, ${feed.access}, r, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${references}::text[]) as r order by r
    on conflict do nothing`)
}

export interface OpenReference {
  readonly reference: string
  readonly tries: number
}

/** References that are not processed yet, longest due first. */
export function listOpenReferences(db: Queryable, feed: Feed, now: Date, limit: number): Promise<OpenReference[]> {
  return db.rows(sql`
    select reference, tries from received_references
     where ${of(feed)} and is_open and due_at <= ${now} order by due_at, reference limit ${limit}`)
}

/** References that were never processed. Failed ones are retried in the background. */
export async function filterUnseen(db: Queryable, feed: Feed, references: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ reference: string }>(sql`
    select r as reference from unnest(${references}::text[]) with ordinality as u (r, nth)
     where not exists (select 1 from received_references where ${of(feed)} and reference = u.r and (not is_open or tries > 0)) order by nth`)
  return rows.map(({ reference }) => reference)
}

export async function saveReferenceDone(
  tx: Tx,
  feed: Feed,
  reference: string,
  buyerTaxIdNormal: string | null,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into received_references (country, mode, access, reference, buyer_tax_id_normal, is_open, due_at, seen_at)
    values (${feed.country}, ${feed.mode}, ${feed.access}, ${reference}, ${buyerTaxIdNormal}, false, ${now}, ${now})
    on conflict (country, mode, access, reference) do update
      set is_open = false, problem = null, buyer_tax_id_normal = excluded.buyer_tax_id_normal`)
}

/** Saves a failed attempt. `problem` is null if the authority did not answer. */
export async function saveReferenceLater(
  tx: Tx,
  feed: Feed,
  reference: string,
  { dueAt, problem, now }: { readonly dueAt: Date; readonly problem: string | null; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into received_references as r (country, mode, access, reference, tries, due_at, seen_at, problem)
    values (${feed.country}, ${feed.mode}, ${feed.access}, ${reference}, 1, ${dueAt}, ${now}, ${problem})
    on conflict (country, mode, access, reference) do update
      set tries = r.tries + 1, due_at = excluded.due_at, problem = excluded.problem where r.is_open`)
}

/** References whose documents could not be processed. */
export async function countReferencesSetAside(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from received_references where is_open and problem is not null`,
  )
  return count
}

/** Processes documents for this number again, because a tenant with this number has connected. */
export async function reopenReferences(tx: Tx, feed: Feed, buyerTaxIdNormal: string, now: Date): Promise<void> {
  await tx.run(sql`
    update received_references set is_open = true, tries = 0, due_at = ${now}, problem = null
     where ${of(feed)} and buyer_tax_id_normal = ${buyerTaxIdNormal}`)
}
