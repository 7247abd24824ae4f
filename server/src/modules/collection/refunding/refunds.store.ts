import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { ReceivedPaymentId } from '../payments/received-payment.ts'
import type { Refund, RefundId } from './refund.ts'

const columns = sql`
  id, payment_id, state, amount_minor, credited_minor, reason, failure, tries, due_at, asked_at, settled_at`
const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

export async function insertRefund(tx: Tx, tenant: Tenant, refund: Refund): Promise<void> {
  const r = refund
  await tx.run(sql`
    insert into collection_refunds (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${r.id}, ${r.paymentId}, ${r.state}, ${r.amountMinor}, ${r.creditedMinor}, ${r.reason},
            ${r.failure}, ${r.tries}, ${r.dueAt}, ${r.askedAt}, ${r.settledAt})`)
}

export function lockRefund(tx: Tx, tenant: Tenant, id: RefundId): Promise<Refund | undefined> {
  return tx.maybe(
    sql`select ${columns} from collection_refunds where ${within(tenant)} and id = ${id} for no key update`,
  )
}

export function findRefund(db: Queryable, tenant: Tenant, id: RefundId): Promise<Refund | undefined> {
  return db.maybe(sql`select ${columns} from collection_refunds where ${within(tenant)} and id = ${id}`)
}

/** A refund ends once, as sent or failed. */
export function saveSettled(
  tx: Tx,
  tenant: Tenant,
  id: RefundId,
  { state, failure, now }: { state: 'sent' | 'failed'; failure: string | null; now: Date },
): Promise<Refund> {
  return tx.one(sql`
    update collection_refunds set state = ${state}, failure = ${failure}, settled_at = ${now}, due_at = null
     where ${within(tenant)} and id = ${id} and state = 'pending' returning ${columns}`)
}

/** No other worker asks about it until then. */
export async function saveClaimed(tx: Tx, tenant: Tenant, id: RefundId, until: Date): Promise<void> {
  await tx.run(sql`update collection_refunds set due_at = ${until} where ${within(tenant)} and id = ${id}`)
}

export async function saveNextTry(tx: Tx, tenant: Tenant, id: RefundId, dueAt: Date): Promise<void> {
  await tx.run(sql`
    update collection_refunds set due_at = ${dueAt}, tries = tries + 1
     where ${within(tenant)} and id = ${id} and state = 'pending'`)
}

export function listRefundsOf(db: Queryable, tenant: Tenant, paymentId: ReceivedPaymentId): Promise<Refund[]> {
  return db.rows(sql`
    select ${columns} from collection_refunds where ${within(tenant)} and payment_id = ${paymentId} order by asked_at, id`)
}

export type DueRefund = Tenant & { readonly id: RefundId; readonly dueAt: Date }

/** Refunds of all tenants that the provider has to be asked about, in pages. */
export function listRefundsDue(
  db: Queryable,
  { now, after, limit }: { now: Date; after: DueRefund | undefined; limit: number },
): Promise<DueRefund[]> {
  const isAfter = after ? sql`and (due_at, id) > (${after.dueAt}, ${after.id}::uuid)` : sql``
  return db.rows(sql`
    select organisation_id, mode, id, due_at from collection_refunds
     where due_at <= ${now} ${isAfter} order by due_at, id limit ${limit}`)
}
