import { noOrganisation } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstDueOf, roomBeside, walkingTurns } from '../../../platform/database/fair-turns.store.ts'
import { prepared, sql } from '../../../platform/database/sql.ts'
import { atTheirMost } from '../../../platform/jobs/turns.ts'
import type {
  CollectionNotification,
  CollectionProviderName,
  NotificationSubject,
} from '../providers/collection-provider.ts'

/** A provider with the keys of one mode. */
export interface Feed {
  readonly provider: CollectionProviderName
  readonly mode: Mode
}

/**
 * Stores a notification in one statement that commits by itself. Returns false if it was stored before. The
 * organisation is looked up for fair queueing only; it stays unset if the account is unknown.
 */
export async function insertNotification(
  db: Queryable,
  { provider, mode }: Feed,
  { id, subject = 'transfer', transfer, handle }: CollectionNotification,
): Promise<boolean> {
  const inserted = await db.run(
    prepared(
      'keep a collection notification',
      sql`
    insert into collection_notifications (provider, mode, id, about, subject, organisation_id)
    select ${provider}, ${mode}, ${id}, ${subject}::text, ${transfer}, coalesce(known.organisation_id, ${noOrganisation}::uuid)
      from (select 1) as always
      left join (select organisation_id from virtual_accounts where handle = ${handle} and provider = ${provider} and mode = ${mode} limit 1) as known on true
    on conflict (provider, mode, id) do nothing`,
    ),
  )
  return inserted === 1
}

export interface ClaimedNotification extends Feed {
  readonly id: string
  /** What `transfer` refers to. */
  readonly about: NotificationSubject
  readonly transfer: string
  readonly tries: number
  /** Organisation for fair queueing. A notification is no proof of whose transfer it is. */
  readonly organisationId: OrganisationId
}

export interface Claim {
  readonly mode: Mode
  readonly limit: number
  /** Smallest organisation id of this round: turns follow the order of ids. */
  readonly from: string
  /** Notifications in progress per organisation in this mode. Each gets what its limit leaves. */
  readonly underWay: ReadonlyMap<string, number>
  readonly mostPerOrganisation: number
  /** Notifications in progress per provider, so that a silent provider leaves room for others. */
  readonly underWayAt: ReadonlyMap<string, number>
  readonly mostPerProvider: number
  readonly leaseMs: number
}

/**
 * Leases due notifications of one mode; the lease of a dead worker expires. The claim takes one of each organisation in
 * turn, then a second of each, and respects the limit per provider. It walks from organisation to organisation by the
 * index. Times are those of the database clock.
 */
export function claimNotifications(db: Queryable, claim: Claim): Promise<ClaimedNotification[]> {
  const { mode, limit, from, underWay, mostPerOrganisation, underWayAt, mostPerProvider, leaseMs } = claim
  const full = atTheirMost(underWay, mostPerOrganisation)
  const counts = JSON.stringify(Object.fromEntries(underWay))
  const countsAt = JSON.stringify(Object.fromEntries(underWayAt))
  const isDue = sql`mode = ${mode} and due_at <= now() and provider <> all (${atTheirMost(underWayAt, mostPerProvider)}::text[])`
  const rows = { rows: sql`from collection_notifications`, owner: 'organisation_id' } as const
  const room = roomBeside(sql`${mostPerOrganisation}::int`, counts, sql`turns.organisation_id`)
  return db.rows(sql`
    with recursive ${walkingTurns({ ...rows, waits: sql`organisation_id <> all (${full}::uuid[]) and ${isDue}`, from, most: limit })},
    pieces as (
      select piece.*, turns.turn, row_number() over (partition by piece.provider order by piece.nth, turns.turn) as nth_of_provider
        from turns cross join lateral (${firstDueOf({ ...rows, key: sql`provider, mode, id`, isDue, room })}) as piece),
    chosen as (
      select provider, mode, id from pieces
       where nth_of_provider <= ${mostPerProvider}::int - coalesce((${countsAt}::jsonb ->> provider)::int, 0)
       order by nth, turn limit ${limit}::int),
    free as materialized (
      select provider, mode, id from collection_notifications
       where (provider, mode, id) in (select provider, mode, id from chosen) and due_at <= now() for no key update skip locked)
    update collection_notifications n
       set due_at = now() + ${leaseMs} * interval '1 millisecond', tries = n.tries + 1
      from free
     where n.provider = free.provider and n.mode = free.mode and n.id = free.id
    returning n.provider, n.mode, n.id, n.about, n.subject as transfer, n.tries, n.organisation_id`)
}

export interface NotificationLoad {
  readonly waiting: number
  readonly oldestSeconds: number
}

/** Reads only the small partial index of waiting rows. */
export function readNotificationLoad(db: Queryable): Promise<NotificationLoad> {
  return db.one(sql`
    select count(*)::int as waiting, coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as oldest_seconds
      from collection_notifications where due_at is not null`)
}

/** Saves the result. The notification is not looked into again. */
export async function saveHandled(
  db: Queryable,
  notifications: readonly Pick<ClaimedNotification, 'provider' | 'mode' | 'id'>[],
  outcome: string,
): Promise<void> {
  await db.run(sql`
    update collection_notifications n set due_at = null, outcome = ${outcome}
      from jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) as h (provider text, mode text, id text)
     where n.provider = h.provider and n.mode = h.mode and n.id = h.id`)
}

export async function saveForLater(
  db: Queryable,
  { provider, mode, id }: ClaimedNotification,
  { waitMs, outcome }: { waitMs: number; outcome: string },
): Promise<void> {
  await db.run(sql`
    update collection_notifications set due_at = now() + ${waitMs} * interval '1 millisecond', outcome = ${outcome}
     where provider = ${provider} and mode = ${mode} and id = ${id}`)
}

/** Deletes about `limit` of the oldest processed rows: rows of the same instant are deleted together. */
export function purgeCollectionNotifications(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from collection_notifications
     where received_at < ${before} and due_at is null
       and received_at <= coalesce(
         (select received_at from collection_notifications where due_at is null order by received_at offset ${limit - 1} limit 1), 'infinity')`)
}

export interface FeedProgress {
  readonly sweptTo: Date | null
  readonly reconciledAt: Date | null
}

export function findFeed(db: Queryable, { provider, mode }: Feed): Promise<FeedProgress | undefined> {
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
