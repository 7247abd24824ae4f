import type { Mode } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { prepared, sql } from '../../../platform/database/sql.ts'
import type { CollectionNotification, CollectionProviderName } from '../providers/collection-provider.ts'

/** Which provider, with keys of which mode. */
export interface Feed {
  readonly provider: CollectionProviderName
  readonly mode: Mode
}

/** Stores what was told, in one statement that commits by itself; false when it came before. */
export async function insertNotification(
  db: Queryable,
  { provider, mode }: Feed,
  { id, transfer }: CollectionNotification,
): Promise<boolean> {
  const inserted = await db.run(
    prepared(
      'keep a collection notification',
      sql`
    insert into collection_notifications (provider, mode, id, subject) values (${provider}, ${mode}, ${id}, ${transfer})
    on conflict (provider, mode, id) do nothing`,
    ),
  )
  return inserted === 1
}

export interface Heard extends Feed {
  readonly id: string
  readonly transfer: string
  readonly tries: number
}

/** Takes what is due, for a while: whoever dies with it leaves it to others. By the database's clock, as everybody here has it. */
export function claimNotifications(db: Queryable, limit: number, leaseMs: number): Promise<Heard[]> {
  return db.rows(sql`
    update collection_notifications n
       set due_at = now() + ${leaseMs} * interval '1 millisecond', tries = n.tries + 1
      from (select provider, mode, id from collection_notifications
             where due_at <= now() order by due_at limit ${limit} for update skip locked) as due
     where n.provider = due.provider and n.mode = due.mode and n.id = due.id
    returning n.provider, n.mode, n.id, n.subject as transfer, n.tries`)
}

/** What was found out; it is not looked at again. */
export async function saveHeard(
  db: Queryable,
  heard: readonly Pick<Heard, 'provider' | 'mode' | 'id'>[],
  outcome: string,
): Promise<void> {
  await db.run(sql`
    update collection_notifications n set due_at = null, outcome = ${outcome}
      from jsonb_to_recordset(${JSON.stringify(heard)}::jsonb) as h (provider text, mode text, id text)
     where n.provider = h.provider and n.mode = h.mode and n.id = h.id`)
}

export async function saveUnheard(
  db: Queryable,
  { provider, mode, id }: Heard,
  { waitMs, outcome }: { waitMs: number; outcome: string },
): Promise<void> {
  await db.run(sql`
    update collection_notifications set due_at = now() + ${waitMs} * interval '1 millisecond', outcome = ${outcome}
     where provider = ${provider} and mode = ${mode} and id = ${id}`)
}

/** The oldest that were heard, about so many: all that came at the same moment go together. */
export function purgeCollectionNotifications(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from collection_notifications
     where received_at < ${before} and due_at is null
       and received_at <= coalesce(
         (select received_at from collection_notifications where due_at is null order by received_at offset ${limit - 1} limit 1), 'infinity')`)
}

export interface FeedStanding {
  readonly sweptTo: Date | null
  readonly reconciledAt: Date | null
}

export function findFeed(db: Queryable, { provider, mode }: Feed): Promise<FeedStanding | undefined> {
  return db.maybe(sql`
    select swept_to, reconciled_at from collection_feeds where provider = ${provider} and mode = ${mode}`)
}

export async function saveSwept(db: Queryable, { provider, mode }: Feed, to: Date): Promise<void> {
  await db.run(sql`
    insert into collection_feeds as f (provider, mode, swept_to) values (${provider}, ${mode}, ${to})
    on conflict (provider, mode) do update set swept_to = greatest(f.swept_to, excluded.swept_to)`)
}

export async function saveReconciled(db: Queryable, { provider, mode }: Feed, at: Date): Promise<void> {
  await db.run(sql`
    insert into collection_feeds (provider, mode, reconciled_at) values (${provider}, ${mode}, ${at})
    on conflict (provider, mode) do update set reconciled_at = excluded.reconciled_at`)
}
