import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import type { Actor } from '../../platform/operations/actors.ts'
import type { ItemId } from '../items/index.ts'
import type { Invoice, InvoiceId, InvoiceSummary } from './invoice.ts'
import { readingOf } from './numbers.ts'
import {
  lineFrom,
  type StoredLine,
  type StoredTaxGroup,
  storedLine,
  storedTaxGroup,
  taxGroupFrom,
} from './stored-lines.ts'

/** Everything but the lines and what only a single document shows. A draft is read with its parties as they are today. */
export const summaryColumns = sql`
  i.id, i.number, i.type, i.kind, i.status, i.seller_id,
  case when i.status = 'draft' then b.id else i.buyer_id end as buyer_id,
  coalesce(i.buyer_copy ->> 'name', b.name) as buyer_name, coalesce(i.buyer_copy ->> 'taxId', b.tax_id) as buyer_tax_id,
  i.issue_date, i.issue_time, i.due_date, i.currency, i.tax_groups, i.net_minor, i.allowance_minor, i.charge_minor, i.tax_minor,
  i.rounding_minor, i.payable_minor, i.paid_minor, i.credited_minor, i.declared_payment_status, i.payment_terms, i.notes,
  i.purchase_order_reference, i.buyer_reference, i.accounting_cost, i.original_id, o.number as original_number, i.reason, i.irn, i.delivery,
  i.finalised_at, i.submitted_at, i.sent_at, i.shared_at, i.created_by_type, i.created_by, i.created_at, i.updated_at, i.version`

/** Looked up one by one by their whole keys (`offset 0`): where a tenant is new to the planner, it would else go through all of its rows. */
export const summaryTables = sql`
  invoices i
  left join lateral (
    select b.id, b.name, b.tax_id from buyers b
     where b.organisation_id = i.organisation_id and b.mode = i.mode and b.id = i.buyer_id and i.buyer_copy is null offset 0) as b on true
  left join lateral (
    select o.number from invoices o where o.organisation_id = i.organisation_id and o.mode = i.mode and o.id = i.original_id offset 0) as o on true`

const invoiceColumns = sql`${summaryColumns}, i.lines, i.qr_text, i.seller_copy, i.buyer_copy, i.letterhead_copy`

type SummaryRow = Omit<InvoiceSummary, 'taxGroups' | 'createdBy'> & {
  readonly taxGroups: readonly StoredTaxGroup[]
  readonly createdByType: Actor['kind']
  readonly createdBy: string | null
}
type InvoiceRow = SummaryRow &
  Pick<Invoice, 'qrText' | 'sellerCopy' | 'buyerCopy' | 'letterheadCopy'> & { readonly lines: readonly StoredLine[] }

export const summaryFrom = ({ taxGroups, createdBy, createdByType, ...row }: SummaryRow): InvoiceSummary => ({
  ...row,
  taxGroups: taxGroups.map(taxGroupFrom),
  createdBy: { type: createdByType, id: createdBy },
})

const invoiceFrom = ({ lines, qrText, sellerCopy, buyerCopy, letterheadCopy, ...row }: InvoiceRow): Invoice => ({
  ...summaryFrom(row),
  lines: lines.map(lineFrom),
  qrText,
  sellerCopy,
  buyerCopy,
  letterheadCopy,
})

export const within = ({ organisationId, mode }: Tenant): Sql =>
  sql`i.organisation_id = ${organisationId} and i.mode = ${mode}`
const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

