import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import type { Feed } from './notifications.store.ts'

export interface Span {
  readonly from: Date
  readonly to: Date
}

export type RecordedTransfer = Tenant &
  Pick<ReceivedPayment, 'id' | 'providerReference' | 'amountMinor' | 'currency' | 'reversedAt'> & {
    /** Differences were found before. */
    readonly hasDifferences: boolean
  }

/** Payments of all organisations at a provider in a span: the provider's statement of account covers all of them. */
export function listRecorded(db: Queryable, { provider, mode }: Feed, { from, to }: Span): Promise<RecordedTransfer[]> {
  return db.rows(sql`
    select p.organisation_id, p.mode, p.id, p.provider_reference, p.amount_minor, p.currency, p.reversed_at,
           exists (select from collection_differences d
                    where d.organisation_id = p.organisation_id and d.mode = p.mode and d.payment_id = p.id and d.settled_at is null) as has_differences
      from received_payments p
     where p.provider = ${provider} and p.mode = ${mode} and p.received_at >= ${from} and p.received_at < ${to}`)
}

export interface ReconciledDay {
  /** `2026-11-17`, in UTC. */
  readonly day: string
  readonly checkedAt: Date
  readonly isWhole: boolean
  readonly transfers: number
  readonly problem: string | null
}

/** Saves the result of a day's comparison. The latest result counts. */
export async function saveReconciledDay(
  db: Queryable,
  { provider, mode }: Feed,
  { day, checkedAt, isWhole, transfers, problem }: ReconciledDay,
): Promise<void> {
  await db.run(sql`
    insert into collection_reconciliations (provider, mode, day, checked_at, is_whole, transfers, problem)
    values (${provider}, ${mode}, ${day}, ${checkedAt}, ${isWhole}, ${transfers}, ${problem})
    on conflict (provider, mode, day) do update
       set checked_at = excluded.checked_at, is_whole = excluded.is_whole, transfers = excluded.transfers, problem = excluded.problem`)
}

/** Days of the last 30 whose comparison is incomplete. */
export function countUnreconciled(db: Queryable): Promise<{ readonly provider: string; readonly count: number }[]> {
  return db.rows(sql`
    select provider, count(*)::int as count from collection_reconciliations
     where not is_whole and day > now()::date - 30 group by provider order by provider`)
}

/** Refunds per payment that the provider has confirmed. */
export async function sumSent(
  db: Queryable,
  { provider, mode }: Feed,
  { from, to }: Span,
): Promise<Map<ReceivedPaymentId, bigint>> {
  const rows = await db.rows<{ id: ReceivedPaymentId; sentMinor: bigint }>(sql`
    select p.id, sum(r.amount_minor)::bigint as sent_minor
      from received_payments p
      join collection_refunds r on r.organisation_id = p.organisation_id and r.mode = p.mode and r.payment_id = p.id and r.state = 'sent'
     where p.provider = ${provider} and p.mode = ${mode} and p.received_at >= ${from} and p.received_at < ${to}
     group by p.id`)
  return new Map(rows.map(({ id, sentMinor }) => [id, sentMinor]))
}
