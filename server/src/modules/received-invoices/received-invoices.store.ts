import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { countingReceived } from './counting.store.ts'
import type { NewReceivedInvoice, ReceivedInvoice, ReceivedInvoiceId } from './received-invoice.ts'

export const columns = sql`
  id, reference, repeated_as, type, type_code, kind, number, issue_date, due_date, currency,
  seller_name, seller_tax_id, seller_email, seller_phone, seller_city, seller_country, buyer_name, buyer_tax_id, buyer_tax_id_normal, corrects,
  net_minor, tax_minor, payable_minor, payment_status, access_point, faults, is_claimable, claim_rule, claim_message,
  claim_until, received_at, acknowledged_at`

export const within = ({ organisationId, mode }: Tenant): Sql =>
  sql`organisation_id = ${organisationId} and mode = ${mode}`

/**
 * Keeps it unless it is there: by the authority's reference, or by supplier, number and type. Of two that come at the same moment one
 * is kept. It is counted with the rest in the same statement.
 */
export async function insertReceived(tx: Tx, tenant: Tenant, invoice: NewReceivedInvoice): Promise<boolean> {
  const i = invoice
  const kept = await tx.maybe(sql`
    with kept as (insert into received_invoices (
      organisation_id, mode, id, reference, type, type_code, kind, number, issue_date, due_date, currency, seller_name,
      seller_tax_id, seller_tax_id_plain, seller_search, seller_email, seller_phone, seller_city, seller_country, buyer_name,
      buyer_tax_id, buyer_tax_id_normal, corrects, net_minor, tax_minor, payable_minor, payment_status, access_point, faults, is_claimable,
      claim_rule, claim_message, claim_until, document, search, received_at, acknowledge_at)
    values (
      ${tenant.organisationId}, ${tenant.mode}, ${i.id}, ${i.reference}, ${i.type}, ${i.typeCode}, ${i.kind}, ${i.number},
      ${i.issueDate}, ${i.dueDate}, ${i.currency}, ${i.sellerName}, ${i.sellerTaxId}, ${i.sellerTaxIdPlain}, ${i.sellerSearch},
      ${i.sellerEmail}, ${i.sellerPhone}, ${i.sellerCity}, ${i.sellerCountry}, ${i.buyerName}, ${i.buyerTaxId}, ${i.buyerTaxIdNormal},
      ${i.corrects}::text[], ${i.netMinor}, ${i.taxMinor}, ${i.payableMinor}, ${i.paymentStatus}, ${i.accessPoint},
      ${JSON.stringify(i.faults)}::jsonb, ${i.isClaimable}, ${i.claimRule}, ${i.claimMessage}, ${i.claimUntil}, ${i.document},
      ${i.search}, ${i.receivedAt}, ${i.receivedAt})
    on conflict do nothing returning *),
    ${countingReceived(tenant)}
    select 1 from kept`)
  return kept !== undefined
}

/** Notes that the same number of the same supplier came under another reference. */
export async function saveRepeated(tx: Tx, tenant: Tenant, invoice: NewReceivedInvoice): Promise<void> {
  await tx.run(sql`
    update received_invoices set repeated_as = repeated_as || ${invoice.reference}::text
     where ${within(tenant)} and seller_tax_id_plain = ${invoice.sellerTaxIdPlain} and number = ${invoice.number}
       and type = ${invoice.type} and reference <> ${invoice.reference} and not (${invoice.reference} = any (repeated_as))`)
}

export type ReceivedWithDocument = ReceivedInvoice & { readonly document: string }

export function findReceivedById(
  db: Queryable,
  tenant: Tenant,
  id: ReceivedInvoiceId,
): Promise<ReceivedWithDocument | undefined> {
  return db.maybe(sql`select ${columns}, document from received_invoices where ${within(tenant)} and id = ${id}`)
}

export function findReceivedByReference(
  db: Queryable,
  tenant: Tenant,
  reference: string,
): Promise<ReceivedWithDocument | undefined> {
  return db.maybe(sql`
    select ${columns}, document from received_invoices where ${within(tenant)} and reference = ${reference}`)
}

/** Those whose sender was not told yet that we have them, longest due first. */
export function listToAcknowledge(
  db: Queryable,
  tenant: Tenant,
  now: Date,
  limit: number,
): Promise<{ id: ReceivedInvoiceId; reference: string; acknowledgeTries: number }[]> {
  return db.rows(sql`
    select id, reference, acknowledge_tries from received_invoices
     where ${within(tenant)} and acknowledged_at is null and acknowledge_at <= ${now} order by acknowledge_at, id limit ${limit}`)
}

export async function saveAcknowledged(tx: Tx, tenant: Tenant, id: ReceivedInvoiceId, now: Date): Promise<void> {
  await tx.run(sql`
    update received_invoices set acknowledged_at = ${now}
     where ${within(tenant)} and id = ${id} and acknowledged_at is null`)
}

export async function saveAcknowledgeLater(tx: Tx, tenant: Tenant, id: ReceivedInvoiceId, at: Date): Promise<void> {
  await tx.run(sql`
    update received_invoices set acknowledge_tries = acknowledge_tries + 1, acknowledge_at = ${at}
     where ${within(tenant)} and id = ${id}`)
}

/** The tax numbers under which it has received, found by jumping from one to the next in their index. */
export async function listTaxIdsReceivedUnder(db: Queryable, tenant: Tenant): Promise<string[]> {
  const rows = await db.rows<{ taxId: string }>(sql`
    with recursive found as (
      (select buyer_tax_id_normal as tax_id from received_invoices where ${within(tenant)} order by buyer_tax_id_normal limit 1)
      union all
      select next.tax_id from found cross join lateral (
        select buyer_tax_id_normal as tax_id from received_invoices
         where ${within(tenant)} and buyer_tax_id_normal > found.tax_id order by buyer_tax_id_normal limit 1) as next)
    select tax_id from found`)
  return rows.map(({ taxId }) => taxId)
}
