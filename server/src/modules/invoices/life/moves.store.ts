import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { deliveries, type InvoiceId } from '../invoice.ts'
import type { ToldInvoice } from '../invoice-events.ts'
import type { InvoiceStatus } from '../status-moves.ts'

/** One document that is to go on, from whatever status it has: `path` says where that leads. */
export interface MoveRow {
  readonly id: InvoiceId
  readonly path: Readonly<Partial<Record<InvoiceStatus, InvoiceStatus>>>
  readonly irn: string | null
  readonly qrText: string | null
  readonly submittedAt: Date | null
  readonly delivery: string | null
}

export interface MovedRow extends ToldInvoice {
  readonly from: InvoiceStatus
}

/**
 * Moves documents of one tenant, in one round trip. Those whose status leads nowhere stay as they are, and are not among what it
 * gives. Rows are looked up by an array of their ids: with the join alone all of the tenant's would be gone through where the planner does not
 * know how many they are. They are locked in one order, invoices before notes, as everybody does. What the authority gave is kept as it first was.
 */
export function moveRows(tx: Tx, tenant: Tenant, rows: readonly MoveRow[], now: Date): Promise<MovedRow[]> {
  const { organisationId, mode } = tenant
  return tx.rows(sql`
    with locked as materialized (
      select i.id, i.status, w.path, w.irn, w."qrText", w."submittedAt", w.delivery
        from invoices i join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
               as w (id uuid, path jsonb, irn text, "qrText" text, "submittedAt" timestamptz, delivery text) on w.id = i.id
       where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (${rows.map(({ id }) => id)}::uuid[])
       order by i.original_id is not null, i.id for no key update of i)
    update invoices i
       set status = l.path ->> l.status, irn = coalesce(i.irn, l.irn), qr_text = coalesce(i.qr_text, l."qrText"),
           reported_at = coalesce(i.reported_at, case when l.irn is not null then ${now}::timestamptz end),
           submitted_at = coalesce(l."submittedAt", i.submitted_at),
           delivery = case when array_position(${[...deliveries]}::text[], l.delivery) < array_position(${[...deliveries]}::text[], i.delivery)
                           then l.delivery else i.delivery end,
           updated_at = ${now}, version = i.version + 1
      from locked l
     where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (array(select id from locked)) and i.id = l.id
       and l.path ? l.status
    returning i.id, i.number, i.type, i.kind, i.status, i.buyer_id, i.currency, i.payable_minor, i.tax_minor, i.original_id, i.irn, i.submitted_at,
              i.version, l.status as "from"`)
}
