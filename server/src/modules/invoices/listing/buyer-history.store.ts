import { mapped, type Page, type PageRequest } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { InvoiceId } from '../invoice.ts'
import type { InvoicePayment } from '../payments/payment.ts'

/** A recorded payment together with its invoice. */
export interface BuyerPayment {
  readonly payment: InvoicePayment
  readonly invoiceNumber: string
  readonly currency: string
}

type PaymentRow = Omit<InvoicePayment, 'recordedBy'> & {
  readonly recordedByType: Actor['kind']
  readonly recordedBy: string | null
  readonly invoiceNumber: string
  readonly currency: string
}

const paymentFrom = ({ invoiceNumber, currency, recordedByType, recordedBy, ...row }: PaymentRow): BuyerPayment => ({
  payment: { ...row, recordedBy: { type: recordedByType, id: recordedBy } },
  invoiceNumber,
  currency,
})

/** The documents of a buyer: those that were issued, and reopened ones, which are drafts until they are finalised again. */
const documentsOf = ({ organisationId, mode }: Tenant, buyerId: BuyerId): Sql => sql`
  (select p.organisation_id, p.mode, p.invoice_id from issued_parties p
    where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.buyer_id = ${buyerId}
   union
   select d.organisation_id, d.mode, d.id from invoice_listing l
     join invoices d on d.organisation_id = l.organisation_id and d.mode = l.mode and d.id = l.id
    where l.organisation_id = ${organisationId} and l.mode = ${mode} and l.buyer_id = ${buyerId}
      and d.status = 'draft' and d.buyer_id = ${buyerId}) as b`

/** The payments on all invoices of a buyer, reversed ones included, newest first. */
export async function listPaymentsOfBuyer(
  db: Queryable,
  tenant: Tenant,
  buyerId: BuyerId,
  page: PageRequest,
): Promise<Page<BuyerPayment>> {
  const tables = sql`
    ${documentsOf(tenant, buyerId)}
    join invoice_payments p on p.organisation_id = b.organisation_id and p.mode = b.mode and p.invoice_id = b.invoice_id
    join invoices i on i.organisation_id = p.organisation_id and i.mode = p.mode and i.id = p.invoice_id`
  const matching = sql`true`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`)
  const columns = sql`
    p.id, p.invoice_id, p.amount_minor, p.paid_on, p.method, p.reference, p.recorded_by_type, p.recorded_by, p.recorded_at,
    p.reversed_at, p.received_payment_id, p.from_credit, i.number as invoice_number, i.currency`
  const query = { columns, tables, matching, total, order: newestIdFirst(sql`p.id`) }
  return mapped(await readPage<PaymentRow>(db, query, page), paymentFrom)
}

/** The documents of a buyer that were mailed last. */
export async function listMailedOfBuyer(
  db: Queryable,
  tenant: Tenant,
  buyerId: BuyerId,
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await db.rows<{ id: InvoiceId }>(sql`
    select i.id from ${documentsOf(tenant, buyerId)}
      join invoices i on i.organisation_id = b.organisation_id and i.mode = b.mode and i.id = b.invoice_id
     where i.sent_at is not null
     order by i.sent_at desc, i.id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}
