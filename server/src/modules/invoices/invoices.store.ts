import { homeTaxFrom, type StoredHomeTax } from '../../kernel/exchange-rate.ts'
import { instalmentFrom, type StoredInstalment } from '../../kernel/instalments.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { batchLoader } from '../../platform/database/batch-loader.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { identifier, joined, prepared, type Sql, sql } from '../../platform/database/sql.ts'
import type { Actor } from '../../platform/events/actors.ts'
import type { ItemId } from '../items/index.ts'
import type { Invoice, InvoiceId, InvoiceSummary } from './invoice.ts'
import {
  columnOf,
  type InvoiceField,
  insertedFields,
  invoiceColumns,
  isJson,
  listedFields,
  loneFields,
  progressFields,
  reopenedFields,
  storedValue,
} from './invoice-columns.ts'
import type { InvoiceStatus } from './status-moves.ts'
import { lineFrom, type StoredLine, type StoredTaxGroup, taxGroupFrom } from './stored-lines.ts'

const columnsOf = (fields: readonly InvoiceField[], table = ''): Sql =>
  joined(
    fields.map((field) => identifier(table + columnOf(field))),
    ', ',
  )

/** Everything except the lines and what only single documents show. A draft shows its current parties. */
export const summaryColumns = sql`
  ${columnsOf(
    listedFields.filter((field) => field !== 'buyerId'),
    'i.',
  )},
  case when i.status = 'draft' then b.id else i.buyer_id end as buyer_id,
  coalesce(i.buyer_copy ->> 'name', b.name) as buyer_name, coalesce(i.buyer_copy ->> 'taxId', b.tax_id) as buyer_tax_id,
  o.number as original_number, i.version`

/**
 * Rows are looked up one by one by their whole keys (`offset 0`): a planner without statistics of a new tenant would
 * read all its rows.
 */
export const summaryTables = ({ organisationId, mode }: Tenant): Sql => sql`
  invoices i
  left join lateral (
    select b.id, b.name, b.tax_id from buyers b
     where b.organisation_id = ${organisationId} and b.mode = ${mode} and b.id = i.buyer_id and i.buyer_copy is null offset 0) as b on true
  left join lateral (
    select o.number from invoices o where o.organisation_id = ${organisationId} and o.mode = ${mode} and o.id = i.original_id offset 0) as o on true`

const documentColumns = sql`${summaryColumns}, ${columnsOf(loneFields, 'i.')}`

type SummaryRow = Omit<InvoiceSummary, 'taxGroups' | 'instalments' | 'createdBy'> & {
  readonly taxGroups: readonly StoredTaxGroup[]
  readonly instalments: readonly StoredInstalment[] | null
  readonly createdByType: Actor['kind']
  readonly createdBy: string | null
}
type InvoiceRow = SummaryRow &
  Omit<Invoice, 'lines' | 'homeTax' | keyof InvoiceSummary> & {
    readonly lines: readonly StoredLine[]
    readonly homeTax: StoredHomeTax | null
  }

/**
 * Further columns stay on the object, although its type does not name them: omitting keys costs far more than copying
 * all (docs/performance.md). So code that shows or stores an invoice names each field.
 */
export const summaryFrom = <Row extends SummaryRow>(row: Row) => ({
  ...row,
  taxGroups: row.taxGroups.map(taxGroupFrom),
  instalments: row.instalments?.map(instalmentFrom) ?? null,
  createdBy: { type: row.createdByType, id: row.createdBy },
})

const invoiceFrom = (row: InvoiceRow): Invoice => ({
  ...summaryFrom(row),
  lines: row.lines.map(lineFrom),
  homeTax: row.homeTax && homeTaxFrom(row.homeTax),
})

export const within = ({ organisationId, mode }: Tenant): Sql =>
  sql`i.organisation_id = ${organisationId} and i.mode = ${mode}`

function valueFor(invoice: Invoice, field: InvoiceField): Sql {
  const value = storedValue(invoice, field)
  if (!isJson(field)) return sql`${value}`
  const json = value === null ? null : JSON.stringify(value)
  return sql`${json}::${identifier(invoiceColumns[field].type)}`
}

const assigned = (invoice: Invoice, fields: readonly InvoiceField[]): Sql =>
  joined(
    fields.map((field) => sql`${identifier(columnOf(field))} = ${valueFor(invoice, field)}`),
    ', ',
  )

export const findingInvoice = (tenant: Tenant, id: InvoiceId): Sql =>
  prepared(
    'find an invoice',
    sql`
    select ${documentColumns} from ${summaryTables(tenant)}
     where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${id}`,
  )

