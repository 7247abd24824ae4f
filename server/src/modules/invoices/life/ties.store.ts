import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { InvoiceId } from '../invoice.ts'
import type { InvoiceStatus } from '../status-moves.ts'

/** What depends on a document, and what the document depends on. */
export interface DocumentTies {
  /** notes that correct it */
  readonly notes: number
  /** status of the corrected invoice; null if the document is no note */
  readonly originalStatus: InvoiceStatus | null
  /** payments, except those that the service itself took from the buyer's credit */
  readonly paidMinor: bigint
}

export function findTies(db: Queryable, { organisationId, mode }: Tenant, id: InvoiceId): Promise<DocumentTies> {
  return db.one(sql`
    select (select count(*)::int from invoices n
             where n.organisation_id = ${organisationId} and n.mode = ${mode} and n.original_id = ${id}) as notes,
           (select o.status from invoices i join invoices o
               on o.organisation_id = i.organisation_id and o.mode = i.mode and o.id = i.original_id
             where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = ${id}) as original_status,
           (select coalesce(sum(p.amount_minor), 0)::bigint from invoice_payments p
             where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.invoice_id = ${id} and p.reversed_at is null
               and not p.from_credit) as paid_minor`)
}
