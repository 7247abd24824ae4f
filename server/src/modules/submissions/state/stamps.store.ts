import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { InvoiceId } from '../../invoices/index.ts'

/** Ordered by key, after the given tenant. The condition equals that of the index on invoices without a QR code. */
export function listTenantsToStamp(db: Queryable, after: Tenant | undefined, limit: number): Promise<Tenant[]> {
  const nobody = '00000000-0000-0000-0000-000000000000'
  return db.rows(sql`
    select c.organisation_id, c.mode from tax_connections c
     where c.sealed_key_file is not null
       and (c.organisation_id, c.mode) > (${after?.organisationId ?? nobody}::uuid, ${after?.mode ?? ''}::text)
       and exists (select from invoices i
                    where i.organisation_id = c.organisation_id and i.mode = c.mode and i.authority_reference is not null and i.stamp is null)
     order by c.organisation_id, c.mode limit ${limit}`)
}

export interface UnstampedDocument {
  readonly invoiceId: InvoiceId
  readonly country: string
  readonly reference: string
  /** the bytes that the authority registered */
  readonly payload: Buffer
}

/** Registered documents without a QR code, ordered by id, after the given one. */
export function listToStamp(
  db: Queryable,
  tenant: Tenant,
  after: InvoiceId | undefined,
  limit: number,
): Promise<UnstampedDocument[]> {
  const { organisationId, mode } = tenant
  return db.rows(sql`
    select i.id as invoice_id, s.country, s.reference, s.payload
      from invoices i cross join lateral (
        select country, reference, payload from submissions
         where organisation_id = ${organisationId} and mode = ${mode} and reference = i.authority_reference and state <> 'rejected' and invoice_id = i.id limit 1) as s
     where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.authority_reference is not null and i.stamp is null
       and i.id > coalesce(${after ?? null}::uuid, '00000000-0000-0000-0000-000000000000')
     order by i.id limit ${limit}`)
}
