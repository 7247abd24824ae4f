import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { countingReceived } from './counting.store.ts'
import type { NewReceivedInvoice, ReceivedInvoice, ReceivedInvoiceId } from './received-invoice.ts'

export const columns = sql`
  id, reference, repeated_as, possible_duplicates, type, type_code, kind, number, issue_date, due_date, currency,
  seller_name, seller_tax_id, seller_email, seller_phone, seller_city, seller_country, buyer_name, buyer_tax_id, buyer_tax_id_normal, corrects,
  net_minor, tax_minor, payable_minor, payment_status, access_point, faults, is_claimable, claim_rule, claim_message,
  claim_until, claimable_minor, received_at, acknowledged_at`

export const within = ({ organisationId, mode }: Tenant): Sql =>
  sql`organisation_id = ${organisationId} and mode = ${mode}`

/**
 * Stores a document unless it exists by reference, or by supplier, number, type and day of issue. Updates the figures
 * in the same statement. The caller holds `lockClaims`.
 */
export async function insertReceived(
  tx: Tx,
  tenant: Tenant,
  invoice: NewReceivedInvoice,
  paymentCheckAt: Date,
): Promise<boolean> {
  const i = invoice
  const kept = await tx.maybe(sql`
    with kept as (insert into received_invoices (
      organisation_id, mode, id, reference, type, type_code, kind, number, issue_date, due_date, currency, seller_name,
      seller_tax_id, seller_tax_id_plain, seller_search, seller_email, seller_phone, seller_city, seller_country, buyer_name,
      buyer_tax_id, buyer_tax_id_normal, corrects, net_minor, tax_minor, payable_minor, payment_status, access_point, faults, is_claimable,
      claim_rule, claim_message, claim_until, input_tax_minor, claimable_minor, document, search, received_at, acknowledge_at,
      payment_checked_at, payment_check_at)
    values (
      ${tenant.organisationId}, ${tenant.mode}, ${i.id}, ${i.reference}, ${i.type}, ${i.typeCode}, ${i.kind}, ${i.number},
      ${i.issueDate}, ${i.dueDate}, ${i.currency}, ${i.sellerName}, ${i.sellerTaxId}, ${i.sellerTaxIdPlain}, ${i.sellerSearch},
      ${i.sellerEmail}, ${i.sellerPhone}, ${i.sellerCity}, ${i.sellerCountry}, ${i.buyerName}, ${i.buyerTaxId}, ${i.buyerTaxIdNormal},
      ${i.corrects}::text[], ${i.netMinor}, ${i.taxMinor}, ${i.payableMinor}, ${i.paymentStatus}, ${i.accessPoint},
      ${JSON.stringify(i.faults)}::jsonb, ${i.isClaimable}, ${i.claimRule}, ${i.claimMessage}, ${i.claimUntil}, ${i.inputTaxMinor},
      ${i.isClaimable ? i.inputTaxMinor : 0n}, ${i.document}, ${i.search}, ${i.receivedAt}, ${i.receivedAt}, ${i.receivedAt}, ${paymentCheckAt})
    on conflict do nothing returning *),
    weighed as (select *, 1 as weight from kept),
    ${countingReceived(tenant)},
    supplied as (
      insert into received_suppliers (organisation_id, mode, currency, seller_tax_id_plain)
      select organisation_id, mode, currency, seller_tax_id_plain from kept on conflict do nothing)
    select 1 from kept`)
  return kept !== undefined
}

/** Saves that the same document came again under another reference. Returns the document that has the reference now. */
export async function saveRepeated(
  tx: Tx,
  tenant: Tenant,
  invoice: NewReceivedInvoice,
): Promise<ReceivedInvoiceId | undefined> {
  const repeated = await tx.maybe<{ id: ReceivedInvoiceId }>(sql`
    update received_invoices set repeated_as = repeated_as || ${invoice.reference}::text
     where ${within(tenant)} and seller_tax_id_plain = ${invoice.sellerTaxIdPlain} and number = ${invoice.number}
       and type = ${invoice.type} and issue_date = ${invoice.issueDate} and reference <> ${invoice.reference}
       and not (${invoice.reference} = any (repeated_as)) and cardinality(repeated_as) < ${mostDuplicates}
    returning id`)
  return repeated?.id
}

/** Limit of references per document that are listed as possible duplicates. */
const mostDuplicates = 20

/**
 * Marks a new document and others of the supplier with its number and type as possible duplicates of each other. The
 * name identifies a supplier without a tax number.
 */
export async function markPossibleDuplicates(tx: Tx, tenant: Tenant, invoice: NewReceivedInvoice): Promise<void> {
  const i = invoice
  const others = await tx.rows<{ id: ReceivedInvoiceId; reference: string }>(sql`
    select id, reference from received_invoices
     where ${within(tenant)} and number = ${i.number} and type = ${i.type} and seller_tax_id_plain = ${i.sellerTaxIdPlain}
       and (${i.sellerTaxIdPlain}::text <> '' or seller_search = ${i.sellerSearch}) and id <> ${i.id}
     order by received_at desc, id desc limit ${mostDuplicates}`)
  if (others.length === 0) return
  const references = others.map(({ reference }) => reference).toSorted()
  await tx.run(sql`
    update received_invoices
       set possible_duplicates = case when id = ${i.id} then ${references}::text[]
                                      else (${i.reference}::text || possible_duplicates)[1:${mostDuplicates}] end
     where ${within(tenant)} and id = any (${[i.id, ...others.map(({ id }) => id)]}::uuid[])`)
}

export type ReceivedWithDocument = ReceivedInvoice & { readonly document: string }

export function findReceivedById(
  db: Queryable,
  tenant: Tenant,
  id: ReceivedInvoiceId,
): Promise<ReceivedWithDocument | undefined> {
  return db.maybe(sql`select ${columns}, document from received_invoices where ${within(tenant)} and id = ${id}`)
}

/** Also finds a document by the reference of a duplicate. */
export function findReceivedByReference(
  db: Queryable,
  tenant: Tenant,
  reference: string,
): Promise<ReceivedWithDocument | undefined> {
  return db.maybe(sql`
    select ${columns}, document from received_invoices
     where ${within(tenant)}
       and (reference = ${reference} or (repeated_as <> '{}' and repeated_as && array[${reference}::text]))
     order by reference <> ${reference} limit 1`)
}

/** Documents whose receipt is not confirmed yet, longest due first. */
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

/** Tenants with confirmations that are due. */
export function listTenantsToAcknowledge(db: Queryable, now: Date, limit: number): Promise<Tenant[]> {
  return db.rows(sql`
    select organisation_id, mode from received_invoices
     where acknowledged_at is null and acknowledge_at <= ${now} group by 1, 2 limit ${limit}`)
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

/** Skips through the index from one tax number to the next. */
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
