import { mapped, type Page, type PageRequest } from '../../kernel/paging.ts'
import { searchText } from '../../kernel/search-text.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type WrittenFields, writtenFieldNames } from '../../kernel/written-fields.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { isBehindTenant } from '../../platform/database/fair-turns.store.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import type { Actor } from '../../platform/events/actors.ts'
import type { BuyerId } from '../buyers/index.ts'
import { documentContents, type InvoiceId } from '../invoices/index.ts'
import type {
  Quote,
  QuoteDecision,
  QuoteId,
  QuoteResult,
  QuoteSummary,
  QuoteType,
  QuoteVersion,
  VersionSummary,
} from './quote.ts'
import { type QuoteStatus, type StoredStatus, statusAt } from './quote-status.ts'

const { lineFrom, storedLine, storedTaxGroup, taxGroupFrom } = documentContents

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`
const ofQuote = (tenant: Tenant, id: QuoteId): Sql => sql`${within(tenant)} and quote_id = ${id}`

const versionColumns = sql`
  v.version_number, v.kind, v.seller_id, v.buyer_id, v.buyer_name, v.currency, v.issue_date, v.valid_until, v.tax_groups, v.net_minor,
  v.allowance_minor, v.charge_minor, v.tax_minor, v.payable_minor, v.texts, v.decision, v.decided_by, v.decided_through, v.decided_at,
  v.decided_from, v.remark, v.created_at as version_created_at`
const contentColumns = sql`v.lines, v.seller_copy, v.buyer_copy`
const quoteColumns = sql`
  q.id, q.type, q.number, q.status as stored_status, q.expires_at, q.sent_at, s.shared_at, q.created_by_type, q.created_by, q.created_at,
  q.updated_at, q.version`
const quoteTables = sql`
  quotes q
  join quote_versions v on v.organisation_id = q.organisation_id and v.mode = q.mode and v.quote_id = q.id and v.version_number = q.current_version
  left join quote_shares s on s.organisation_id = q.organisation_id and s.mode = q.mode and s.quote_id = q.id`

type VersionRow = Omit<VersionSummary, 'taxGroups' | 'decision' | keyof WrittenFields> & {
  readonly taxGroups: readonly documentContents.StoredTaxGroup[]
  readonly texts: Partial<WrittenFields>
  readonly decision: QuoteDecision['decision'] | null
  readonly decidedBy: string
  readonly decidedThrough: QuoteDecision['through']
  readonly decidedAt: Date
  readonly decidedFrom: string
  readonly remark: string | null
}
type ContentRow = Pick<QuoteVersion, 'sellerCopy' | 'buyerCopy'> & {
  readonly lines: readonly documentContents.StoredLine[]
}
type QuoteRow = Omit<QuoteSummary, 'status' | 'createdBy' | keyof VersionSummary> & {
  readonly createdByType: Actor['kind']
  readonly createdBy: string | null
}

/** Fields that were added to the product later are missing in older rows. */
const writtenFrom = (stored: Partial<WrittenFields>): WrittenFields =>
  Object.fromEntries(writtenFieldNames.map((name) => [name, stored[name] ?? null])) as WrittenFields

function versionFrom(row: VersionRow): VersionSummary {
  const { decision, decidedBy: name, decidedThrough: through, decidedAt, decidedFrom: address, remark } = row
  return {
    ...row,
    ...writtenFrom(row.texts),
    taxGroups: row.taxGroups.map(taxGroupFrom),
    decision: decision && { decision, name, through, decidedAt, address, remark },
  }
}

const contentFrom = ({ lines, sellerCopy, buyerCopy }: ContentRow) => ({
  lines: lines.map(lineFrom),
  sellerCopy,
  buyerCopy,
})

/** Further columns stay on the object, although its type does not name them. Code that shows a quote names each field. */
const summaryFrom = (row: QuoteRow & VersionRow, now: Date): QuoteSummary => ({
  ...row,
  ...versionFrom(row),
  status: statusAt(row.storedStatus, row.expiresAt, now),
  createdBy: { type: row.createdByType, id: row.createdBy },
})

/** The documents of a quote, oldest first, each with its current state. */
const listResults = (db: Queryable, tenant: Tenant, id: QuoteId): Promise<QuoteResult[]> =>
  db.rows(sql`
    select r.kind, r.invoice_id, coalesce(i.number, r.invoice_number) as invoice_number, r.payable_minor, r.rest_allowance_minor,
           i.status as invoice_status,
           -- A draft can get another currency, and then nothing of the quote is on it.
           case when i.currency = v.currency then i.payable_minor - i.credited_minor when i.id is not null then 0 end as payable_now_minor
      from quote_results r
      join quotes q on q.organisation_id = r.organisation_id and q.mode = r.mode and q.id = r.quote_id
      join quote_versions v on v.organisation_id = q.organisation_id and v.mode = q.mode and v.quote_id = q.id and v.version_number = q.current_version
      left join invoices i on i.organisation_id = r.organisation_id and i.mode = r.mode and i.id = r.invoice_id
     where r.organisation_id = ${tenant.organisationId} and r.mode = ${tenant.mode} and r.quote_id = ${id}
     order by r.created_at, r.invoice_id`)

export async function findQuote(db: Queryable, tenant: Tenant, id: QuoteId, now: Date): Promise<Quote | undefined> {
  const row = await db.maybe<QuoteRow & VersionRow & ContentRow>(sql`
    select ${quoteColumns}, ${versionColumns}, ${contentColumns} from ${quoteTables}
     where q.organisation_id = ${tenant.organisationId} and q.mode = ${tenant.mode} and q.id = ${id}`)
  if (!row) return undefined
  return { ...summaryFrom(row, now), ...contentFrom(row), results: await listResults(db, tenant, id) }
}

/** A decision, a change and a conversion at the same moment happen one after the other. */
export async function lockQuote(tx: Tx, tenant: Tenant, id: QuoteId, now: Date): Promise<Quote | undefined> {
  await tx.run(sql`select from quotes where ${within(tenant)} and id = ${id} for no key update`)
  return await findQuote(tx, tenant, id, now)
}

/** Like `lockQuote`, for workers: `undefined` if another transaction holds the quote. */
export async function lockFreeQuote(tx: Tx, tenant: Tenant, id: QuoteId, now: Date): Promise<Quote | undefined> {
  const free = await tx.maybe<{ id: string }>(
    sql`select id from quotes where ${within(tenant)} and id = ${id} for no key update skip locked`,
  )
  return free && (await findQuote(tx, tenant, id, now))
}

/** Nobody deletes, changes or credits a document of the quote until the transaction ends. */
export async function lockResults(tx: Tx, tenant: Tenant, id: QuoteId): Promise<void> {
  await tx.run(sql`
    select from invoices where ${within(tenant)} and id in (select invoice_id from quote_results where ${ofQuote(tenant, id)})
     order by id for share`)
}

export interface QuoteFilter {
  readonly type?: QuoteType | undefined
  readonly status?: QuoteStatus | undefined
  readonly buyerId?: BuyerId | undefined
  readonly issuedFrom?: string | undefined
  readonly issuedTo?: string | undefined
  readonly search?: string | undefined
}

function conditionsOf(tenant: Tenant, filter: QuoteFilter, now: Date): Sql {
  const { type, status, buyerId, issuedFrom, issuedTo, search } = filter
  const isOver = sql`coalesce(q.expires_at <= ${now}, false)`
  const conditions = [sql`q.organisation_id = ${tenant.organisationId} and q.mode = ${tenant.mode}`]
  if (type !== undefined) conditions.push(sql`q.type = ${type}`)
  if (status === 'expired') conditions.push(sql`q.status = 'sent' and ${isOver}`)
  else if (status === 'sent') conditions.push(sql`q.status = 'sent' and not ${isOver}`)
  else if (status !== undefined) conditions.push(sql`q.status = ${status}`)
  if (buyerId !== undefined) conditions.push(sql`v.buyer_id = ${buyerId}`)
  if (issuedFrom !== undefined) conditions.push(sql`v.issue_date >= ${issuedFrom}`)
  if (issuedTo !== undefined) conditions.push(sql`v.issue_date <= ${issuedTo}`)
  const wanted = searchText(search ?? '')
  if (wanted !== '') conditions.push(sql`position(${wanted} in q.search) > 0`)
  return joined(conditions, ' and ')
}

export async function listQuotes(
  db: Queryable,
  tenant: Tenant,
  filter: QuoteFilter,
  page: PageRequest,
  now: Date,
): Promise<Page<QuoteSummary>> {
  const matching = conditionsOf(tenant, filter, now)
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from ${quoteTables} where ${matching}`,
  )
  const columns = sql`${quoteColumns}, ${versionColumns}`
  const query = { columns, tables: quoteTables, matching, total, order: newestIdFirst(sql`q.id`) }
  return mapped(await readPage<QuoteRow & VersionRow>(db, query, page), (row) => summaryFrom(row, now))
}

