import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import type { Feed } from './notifications.store.ts'

export interface Span {
  readonly from: Date
  readonly to: Date
}

export type Recorded = Tenant &
  Pick<ReceivedPayment, 'id' | 'providerReference' | 'amountMinor' | 'currency' | 'reversedAt'> & {
    /** some were found before */
    readonly hasDifferences: boolean
  }

/** What we have of a provider from one moment up to another, of all organisations: its statement is about all of them. */
export function listRecorded(db: Queryable, { provider, mode }: Feed, { from, to }: Span): Promise<Recorded[]> {
  return db.rows(sql`
    select p.organisation_id, p.mode, p.id, p.provider_reference, p.amount_minor, p.currency, p.reversed_at,
           exists (select from collection_differences d
                    where d.organisation_id = p.organisation_id and d.mode = p.mode and d.payment_id = p.id and d.settled_at is null) as has_differences
      from received_payments p
     where p.provider = ${provider} and p.mode = ${mode} and p.received_at >= ${from} and p.received_at < ${to}`)
}

export interface ReconciledDay {
  /** `2026-11-17`, in UTC */
  readonly day: string
  readonly checkedAt: Date
  readonly isWhole: boolean
  readonly transfers: number
  readonly problem: string | null
}

/** Notes how the comparison of a day went; the latest counts. */
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

/** Days of the last 30 that were not compared as a whole. */
export function countUnreconciled(db: Queryable): Promise<{ readonly provider: string; readonly count: number }[]> {
  return db.rows(sql`
    select provider, count(*)::int as count from collection_reconciliations
     where not is_whole and day > now()::date - 30 group by provider order by provider`)
}

/** What went back of each of them, as far as the provider said yes. */
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
