import type { TokenCaller } from '../../kernel/callers.ts'
import { mapped, type Page, type PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Database, Queryable, Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { InvoiceId } from '../invoices/index.ts'
import {
  type BulkAction,
  type BulkJob,
  type BulkJobId,
  type BulkJobStatus,
  type BulkOutcome,
  type BulkResult,
  type ItemRefusal,
  outcomes,
} from './bulk-job.ts'

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`
const ofJob = (tenant: Tenant, id: BulkJobId): Sql => sql`${within(tenant)} and bulk_job_id = ${id}`

export interface NewItem {
  readonly invoiceId: InvoiceId
  readonly invoiceNumber: string | null
}

export async function insertBulkJob(
  tx: Tx,
  { organisationId, mode }: Tenant,
  caller: TokenCaller,
  made: { readonly id: BulkJobId; readonly action: BulkAction; readonly items: readonly NewItem[] },
  now: Date,
): Promise<void> {
  // The caller's rights are looked up again for each slice.
  const askedBy = JSON.stringify({ ...caller, capabilities: undefined })
  await tx.run(sql`
    insert into bulk_jobs (organisation_id, mode, id, action, status, asked_by, created_at, updated_at)
    values (${organisationId}, ${mode}, ${made.id}, ${made.action}, 'running', ${askedBy}::jsonb, ${now}, ${now})`)
  await tx.run(sql`
    insert into bulk_job_items (organisation_id, mode, bulk_job_id, position, invoice_id, invoice_number, outcome, details)
    select ${organisationId}, ${mode}, ${made.id}, i.position, i.id, i.number, 'waiting', '[]'
      from unnest(${made.items.map(({ invoiceId }) => invoiceId)}::uuid[],
                  ${made.items.map(({ invoiceNumber }) => invoiceNumber)}::text[]) with ordinality as i (id, number, position)`)
}

/** Waits for concurrent requests of the tenant: otherwise two of them could take the last place. */
export async function lockRunningCount(tx: Tx, tenant: Tenant): Promise<number> {
  const { organisationId, mode } = tenant
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended('bulk jobs of ' || ${organisationId}::text || ${mode}::text, 0))`,
  )
  const { running } = await tx.one<{ running: number }>(
    sql`select count(*)::int as running from bulk_jobs where ${within(tenant)} and status = 'running'`,
  )
  return running
}

/** The stored documents of all jobs of the tenant, counted up to a limit. */
export async function countStoredItems(db: Queryable, tenant: Tenant, most: number): Promise<number> {
  const { stored } = await db.one<{ stored: number }>(
    sql`select count(*)::int as stored from (select 1 from bulk_job_items where ${within(tenant)} limit ${most}) as i`,
  )
  return stored
}

const counted = sql`
  (select coalesce(jsonb_object_agg(outcome, many), '{}') from (
     select i.outcome, count(*) as many from bulk_job_items i
      where i.organisation_id = j.organisation_id and i.mode = j.mode and i.bulk_job_id = j.id group by i.outcome) as o) as counts`
const columns = sql`id, action, status, continues_at, created_at, updated_at, ${counted}`

type BulkJobRow = Omit<BulkJob, 'counts'> & { readonly counts: Partial<Record<BulkOutcome, number>> }
const jobFrom = ({ counts, ...row }: BulkJobRow): BulkJob => ({
  ...row,
  counts: Object.fromEntries(outcomes.map((outcome) => [outcome, counts[outcome] ?? 0])) as BulkJob['counts'],
})

export async function findBulkJob(db: Queryable, tenant: Tenant, id: BulkJobId): Promise<BulkJob | undefined> {
  const found = await db.maybe<BulkJobRow>(
    sql`select ${columns} from bulk_jobs j where ${within(tenant)} and id = ${id}`,
  )
  return found && jobFrom(found)
}

/** Results show documents. Without the right to read invoices, callers see only the jobs that they started themselves. */
const visibleTo = (caller: TokenCaller): Sql => {
  if (caller.capabilities.has('invoice.read')) return sql`true`
  const [name, id] = caller.kind === 'api_key' ? ['keyId', caller.keyId] : ['userId', caller.userId]
  return sql`asked_by ->> ${name}::text = ${id}::text`
}

export async function findVisibleBulkJob(
  db: Queryable,
  tenant: Tenant,
  caller: TokenCaller,
  id: BulkJobId,
): Promise<BulkJob | undefined> {
  const found = await db.maybe<BulkJobRow>(
    sql`select ${columns} from bulk_jobs j where ${within(tenant)} and id = ${id} and ${visibleTo(caller)}`,
  )
  return found && jobFrom(found)
}

