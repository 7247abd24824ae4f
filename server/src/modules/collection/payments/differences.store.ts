import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { ReceivedPaymentId } from './received-payment.ts'

/** Between the provider's statement of account and our ledger. */
const statementKinds = ['missing_here', 'missing_there', 'amount', 'currency', 'refunded'] as const
/** Between the amount received and the payout to the seller. */
export const settlementKinds = ['not_settled', 'settled_amount', 'settled_reversed'] as const
export const differenceKinds = [...statementKinds, ...settlementKinds] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** One difference between the provider's records and ours. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
  readonly foundAt: Date
}

export async function listOpenDifferences(
  db: Queryable,
  tenant: Tenant,
  ids: readonly ReceivedPaymentId[],
): Promise<Map<ReceivedPaymentId, Difference[]>> {
  const rows = await db.rows<Difference & { readonly paymentId: ReceivedPaymentId }>(sql`
    select payment_id, kind, ours_minor, theirs_minor, found_at from collection_differences
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and payment_id = any (${[...ids]}::uuid[])
       and settled_at is null order by found_at, kind`)
  const byPayment = new Map<ReceivedPaymentId, Difference[]>()
  for (const { paymentId, ...difference } of rows)
    byPayment.set(paymentId, [...(byPayment.get(paymentId) ?? []), difference])
  return byPayment
}

/** Returns true if the difference is new. */
export async function saveDifference(
  tx: Tx,
  tenant: Tenant,
  paymentId: ReceivedPaymentId,
  { kind, oursMinor, theirsMinor, foundAt }: Difference,
): Promise<boolean> {
  const saved = await tx.run(sql`
    insert into collection_differences as d (organisation_id, mode, payment_id, kind, ours_minor, theirs_minor, found_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${paymentId}, ${kind}, ${oursMinor}, ${theirsMinor}, ${foundAt})
    on conflict (organisation_id, mode, payment_id, kind) do update
       set ours_minor = excluded.ours_minor, theirs_minor = excluded.theirs_minor, found_at = excluded.found_at, settled_at = null
     where d.settled_at is not null`)
  return saved === 1
}

/** Closes differences that no longer exist, among the kinds that the caller checked. */
export async function settleDifferences(
  tx: Tx,
  tenant: Tenant,
  paymentId: ReceivedPaymentId,
  still: readonly DifferenceKind[],
  now: Date,
  lookedFor: readonly DifferenceKind[] = statementKinds,
): Promise<void> {
  await tx.run(sql`
    update collection_differences set settled_at = ${now}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and payment_id = ${paymentId} and settled_at is null
       and kind = any (${[...lookedFor]}::text[]) and kind <> all (${[...still]}::text[])`)
}
