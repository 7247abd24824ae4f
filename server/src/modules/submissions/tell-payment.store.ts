import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ReadEvent } from '../../platform/events/consumer.ts'
import type { SubmissionId } from './submission.ts'

/** Those of the invoices that events tell of on which something was paid. */
export function listPaidAmong(
  tx: Tx,
  events: readonly ReadEvent[],
): Promise<Pick<ReadEvent, 'organisationId' | 'mode' | 'objectId'>[]> {
  const asked = events.map(({ organisationId, mode, objectId }) => ({ organisationId, mode, objectId }))
  return tx.rows(sql`
    select distinct i.organisation_id, i.mode, i.id::text as object_id
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as e ("organisationId" uuid, mode text, "objectId" uuid)
      cross join lateral (
        select i.organisation_id, i.mode, i.id from invoices i
         where i.organisation_id = e."organisationId" and i.mode = e.mode and i.id = e."objectId" and i.paid_minor > 0 offset 0) as i`)
}

export async function findPaymentTold(db: Queryable, tenant: Tenant, id: SubmissionId): Promise<string | undefined> {
  const row = await db.maybe<{ paymentTold: string | null }>(sql`
    select payment_told from submissions
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
  return row?.paymentTold ?? undefined
}

export async function savePaymentTold(tx: Tx, tenant: Tenant, id: SubmissionId, told: string): Promise<void> {
  await tx.run(sql`
    update submissions set payment_told = ${told}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}
