import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CollectionProviderName, Transfer } from '../providers/collection-provider.ts'
import type { Feed } from './notifications.store.ts'

/**
 * Why a transfer is in no tenant's ledger: its account is unknown or of the other mode, its amount is 0, its entry
 * cannot be parsed, or recording failed.
 */
export type StrayReason = 'unknown_account' | 'other_mode' | 'no_amount' | 'unreadable' | 'failed'

export interface Stray {
  readonly reference: string
  readonly reason: StrayReason
  /** What is known of the transfer. Missing if its entry cannot be parsed. */
  readonly transfer?: Transfer
  readonly detail?: string
  /** The entry of the statement of account that cannot be parsed. */
  readonly entry?: string
  readonly foundAt: Date
  /** When the provider is asked again. */
  readonly dueAt?: Date
}

/**
 * Stores a stray. Returns true if it is new or has a new reason, because statements of account repeat the same entries.
 */
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

/** Strays that are due for another question, longest waiting first. */
export function listStraysDue(db: Queryable, { provider, mode }: Feed, now: Date, limit: number): Promise<DueStray[]> {
  return db.rows(sql`
    select provider, mode, reference, tries from collection_strays
     where provider = ${provider} and mode = ${mode} and due_at <= ${now} order by due_at limit ${limit}`)
}

/** Saves a failed attempt. `dueAt` is null after the last one. */
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
  /** Transfers to unknown accounts, of the other mode, or without an amount. An account that was being opened when its transfer arrived may exist by now. */
  readonly strangers: number
  /** Transfers that could not be parsed or recorded, by provider. */
  readonly setAside: readonly { readonly provider: CollectionProviderName; readonly count: number }[]
}

export async function countStrays(db: Queryable): Promise<StrayCounts> {
  const { strangers } = await db.one<{ strangers: number }>(sql`
    with open as materialized (
      select handle, provider, mode from collection_strays where reason not in ('unreadable', 'failed') and taken_in_at is null)
    select count(*)::int as strangers from open
     where (handle, provider, mode) not in (
       select handle, provider, mode from virtual_accounts where handle = any (array(select handle from open)))`)
  const setAside = await db.rows<StrayCounts['setAside'][number]>(sql`
    select provider, count(*)::int as count from collection_strays
     where reason in ('unreadable', 'failed') and taken_in_at is null group by provider order by provider`)
  return { strangers, setAside }
}