/** Versions of a quote, newest first. */
export async function listVersions(
  db: Queryable,
  tenant: Tenant,
  id: QuoteId,
  page: PageRequest,
): Promise<Page<VersionSummary>> {
  const matching = sql`v.organisation_id = ${tenant.organisationId} and v.mode = ${tenant.mode} and v.quote_id = ${id}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from quote_versions v where ${matching}`,
  )
  const order = {
    name: 'version',
    keys: [{ column: sql`v.version_number`, type: 'integer', descending: true }],
  } as const
  const query = { columns: versionColumns, tables: sql`quote_versions v`, matching, total, order }
  return mapped(await readPage<VersionRow>(db, query, page), versionFrom)
}

export async function findVersion(
  db: Queryable,
  tenant: Tenant,
  id: QuoteId,
  versionNumber: number,
): Promise<QuoteVersion | undefined> {
  const row = await db.maybe<VersionRow & ContentRow>(sql`
    select ${versionColumns}, ${contentColumns} from quote_versions v
     where v.organisation_id = ${tenant.organisationId} and v.mode = ${tenant.mode} and v.quote_id = ${id} and v.version_number = ${versionNumber}`)
  return row && { ...versionFrom(row), ...contentFrom(row) }
}

/** Quotes that are not decided and not over. Waits for concurrent requests of the tenant: otherwise two of them could take the last place. */
export async function lockOpenCount(tx: Tx, { organisationId, mode }: Tenant, now: Date): Promise<number> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended('quotes of ' || ${organisationId}::text || ${mode}::text, 0))`,
  )
  const { many } = await tx.one<{ many: number }>(sql`
    select count(*)::int as many from quotes
     where ${within({ organisationId, mode })} and status in ('draft', 'sent') and (status = 'draft' or expires_at is null or expires_at > ${now})`)
  return many
}

export type NewQuote = Pick<Quote, 'id' | 'type' | 'number' | 'createdBy' | 'createdAt'>

export async function insertQuote(
  tx: Tx,
  tenant: Tenant,
  { id, type, number, createdBy, createdAt }: NewQuote,
): Promise<void> {
  await tx.run(sql`
    insert into quotes (organisation_id, mode, id, type, number, status, current_version, search, created_by_type, created_by, created_at, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${type}, ${number}, 'draft', 1, '', ${createdBy.type}, ${createdBy.id}, ${createdAt}, ${createdAt})`)
}

export type VersionContent = Omit<QuoteVersion, 'versionNumber' | 'decision' | 'versionCreatedAt'>

/** A version gets copies of its parties when it is sent. From then on it never changes, and a change is a new version. */
export async function saveVersion(
  tx: Tx,
  tenant: Tenant,
  id: QuoteId,
  versionNumber: number,
  content: VersionContent,
  now: Date,
): Promise<void> {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
  const texts = Object.fromEntries(writtenFieldNames.map((name) => [name, content[name]]))
  const saved = await tx.run(sql`
    insert into quote_versions as old (organisation_id, mode, quote_id, version_number, kind, seller_id, buyer_id, buyer_name, currency, issue_date,
                                valid_until, lines, tax_groups, net_minor, allowance_minor, charge_minor, tax_minor, payable_minor, texts,
                                seller_copy, buyer_copy, created_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${versionNumber}, ${content.kind}, ${content.sellerId}, ${content.buyerId},
            ${content.buyerName}, ${content.currency}, ${content.issueDate}, ${content.validUntil},
            ${json(content.lines.map(storedLine))}::json, ${json(content.taxGroups.map(storedTaxGroup))}::json, ${content.netMinor},
            ${content.allowanceMinor}, ${content.chargeMinor}, ${content.taxMinor}, ${content.payableMinor}, ${json(texts)}::jsonb,
            ${json(content.sellerCopy)}::jsonb, ${json(content.buyerCopy)}::jsonb, ${now})
    on conflict (organisation_id, mode, quote_id, version_number) do update
       set kind = excluded.kind, seller_id = excluded.seller_id, buyer_id = excluded.buyer_id, buyer_name = excluded.buyer_name,
           currency = excluded.currency, issue_date = excluded.issue_date, valid_until = excluded.valid_until, lines = excluded.lines,
           tax_groups = excluded.tax_groups, net_minor = excluded.net_minor, allowance_minor = excluded.allowance_minor,
           charge_minor = excluded.charge_minor, tax_minor = excluded.tax_minor, payable_minor = excluded.payable_minor, texts = excluded.texts,
           seller_copy = excluded.seller_copy, buyer_copy = excluded.buyer_copy
     where old.buyer_copy is null`)
  if (saved === 0) throw new Error('a version that was sent cannot be changed')
}

export interface QuoteProgress {
  readonly status: StoredStatus
  readonly versionNumber: number
  readonly expiresAt: Date | null
  readonly sentAt: Date | null
  readonly search: string
}

/** A quote with a new end gets a new event when that end comes. */
export async function saveQuote(
  tx: Tx,
  tenant: Tenant,
  id: QuoteId,
  { status, versionNumber, expiresAt, sentAt, search }: QuoteProgress,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update quotes
       set status = ${status}, current_version = ${versionNumber}, sent_at = ${sentAt}, search = ${search},
           is_expiry_emitted = is_expiry_emitted and expires_at is not distinct from ${expiresAt}, expires_at = ${expiresAt},
           version = version + 1, updated_at = ${now}
     where ${within(tenant)} and id = ${id}`)
}