export async function findInvoice(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<Invoice | undefined> {
  const row = await db.maybe<InvoiceRow>(sql`
    select ${invoiceColumns} from ${summaryTables}
     where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${id}`)
  return row && invoiceFrom(row)
}

export async function findSummary(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<InvoiceSummary | undefined> {
  const row = await db.maybe<SummaryRow>(sql`
    select ${summaryColumns} from ${summaryTables}
     where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${id}`)
  return row && summaryFrom(row)
}

export async function lockInvoice(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<Invoice | undefined> {
  // Locked first, read after: what was waited for is then seen as it was left. Not against foreign keys: whoever deletes a
  // party asks whether an invoice names it, and must not wait for one who waits for the party.
  const locked = await tx.run(sql`
    select 1 from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id} for no key update`)
  return locked === 0 ? undefined : await findInvoice(tx, tenant, id)
}

/** What a note corrects; null for what corrects nothing. */
export async function findOriginalId(
  db: Queryable,
  tenant: Tenant,
  id: InvoiceId,
): Promise<InvoiceId | null | undefined> {
  const row = await db.maybe<{ originalId: InvoiceId | null }>(sql`
    select original_id from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
  return row?.originalId
}

/** What a document is found by besides its id: its number in any spelling that reads the same, not one that it had before. */
export async function findIdByReading(db: Queryable, tenant: Tenant, reading: string): Promise<InvoiceId | undefined> {
  const row = await db.maybe<{ id: InvoiceId; number: string }>(sql`
    select i.id, i.number from invoice_numbers n
      join invoices i on i.organisation_id = n.organisation_id and i.mode = n.mode and i.id = n.invoice_id
     where n.organisation_id = ${tenant.organisationId} and n.mode = ${tenant.mode} and n.reading = ${reading}`)
  return row && readingOf(row.number) === reading ? row.id : undefined
}

export async function insertInvoice(tx: Tx, tenant: Tenant, invoice: Invoice): Promise<void> {
  const i = invoice
  await tx.run(sql`
    insert into invoices (organisation_id, mode, id, number, type, kind, seller_id, buyer_id, issue_date, issue_time, due_date, currency, lines,
                          tax_groups, net_minor, allowance_minor, charge_minor, tax_minor, rounding_minor, payable_minor,
                          declared_payment_status, payment_terms, notes, purchase_order_reference, buyer_reference, accounting_cost,
                          original_id, reason, created_by_type, created_by, created_at, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${i.id}, ${i.number}, ${i.type}, ${i.kind}, ${i.sellerId}, ${i.buyerId}, ${i.issueDate},
            ${i.issueTime}, ${i.dueDate}, ${i.currency}, ${JSON.stringify(i.lines.map(storedLine))}::json,
            ${JSON.stringify(i.taxGroups.map(storedTaxGroup))}::json, ${i.netMinor}, ${i.allowanceMinor}, ${i.chargeMinor}, ${i.taxMinor},
            ${i.roundingMinor}, ${i.payableMinor}, ${i.declaredPaymentStatus}, ${i.paymentTerms}, ${i.notes}, ${i.purchaseOrderReference},
            ${i.buyerReference}, ${i.accountingCost}, ${i.originalId}, ${i.reason}, ${i.createdBy.type}, ${i.createdBy.id}, ${i.createdAt},
            ${i.updatedAt})`)
  await saveItems(tx, tenant, i)
}

/** How an issued document stands. Its contents are not written again: they stay as they were. */
export async function saveStanding(tx: Tx, tenant: Tenant, invoice: Invoice): Promise<Invoice> {
  const i = invoice
  const { version } = await tx.one<{ version: number }>(sql`
    update invoices
       set status = ${i.status}, paid_minor = ${i.paidMinor}, credited_minor = ${i.creditedMinor}, irn = ${i.irn}, qr_text = ${i.qrText},
           delivery = ${i.delivery}, submitted_at = ${i.submittedAt}, sent_at = ${i.sentAt}, shared_at = ${i.sharedAt},
           updated_at = ${i.updatedAt}, version = version + 1
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${i.id} returning version`)
  return { ...i, version }
}

/** Everything about a document that may change while it is a draft, or becomes one, or stops being one. */
export async function saveInvoice(tx: Tx, tenant: Tenant, invoice: Invoice): Promise<Invoice> {
  const i = invoice
  const { version } = await tx.one<{ version: number }>(sql`
    update invoices
       set number = ${i.number}, kind = ${i.kind}, status = ${i.status}, seller_id = ${i.sellerId}, buyer_id = ${i.buyerId},
           issue_date = ${i.issueDate}, issue_time = ${i.issueTime}, due_date = ${i.dueDate}, currency = ${i.currency},
           lines = ${JSON.stringify(i.lines.map(storedLine))}::json, tax_groups = ${JSON.stringify(i.taxGroups.map(storedTaxGroup))}::json,
           net_minor = ${i.netMinor}, allowance_minor = ${i.allowanceMinor}, charge_minor = ${i.chargeMinor}, tax_minor = ${i.taxMinor},
           rounding_minor = ${i.roundingMinor}, payable_minor = ${i.payableMinor}, paid_minor = ${i.paidMinor},
           credited_minor = ${i.creditedMinor}, declared_payment_status = ${i.declaredPaymentStatus}, payment_terms = ${i.paymentTerms},
           notes = ${i.notes}, purchase_order_reference = ${i.purchaseOrderReference}, buyer_reference = ${i.buyerReference},
           accounting_cost = ${i.accountingCost}, seller_copy = ${json(i.sellerCopy)}::jsonb, buyer_copy = ${json(i.buyerCopy)}::jsonb,
           letterhead_copy = ${json(i.letterheadCopy)}::jsonb, irn = ${i.irn}, qr_text = ${i.qrText}, delivery = ${i.delivery}, finalised_at = ${i.finalisedAt}, submitted_at = ${i.submittedAt},
           sent_at = ${i.sentAt}, shared_at = ${i.sharedAt}, updated_at = ${i.updatedAt}, version = version + 1
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${i.id} returning version`)
  return { ...i, version }
}

/** A document that is issued holds its parties and its logo; one that is a draft again lets them go. */
export async function saveIssuedParties(tx: Tx, tenant: Tenant, invoice: Invoice): Promise<void> {
  const { id, status, buyerId, sellerId, letterheadCopy } = invoice
  if (status === 'draft')
    await tx.run(sql`
      delete from issued_parties where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${id}`)
  else
    await tx.run(sql`
      insert into issued_parties (organisation_id, mode, invoice_id, buyer_id, seller_id, logo_hash)
      values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${buyerId}, ${sellerId}, ${letterheadCopy?.logo ?? null})`)
}

export async function deleteInvoice(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<void> {
  await tx.run(sql`
    delete from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

export const itemsOf = ({ lines }: Pick<Invoice, 'lines'>): ItemId[] =>
  lines.flatMap(({ itemId }) => (itemId === null ? [] : [itemId]))

/** Which items the lines name, in place of those that they named before. */
export async function saveItems(tx: Tx, tenant: Tenant, invoice: Pick<Invoice, 'id' | 'lines'>): Promise<void> {
  const named = [...new Set(itemsOf(invoice))]
  await tx.run(sql`
    delete from invoice_items
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${invoice.id} and item_id <> all (${named}::uuid[])`)
  if (named.length > 0)
    await tx.run(sql`
      insert into invoice_items (organisation_id, mode, invoice_id, item_id)
      select ${tenant.organisationId}, ${tenant.mode}, ${invoice.id}, unnest(${named}::uuid[]) on conflict do nothing`)
}

/** Takes the number for a document, for ever: it may go back to one that it had. False when another one has it, or had it. */
export async function claimNumber(tx: Tx, tenant: Tenant, reading: string, id: InvoiceId): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into invoice_numbers as n (organisation_id, mode, reading, invoice_id)
    values (${tenant.organisationId}, ${tenant.mode}, ${reading}, ${id})
    on conflict (organisation_id, mode, reading) do update set invoice_id = n.invoice_id where n.invoice_id = excluded.invoice_id`)
  return claimed === 1
}

export async function isNumberTaken(db: Queryable, tenant: Tenant, reading: string): Promise<boolean> {
  const taken = await db.maybe(sql`
    select 1 from invoice_numbers
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and reading = ${reading}`)
  return taken !== undefined
}

export async function takeNextOrdinal(tx: Tx, tenant: Tenant, series: string): Promise<bigint> {
  const { ordinal } = await tx.one<{ ordinal: bigint }>(sql`
    insert into number_series as s (organisation_id, mode, series, next_number)
    values (${tenant.organisationId}, ${tenant.mode}, ${series}, 2)
    on conflict (organisation_id, mode, series) do update set next_number = s.next_number + 1
    returning next_number - 1 as ordinal`)
  return ordinal
}

/**
 * The first ordinal after a run of taken numbers that begins with `taken`; it is taken with it. The series is locked already. The
 * run is read in the order of the key, among numbers of as many digits, which sort as they count; `most` of them are looked at.
 */
export async function takeOrdinalAfterRun(
  tx: Tx,
  tenant: Tenant,
  series: string,
  taken: string,
  most: number,
): Promise<bigint> {
  const { organisationId, mode } = tenant
  const last = `${series}${'9'.repeat(taken.length - series.length)}`
  const { ordinal } = await tx.one<{ ordinal: bigint }>(sql`
    update number_series as s set next_number = run.last + 2
      from (select ordinal as last
              from (select reading, ordinal, lead(ordinal) over (order by reading) as following
                      from (select reading, substr(reading, ${series.length + 1})::bigint as ordinal
                              from (select reading from invoice_numbers
                                     where organisation_id = ${organisationId} and mode = ${mode} and reading between ${taken} and ${last}
                                     order by reading limit ${most}) as near
                             where length(reading) = ${taken.length} and substr(reading, ${series.length + 1}) ~ '^[0-9]+$') as numbers) as held
             where following is distinct from ordinal + 1 order by reading limit 1) as run
     where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.series = ${series}
    returning run.last + 1 as ordinal`)
  return ordinal
}

export async function countNotes(tx: Tx, tenant: Tenant, originalId: InvoiceId): Promise<number> {
  const { notes } = await tx.one<{ notes: number }>(sql`
    select count(*)::int as notes from invoices
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and original_id = ${originalId} and status <> 'cancelled'`)
  return notes
}

/** What notes against a document come to, in each tax group; one note may be left out. */
export async function listNotes(
  db: Queryable,
  tenant: Tenant,
  originalId: InvoiceId,
  type: 'credit_note' | 'debit_note',
  except?: InvoiceId,
): Promise<Invoice[]> {
  const conditions = [
    within(tenant),
    sql`i.original_id = ${originalId}`,
    sql`i.type = ${type}`,
    sql`i.status <> 'cancelled'`,
  ]
  if (except !== undefined) conditions.push(sql`i.id <> ${except}`)
  const rows = await db.rows<InvoiceRow>(sql`
    select ${invoiceColumns} from ${summaryTables} where ${joined(conditions, ' and ')} order by i.id`)
  return rows.map(invoiceFrom)
}
