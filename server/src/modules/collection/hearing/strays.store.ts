import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CollectionProviderName, Transfer } from '../providers/collection-provider.ts'
import type { Feed } from './notifications.store.ts'

/**
 * Why a transfer is in nobody's books: its account is none of ours, of the other mode, or nothing came; its entry cannot be read; or
 * recording it failed.
 */
export type StrayReason = 'unknown_account' | 'other_mode' | 'no_amount' | 'unreadable' | 'failed'

export interface Stray {
  readonly reference: string
  readonly reason: StrayReason
  /** what is known of the transfer; missing where its entry cannot be read */
  readonly transfer?: Transfer
  readonly detail?: string
  /** the entry of the statement that cannot be read */
  readonly entry?: string
  readonly foundAt: Date
  /** when the provider is asked about it again */
  readonly dueAt?: Date
}

/** Keeps a stray as the provider tells it. True when it is new, or has a new reason: statements tell of the same ones again and again. */
export async function saveStray(db: Queryable, { provider, mode }: Feed, stray: Stray): Promise<boolean> {
  const { reference, reason, transfer: t, detail = null, entry = null, foundAt, dueAt = null } = stray
  const saved = await db.run(sql`
    insert into collection_strays as s (provider, mode, reference, handle, reason, amount_minor, currency, sender_name, narration, received_at, found_at,
                                        detail, entry, due_at)
    values (${provider}, ${mode}, ${reference}, ${t?.handle ?? null}, ${reason}, ${t?.amountMinor ?? null}, ${t?.currency ?? null},
            ${t?.senderName ?? null}, ${t?.narration ?? null}, ${t?.receivedAt ?? null}, ${foundAt}, ${detail}, ${entry}, ${dueAt})
    on conflict (provider, mode, reference) do update
       set reason = excluded.reason, handle = coalesce(excluded.handle, s.handle), amount_minor = coalesce(excluded.amount_minor, s.amount_minor),
           currency = coalesce(excluded.currency, s.currency), received_at = coalesce(excluded.received_at, s.received_at), detail = excluded.detail,
           entry = coalesce(excluded.entry, s.entry), due_at = excluded.due_at, taken_in_at = null
     where s.reason <> excluded.reason or s.taken_in_at is not null`)
  return saved === 1
}

export interface DueStray extends Feed {
  readonly reference: string
  readonly tries: number
}

/** Strays that the provider is to be asked about again, those that waited longest first. */
export function listStraysDue(db: Queryable, { provider, mode }: Feed, now: Date, limit: number): Promise<DueStray[]> {
  return db.rows(sql`
    select provider, mode, reference, tries from collection_strays
     where provider = ${provider} and mode = ${mode} and due_at <= ${now} order by due_at limit ${limit}`)
}

/** Asked about once more without success. `dueAt` is null where nobody asks again. */
export async function saveStrayLater(
  db: Queryable,
  { provider, mode, reference }: DueStray,
  dueAt: Date | null,
): Promise<void> {
  await db.run(sql`
    update collection_strays set tries = tries + 1, due_at = ${dueAt}
     where provider = ${provider} and mode = ${mode} and reference = ${reference}`)
}

/** The transfer is recorded as a payment now. */
export async function saveStrayTakenIn(
  db: Queryable,
  { provider, mode }: Feed,
  reference: string,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update collection_strays set taken_in_at = ${now}, due_at = null
     where provider = ${provider} and mode = ${mode} and reference = ${reference} and taken_in_at is null`)
}

export interface StrayCounts {
  /** into accounts that are none of ours; one that was being opened when its transfer came may be there by now */
  readonly strangers: number
  /** those that could not be read or recorded, by provider */
  readonly setAside: readonly { readonly provider: CollectionProviderName; readonly count: number }[]
}

export async function countStrays(db: Queryable): Promise<StrayCounts> {
  const { strangers } = await db.one<{ strangers: number }>(sql`
    select count(*)::int as strangers from collection_strays s
     where s.reason not in ('unreadable', 'failed') and s.taken_in_at is null
       and not exists (select from virtual_accounts v where v.handle = s.handle and v.provider = s.provider and v.mode = s.mode)`)
  const setAside = await db.rows<StrayCounts['setAside'][number]>(sql`
    select provider, count(*)::int as count from collection_strays
     where reason in ('unreadable', 'failed') and taken_in_at is null group by provider order by provider`)
  return { strangers, setAside }
}