export async function saveStatus(tx: Tx, tenant: Tenant, id: QuoteId, status: StoredStatus, now: Date): Promise<void> {
  await tx.run(sql`
    update quotes set status = ${status}, version = version + 1, updated_at = ${now} where ${within(tenant)} and id = ${id}`)
}

export async function saveDecision(
  tx: Tx,
  tenant: Tenant,
  id: QuoteId,
  versionNumber: number,
  { decision, name, remark, decidedAt, through, address }: QuoteDecision,
): Promise<void> {
  await tx.run(sql`
    update quote_versions
       set decision = ${decision}, decided_by = ${name}, decided_through = ${through}, decided_at = ${decidedAt}, decided_from = ${address},
           remark = ${remark}
     where ${ofQuote(tenant, id)} and version_number = ${versionNumber}`)
}

export type NewResult = Pick<
  QuoteResult,
  'kind' | 'invoiceId' | 'invoiceNumber' | 'payableMinor' | 'restAllowanceMinor'
>

export async function insertResult(
  tx: Tx,
  tenant: Tenant,
  id: QuoteId,
  { kind, invoiceId, invoiceNumber, payableMinor, restAllowanceMinor }: NewResult,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into quote_results (organisation_id, mode, quote_id, invoice_id, kind, invoice_number, payable_minor, rest_allowance_minor, created_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${invoiceId}, ${kind}, ${invoiceNumber}, ${payableMinor}, ${restAllowanceMinor}, ${now})`)
}

/** Forgets documents that do not exist any more, so that the quote can be converted again. */
export async function deleteResults(
  tx: Tx,
  tenant: Tenant,
  id: QuoteId,
  invoiceIds: readonly InvoiceId[],
): Promise<void> {
  await tx.run(sql`delete from quote_results where ${ofQuote(tenant, id)} and invoice_id = any (${invoiceIds}::uuid[])`)
}

/** Organisations with quotes that have ended without a decision and whose event is due, in the order of their ids. */
export function listTenantsWithExpiredQuotes(
  db: Queryable,
  after: Tenant | undefined,
  now: Date,
  limit: number,
): Promise<Tenant[]> {
  return db.rows(sql`
    select distinct organisation_id, mode from quotes
     where status = 'sent' and expires_at <= ${now} and not is_expiry_emitted and ${isBehindTenant(after)} order by organisation_id, mode limit ${limit}`)
}

export async function listExpiredQuotes(db: Queryable, tenant: Tenant, now: Date, limit: number): Promise<QuoteId[]> {
  const rows = await db.rows<{ id: QuoteId }>(sql`
    select id from quotes
     where ${within(tenant)} and status = 'sent' and expires_at <= ${now} and not is_expiry_emitted order by expires_at, id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** When the next quote of a tenant expires after this moment. */
export async function findNextExpiryAt(db: Queryable, tenant: Tenant, after: Date): Promise<Date | undefined> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select min(expires_at) as at from quotes
     where ${within(tenant)} and status = 'sent' and expires_at > ${after} and not is_expiry_emitted`)
  return at ?? undefined
}

/** False if the event was emitted already. */
export async function markExpiryEmitted(tx: Tx, tenant: Tenant, id: QuoteId, now: Date): Promise<boolean> {
  const marked = await tx.run(sql`
    update quotes set is_expiry_emitted = true, version = version + 1, updated_at = ${now}
     where ${within(tenant)} and id = ${id} and status = 'sent' and expires_at <= ${now} and not is_expiry_emitted`)
  return marked === 1
}
