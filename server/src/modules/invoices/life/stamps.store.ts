import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { InvoiceId } from '../invoice.ts'
import type { InvoiceFacts } from '../invoice-events.ts'

export interface InvoiceStamp {
  readonly id: InvoiceId
  readonly country: string
  readonly stamp: string
}

/** Only for documents without a QR code. Locked in the common order, invoices before notes. */
export function saveStamps(
  tx: Tx,
  { organisationId, mode }: Tenant,
  stamps: readonly InvoiceStamp[],
  now: Date,
): Promise<InvoiceFacts[]> {
  return tx.rows(sql`
    with locked as materialized (
      select i.id, w.stamp from invoices i join jsonb_to_recordset(${JSON.stringify(stamps)}::jsonb) as w (id uuid, stamp text) on w.id = i.id
       where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (${stamps.map(({ id }) => id)}::uuid[]) and i.stamp is null
       order by i.original_id is not null, i.id for no key update of i)
    update invoices i set stamp = l.stamp, updated_at = ${now}, version = i.version + 1
      from locked l
     where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (array(select id from locked)) and i.id = l.id
    returning i.id, i.number, i.type, i.kind, i.status, i.buyer_id, i.currency, i.payable_minor, i.tax_minor, i.original_id, i.authority_reference, i.submitted_at, i.version`)
}
