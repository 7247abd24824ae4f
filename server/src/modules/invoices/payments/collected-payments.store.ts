import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import { owingStatuses } from '../derived-statuses.ts'
import type { InvoiceId } from '../invoice.ts'

/** The common lock order: originals before notes, and without blocking foreign keys. */
export async function lockInOrder(tx: Tx, tenant: Tenant, ids: readonly InvoiceId[]): Promise<void> {
  await tx.run(sql`
    select from invoices
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = any (${[...ids]}::uuid[])
     order by original_id is not null, id for no key update`)
}

/**
 * A buyer's open invoices in a currency, of one seller or of all, oldest first. Rejected invoices are not owed. Rows
 * may change until they are locked.
 */
export async function listOpenInvoices(
  db: Queryable,
  tenant: Tenant,
  {
    buyerId,
    sellerId,
    currency,
    limit,
  }: { buyerId: BuyerId; sellerId?: SellerId | undefined; currency: string; limit: number },
): Promise<InvoiceId[]> {
  const ofSeller = sellerId === undefined ? sql`true` : sql`p.seller_id = ${sellerId}`
  const rows = await db.rows<{ id: InvoiceId }>(sql`
    select i.id from issued_parties p cross join lateral (
      select i.id, i.issue_date from invoices i
       where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = p.invoice_id
         and i.status = any (${[...owingStatuses]}::text[]) and i.type <> 'credit_note' and i.currency = ${currency}
         and i.payable_minor - i.credited_minor > i.paid_minor
         and not (i.paid_minor = 0 and i.declared_payment_status is not distinct from 'paid') offset 0) as i
     where p.organisation_id = ${tenant.organisationId} and p.mode = ${tenant.mode} and p.buyer_id = ${buyerId} and ${ofSeller}
     order by i.issue_date, i.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
