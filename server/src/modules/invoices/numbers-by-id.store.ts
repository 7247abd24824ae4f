import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { InvoiceId } from './invoice.ts'

/** The numbers of those documents that exist. */
export async function findNumbers(
  db: Queryable,
  tenant: Tenant,
  ids: readonly InvoiceId[],
): Promise<ReadonlyMap<InvoiceId, string>> {
  const rows = await db.rows<{ id: InvoiceId; number: string }>(sql`
    select id, number from invoices
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, number }) => [id, number]))
}