export async function listVisibleBulkJobs(
  db: Queryable,
  tenant: Tenant,
  caller: TokenCaller,
  actions: readonly BulkAction[],
  page: PageRequest,
): Promise<Page<BulkJob>> {
  const matching = sql`${within(tenant)} and action = any(${actions}) and ${visibleTo(caller)}`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from bulk_jobs where ${matching}`)
  const query = { columns, tables: sql`bulk_jobs j`, matching, total }
  return mapped(await readPage<BulkJobRow>(db, { ...query, order: newestIdFirst(sql`j.id`) }, page), jobFrom)
}

interface ItemRow extends Omit<BulkResult, 'refused'> {
  readonly refusal: ItemRefusal['refusal'] | null
  readonly message: string | null
  readonly details: ItemRefusal['details']
}
const resultFrom = ({ refusal, message, details, ...row }: ItemRow): BulkResult => ({
  ...row,
  refused: refusal === null ? null : { refusal, message: message ?? '', details },
})

/** In the order of the request. */
export async function listResults(
  db: Queryable,
  tenant: Tenant,
  id: BulkJobId,
  outcome: BulkOutcome | undefined,
  page: PageRequest,
): Promise<Page<BulkResult>> {
  const matching = outcome === undefined ? ofJob(tenant, id) : sql`${ofJob(tenant, id)} and outcome = ${outcome}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from bulk_job_items where ${matching}`,
  )
  const itemColumns = sql`invoice_id, invoice_number, outcome, refusal, message, details`
  const order = { name: 'position', keys: [{ column: sql`position`, type: 'integer' as const }] }
  const query = { columns: itemColumns, tables: sql`bulk_job_items`, matching, order, total }
  return mapped(await readPage<ItemRow>(db, query, page), resultFrom)
}

export interface LockedBulkJob {
  readonly action: BulkAction
  readonly status: BulkJobStatus
  readonly slice: number
}

/** Cancelling, stopping and continuing wait for each other, so that an ended job is never continued. */
export function lockBulkJob(tx: Tx, tenant: Tenant, id: BulkJobId): Promise<LockedBulkJob | undefined> {
  return tx.maybe(
    sql`select action, status, slice from bulk_jobs where ${within(tenant)} and id = ${id} for no key update`,
  )
}

/** Ends a job. Documents whose turn has not come are skipped; the update waits for the one that is being worked on. */
export async function saveEnd(
  tx: Tx,
  tenant: Tenant,
  id: BulkJobId,
  status: Exclude<BulkJobStatus, 'running'>,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update bulk_jobs set status = ${status}, continues_at = null, updated_at = ${now} where ${within(tenant)} and id = ${id}`)
  await tx.run(sql`
    update bulk_job_items set outcome = 'skipped' where ${ofJob(tenant, id)} and outcome = 'waiting'`)
}

export async function saveNextSlice(
  tx: Tx,
  tenant: Tenant,
  id: BulkJobId,
  { slice, continuesAt }: { readonly slice: number; readonly continuesAt: Date | null },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update bulk_jobs set slice = ${slice}, continues_at = ${continuesAt}, updated_at = ${now} where ${within(tenant)} and id = ${id}`)
}

export interface OpenSlice extends LockedBulkJob {
  readonly askedBy: TokenCaller
  readonly positions: readonly number[]
}

/** The next waiting documents of a job; `undefined` if the job is gone. */
export function findOpenSlice(
  db: Queryable,
  tenant: Tenant,
  id: BulkJobId,
  limit: number,
): Promise<OpenSlice | undefined> {
  return db.maybe(sql`
    select action, status, slice, asked_by, array(
        select position from bulk_job_items where ${ofJob(tenant, id)} and outcome = 'waiting' order by position limit ${limit}) as positions
      from bulk_jobs where ${within(tenant)} and id = ${id}`)
}

export async function hasWaiting(db: Queryable, tenant: Tenant, id: BulkJobId): Promise<boolean> {
  const found = await db.maybe(
    sql`select 1 from bulk_job_items where ${ofJob(tenant, id)} and outcome = 'waiting' limit 1`,
  )
  return found !== undefined
}

export interface WaitingItem {
  readonly invoiceId: InvoiceId
  readonly action: BulkAction
}

/** `undefined` unless the document still waits. The lock keeps a second worker from repeating the action. */
export async function lockWaitingItem(
  tx: Tx,
  tenant: Tenant,
  id: BulkJobId,
  position: number,
): Promise<WaitingItem | undefined> {
  const item = await tx.maybe<Pick<WaitingItem, 'invoiceId'>>(sql`
    select invoice_id from bulk_job_items
     where ${within(tenant)} and bulk_job_id = ${id} and position = ${position} and outcome = 'waiting' for no key update`)
  if (!item) return undefined
  const { action } = await tx.one<Pick<WaitingItem, 'action'>>(
    sql`select action from bulk_jobs where ${within(tenant)} and id = ${id}`,
  )
  return { ...item, action }
}

export async function saveOutcome(
  tx: Tx,
  tenant: Tenant,
  id: BulkJobId,
  position: number,
  refused: ItemRefusal | undefined,
): Promise<void> {
  const details = (refused?.details ?? []).map(({ path, rule, message }) => ({ path, rule, message }))
  await tx.run(sql`
    update bulk_job_items
       set outcome = ${refused ? 'failed' : 'done'}, refusal = ${refused?.refusal ?? null}, message = ${refused?.message ?? null},
           details = ${JSON.stringify(details)}::jsonb
     where ${ofJob(tenant, id)} and position = ${position} and outcome = 'waiting'`)
}

/** Deletes the results when people no longer need them. */
export async function purgeBulkJobs(db: Database, before: Date, limit: number): Promise<number> {
  return await db.run(sql`
    delete from bulk_jobs where (organisation_id, mode, id) in (
      select organisation_id, mode, id from bulk_jobs where created_at < ${before} limit ${limit})`)
}
