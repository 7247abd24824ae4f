import type { TokenCaller } from '../../kernel/callers.ts'
import { mapped, type Page, type PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Database, Queryable, Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { ImportKind, MatchedColumn } from './columns.ts'
import {
  type Import,
  type ImportId,
  type ImportRecord,
  type ImportStatus,
  type RecordStatus,
  type RowFault,
  recordStatuses,
} from './import.ts'

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

export interface NewImport {
  readonly id: ImportId
  readonly kind: ImportKind
  readonly fileName: string
  readonly columns: readonly MatchedColumn[]
  /** see `recordsText` */
  readonly records: string
  readonly bytes: number
}

type NewRecord = ImportRecord & { readonly faults: readonly RowFault[] }

export async function insertImport(
  tx: Tx,
  { organisationId, mode }: Tenant,
  caller: TokenCaller,
  made: NewImport,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into imports (organisation_id, mode, id, kind, file_name, status, columns, asked_by, stored_bytes, created_at, updated_at)
    values (${organisationId}, ${mode}, ${made.id}, ${made.kind}, ${made.fileName}, 'checking', ${JSON.stringify(made.columns)}::jsonb,
            ${askedBy(caller)}::jsonb, ${made.bytes}, ${now}, ${now})`)
  await tx.run(sql`
    insert into import_records (organisation_id, mode, import_id, row_number, line_rows, body, label, status, faults)
    select ${organisationId}, ${mode}, ${made.id}, r."row", r.line_rows, r.body, r.label, r.status, r.faults
      from jsonb_to_recordset(${made.records}::jsonb)
        as r ("row" int, line_rows int[], body jsonb, label text, status text, faults jsonb)`)
}

/** The records as stored text. Built once, because its length counts against the quota. */
export function recordsText(records: readonly NewRecord[]): string {
  const rows = records.map(({ row, lineRows, body, label, faults }) => ({
    row,
    line_rows: lineRows,
    body,
    label,
    faults,
    status: faults.length > 0 ? 'faulty' : 'unchecked',
  }))
  return JSON.stringify(rows)
}

/** The caller at the time of the request. The caller's rights are looked up again for each batch. */
const askedBy = (caller: TokenCaller): string => JSON.stringify({ ...caller, capabilities: undefined })

/** An organisation's use of the import limits. */
export interface ImportLoad {
  /** running imports of this mode */
  readonly open: number
  /** of both modes */
  readonly bytes: number
  readonly oldest: Date | null
}

/** Waits for concurrent requests of the organisation: otherwise two of them could take the last place. */
export async function lockImportLoad(tx: Tx, { organisationId, mode }: Tenant): Promise<ImportLoad> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('imports of ' || ${organisationId}::text, 0))`)
  return await tx.one(sql`
    select count(*) filter (where mode = ${mode} and status in ('checking', 'running', 'undoing'))::int as open,
           coalesce(sum(stored_bytes), 0)::float8 as bytes, min(created_at) as oldest
      from imports where organisation_id = ${organisationId}`)
}

type ImportRow = Omit<Import, 'counts'> & { readonly askedBy: TokenCaller }
const columns = sql`id, kind, file_name, status, columns, asked_by, created_at, updated_at`

export function lockImport(tx: Tx, tenant: Tenant, id: ImportId): Promise<ImportRow | undefined> {
  return tx.maybe(sql`select ${columns} from imports where ${within(tenant)} and id = ${id} for no key update`)
}

export async function saveImportStatus(
  tx: Tx,
  tenant: Tenant,
  id: ImportId,
  status: ImportStatus,
  now: Date,
): Promise<void> {
  await tx.run(sql`update imports set status = ${status}, updated_at = ${now} where ${within(tenant)} and id = ${id}`)
}

export async function saveAskedBy(tx: Tx, tenant: Tenant, id: ImportId, caller: TokenCaller): Promise<void> {
  await tx.run(sql`update imports set asked_by = ${askedBy(caller)}::jsonb where ${within(tenant)} and id = ${id}`)
}

