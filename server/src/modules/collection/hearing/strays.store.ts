import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Transfer } from '../providers/collection-provider.ts'
import type { Feed } from './notifications.store.ts'

/** Why a transfer is nobody's here. */
export type StrayReason = 'unknown_account' | 'other_mode' | 'no_amount'

/** Keeps it as the provider tells it. True when it was not known before: statements tell of the same ones again and again. */
export async function saveStray(
  tx: Tx,
  { provider, mode }: Feed,
  transfer: Transfer,
  { reason, foundAt }: { reason: StrayReason; foundAt: Date },
): Promise<boolean> {
  const { reference, handle, amountMinor, currency, senderName, narration, receivedAt } = transfer
  const saved = await tx.run(sql`
    insert into collection_strays (provider, mode, reference, handle, reason, amount_minor, currency, sender_name, narration, received_at, found_at)
    values (${provider}, ${mode}, ${reference}, ${handle}, ${reason}, ${amountMinor}, ${currency}, ${senderName}, ${narration}, ${receivedAt},
            ${foundAt})
    on conflict (provider, mode, reference) do nothing`)
  return saved === 1
}

/** Those whose account is still none of ours: one that was being opened when they came may be there by now. */
export async function countStrays(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from collection_strays s
     where not exists (select from virtual_accounts v where v.handle = s.handle and v.provider = s.provider and v.mode = s.mode)`)
  return count
}