export async function findInvoice(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<Invoice | undefined> {
  const row = await db.maybe<InvoiceRow>(findingInvoice(tenant, id))
  return row && invoiceFrom(row)
}

const findingInvoices = (tenant: Tenant, ids: readonly InvoiceId[], more: Sql): Sql => sql`
  select ${documentColumns}, ${more} as more from ${summaryTables(tenant)}
   where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = any (${ids}::uuid[])`

/**
 * Finds an invoice for a plan, with a batch loader. `more` is an SQL expression for further data, in which `i` is the
 * invoice; `name` distinguishes the batches.
 */
export const findingTogether = <More>(name: string, more: (tenant: Tenant) => Sql) =>
  batchLoader<InvoiceId, { readonly invoice: Invoice; readonly more: More }>(async (db, tenant, ids) => {
    const statement = prepared(`find invoices ${name}`, findingInvoices(tenant, ids, more(tenant)))
    const rows = await db.rows<InvoiceRow & { more: More }>(statement)
    return new Map(rows.map(({ more, ...row }) => [row.id, { invoice: invoiceFrom(row), more }]))
  })

const findAlone = findingTogether<null>('to change', () => sql`null`)

/** An invoice for a planned change: without a lock, because the statement has a guard on its version. */
export const findToChange = async (db: Queryable, tenant: Tenant, id: InvoiceId): Promise<Invoice | undefined> =>
  (await findAlone(db, tenant, id))?.invoice

export async function findSummary(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<InvoiceSummary | undefined> {
  const row = await db.maybe<SummaryRow>(sql`
    select ${summaryColumns} from ${summaryTables(tenant)}
     where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${id}`)
  return row && summaryFrom(row)
}

export async function lockInvoice(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<Invoice | undefined> {
  // Lock first, then read, so that the row is read as the earlier holder left it. The lock does not block foreign
  // keys: deleting a party checks whether an invoice refers to the party, and must not deadlock with a change that waits for the
  // party.
  const locked = await tx.run(sql`
    select 1 from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id} for no key update`)
  return locked === 0 ? undefined : await findInvoice(tx, tenant, id)
}

/** The id of the corrected document; null if the document is no note. */
export async function findOriginalId(
  db: Queryable,
  tenant: Tenant,
  id: InvoiceId,
): Promise<InvoiceId | null | undefined> {
  const row = await db.maybe<{ originalId: InvoiceId | null }>(sql`
    select original_id from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
  return row?.originalId
}

export async function insertInvoice(tx: Tx, tenant: Tenant, invoice: Invoice): Promise<void> {
  const values = insertedFields.map((field) => valueFor(invoice, field))
  await tx.run(sql`
    insert into invoices (organisation_id, mode, ${columnsOf(insertedFields)})
    values (${tenant.organisationId}, ${tenant.mode}, ${joined(values, ', ')})`)
  await saveItems(tx, tenant, invoice)
}

/** Saves the progress of an issued document. Its contents cannot change and are not written. */
export const saveProgress = (tx: Tx, tenant: Tenant, invoice: Invoice): Promise<Invoice> =>
  saveFields(tx, tenant, invoice, progressFields)

/** Saves a document that becomes a draft again. Its contents do not change and are not written. */
export const saveReopened = (tx: Tx, tenant: Tenant, invoice: Invoice): Promise<Invoice> =>
  saveFields(tx, tenant, invoice, reopenedFields)

async function saveFields(tx: Tx, tenant: Tenant, invoice: Invoice, fields: readonly InvoiceField[]): Promise<Invoice> {
  const { version } = await tx.one<{ version: number }>(sql`
    update invoices set ${assigned(invoice, fields)}, version = version + 1
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${invoice.id} returning version`)
  return { ...invoice, version }
}

/** A reopened document releases its parties and its logo. */
export async function deleteIssuedParties(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<void> {
  await tx.run(sql`
    delete from issued_parties where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${id}`)
}

export async function deleteInvoice(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<void> {
  await tx.run(sql`
    delete from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

export const itemsOf = ({ lines }: Pick<Invoice, 'lines'>): ItemId[] =>
  lines.flatMap(({ itemId }) => (itemId === null ? [] : [itemId]))

/** Replaces the items that the lines name. */
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

/** Credit notes of a document with one of these statuses; one may be left out. */
export async function listCreditNotes(
  db: Queryable,
  tenant: Tenant,
  originalId: InvoiceId,
  statuses: readonly InvoiceStatus[],
  except?: InvoiceId,
): Promise<Invoice[]> {
  const conditions = [
    within(tenant),
    sql`i.original_id = ${originalId}`,
    sql`i.type = 'credit_note'`,
    sql`i.status = any (${statuses}::text[])`,
  ]
  if (except !== undefined) conditions.push(sql`i.id <> ${except}`)
  const rows = await db.rows<InvoiceRow>(sql`
    select ${documentColumns} from ${summaryTables(tenant)} where ${joined(conditions, ' and ')} order by i.id`)
  return rows.map(invoiceFrom)
}
