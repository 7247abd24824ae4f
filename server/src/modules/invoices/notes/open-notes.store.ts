import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'

/** More open notes than any invoice has. */
const mostOpenNotes = 100

/** The draft and undecided notes of an invoice, oldest first. */
export function listOpenNotes(
  db: Queryable,
  tenant: Tenant,
  originalId: InvoiceId,
): Promise<Pick<Invoice, 'id' | 'number' | 'status'>[]> {
  return db.rows(sql`
    select id, number, status from invoices
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and original_id = ${originalId}
       and status not in ('accepted', 'rejected')
     order by created_at, id limit ${mostOpenNotes}`)
}
