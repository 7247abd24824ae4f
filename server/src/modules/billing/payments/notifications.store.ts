import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Notification, ProviderName } from './checkout-provider.ts'
import { isNamed } from './payments.store.ts'

export interface KeptNotification {
  /** Organisation of the payment that the notification names. Null if we know no such payment. */
  readonly organisationId: OrganisationId | null
}

/**
 * Returns undefined if the notification was stored before. The organisation is looked up for fair queueing only, never
 * for the ledger.
 */
export async function insertNotification(
  tx: Tx,
  provider: ProviderName,
  { id, type, subject }: Notification,
  now: Date,
): Promise<KeptNotification | undefined> {
  const inserted = await tx.run(sql`
    insert into provider_notifications (provider, id, type, subject, received_at)
    values (${provider}, ${id}, ${type}, ${subject ?? null}, ${now}) on conflict (provider, id) do nothing`)
  if (inserted === 0) return undefined
  const payment = await tx.maybe<{ organisationId: OrganisationId }>(
    sql`select organisation_id from payments where ${isNamed(provider, subject ?? '')} limit 1`,
  )
  return { organisationId: payment?.organisationId ?? null }
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

/** Deletes about `limit` of the oldest: notifications of the same instant are deleted together. */
export function purgeNotifications(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from provider_notifications
     where received_at < ${before}
       and received_at <= coalesce((select received_at from provider_notifications order by received_at offset ${limit - 1} limit 1), 'infinity')`)
}