/** `undefined` if the import is gone. */
export async function findAskedBy(db: Queryable, tenant: Tenant, id: ImportId): Promise<TokenCaller | undefined> {
  const found = await db.maybe<{ askedBy: TokenCaller }>(
    sql`select asked_by from imports where ${within(tenant)} and id = ${id}`,
  )
  return found?.askedBy
}

export interface KeptRecord extends ImportRecord {
  readonly objectId: string | null
}

export function listRecords(
  db: Queryable,
  tenant: Tenant,
  id: ImportId,
  status: RecordStatus,
  limit: number,
): Promise<KeptRecord[]> {
  return db.rows(sql`
    select row_number as "row", line_rows, body, label, object_id from import_records
     where ${within(tenant)} and import_id = ${id} and status = ${status} order by row_number limit ${limit}`)
}

export interface RecordOutcome {
  readonly row: number
  readonly status: RecordStatus
  readonly objectId: string | null
  readonly faults: readonly RowFault[]
}

export async function saveOutcomes(
  tx: Tx,
  tenant: Tenant,
  id: ImportId,
  outcomes: readonly RecordOutcome[],
): Promise<void> {
  const bytes = outcomes.reduce((sum, { faults }) => sum + (faults.length > 0 ? JSON.stringify(faults).length : 0), 0)
  if (bytes > 0)
    await tx.run(sql`update imports set stored_bytes = stored_bytes + ${bytes} where ${within(tenant)} and id = ${id}`)
  await tx.run(sql`
    update import_records set status = o.status, object_id = o."objectId", faults = o.faults
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o ("row" int, status text, "objectId" uuid, faults jsonb)
     where ${within(tenant)} and import_id = ${id} and row_number = o."row"`)
}

const counted = sql`
  (select coalesce(jsonb_object_agg(status, many), '{}') from (
     select r.status, count(*) as many from import_records r
      where r.organisation_id = i.organisation_id and r.mode = i.mode and r.import_id = i.id group by r.status) as s) as counts`

const withCounts = ({ askedBy: _, counts, ...row }: ImportRow & Pick<Import, 'counts'>): Import => ({
  ...row,
  counts: Object.fromEntries(recordStatuses.map((status) => [status, counts[status] ?? 0])) as Import['counts'],
})

export async function findImport(db: Queryable, tenant: Tenant, id: ImportId): Promise<Import | undefined> {
  const found = await db.maybe<ImportRow & Pick<Import, 'counts'>>(
    sql`select ${columns}, ${counted} from imports i where ${within(tenant)} and id = ${id}`,
  )
  return found && withCounts(found)
}

export async function listImports(
  db: Queryable,
  tenant: Tenant,
  kinds: readonly ImportKind[],
  page: PageRequest,
): Promise<Page<Import>> {
  const matching = sql`${within(tenant)} and kind = any(${kinds})`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from imports where ${matching}`)
  const query = { columns: sql`${columns}, ${counted}`, tables: sql`imports i`, matching, total }
  type Row = ImportRow & Pick<Import, 'counts'>
  return mapped(await readPage<Row>(db, { ...query, order: newestIdFirst(sql`i.id`) }, page), withCounts)
}

export async function listFaults(db: Queryable, tenant: Tenant, id: ImportId, limit: number): Promise<RowFault[]> {
  const rows = await db.rows<{ faults: RowFault[] }>(sql`
    select faults from import_records
     where ${within(tenant)} and import_id = ${id} and faults <> '[]' order by row_number limit ${limit}`)
  return rows.flatMap(({ faults }) => faults).slice(0, limit)
}

/** Deletes the contents of files when people no longer need the result. */
export async function purgeImports(db: Database, before: Date, limit: number): Promise<number> {
  return await db.run(sql`
    delete from imports where (organisation_id, mode, id) in (
      select organisation_id, mode, id from imports where created_at < ${before} limit ${limit})`)
}
