import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Notification, ProviderName } from './checkout-provider.ts'

/** False when this one came before. */
export async function insertNotification(
  tx: Tx,
  provider: ProviderName,
  { id, type, subject }: Notification,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into provider_notifications (provider, id, type, subject, received_at)
    values (${provider}, ${id}, ${type}, ${subject ?? null}, ${now}) on conflict (provider, id) do nothing`)
  return inserted === 1
}

export async function saveNotificationOutcome(
  tx: Tx,
  provider: ProviderName,
  id: string,
  outcome: string,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update provider_notifications set settled_at = ${now}, outcome = ${outcome} where provider = ${provider} and id = ${id}`)
}

/** The oldest, about so many: all that came at the same moment go together. */
export function purgeNotifications(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from provider_notifications
     where received_at < ${before}
       and received_at <= coalesce((select received_at from provider_notifications order by received_at offset ${limit - 1} limit 1), 'infinity')`)
}
