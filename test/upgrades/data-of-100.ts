import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { migrate, migrationsDir } from '../../server/src/platform/database/migrations.store.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'

/**
 * The data of an organisation that used 1.0.0, one line for each row: a draft, an invoice with a payment, a submission,
 * a received invoice, a refunded transfer, and a webhook endpoint with a delivery.
 */
const dataFile = join(import.meta.dirname, '1.0.0.jsonl')
export type Row = Readonly<Record<string, unknown>>
export type StoredRow = readonly [table: string, row: Row]

/** A second invoice like the issued one, which the tax authority accepted and nobody paid. Its submission is in the file. */
export const acceptedInvoice = {
  id: '01a1ec6d-e08d-760b-84d8-1a5b50fde8e8',
  number: 'B-2',
  status: 'accepted',
  paid_minor: 0,
  authority_reference: 'B2-TEST0001-20261102',
  submitted_at: '2026-11-17T09:00:00+00:00',
}

export async function readData(): Promise<readonly StoredRow[]> {
  const lines = (await readFile(dataFile, 'utf8')).trimEnd().split('\n')
  const rows: StoredRow[] = lines.map((line) => JSON.parse(line))
  const issued = rows.find(([table, row]) => table === 'invoices' && row.status === 'finalised')?.[1]
  return [...rows, ['invoices', { ...issued, ...acceptedInvoice }]]
}

/** Applies the migrations up to the one with this number, such as `0017`. Returns how many there were. */
export async function migrateTo(url: string, number: string): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'risiti-migrations-'))
  const files = (await readdir(migrationsDir)).filter((name) => name.slice(0, 4) <= number)
  for (const name of files) await copyFile(join(migrationsDir, name), join(dir, name))
  const applied = await migrate(url, silentLogger, dir)
  await rm(dir, { recursive: true })
  return applied
}

/** Columns of a table that are not computed. */
async function columnsOf(owner: pg.Client, table: string): Promise<string> {
  const { rows: columns } = await owner.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return columns.map(({ name }) => name).join(', ')
}

/** Fills a database with the schema of 1.0.0, as the owner of the tables. */
export async function insertData(owner: pg.Client, rows: readonly StoredRow[]): Promise<void> {
  await owner.query('set session_replication_role = replica')
  for (const [table, ofTable] of Map.groupBy(rows, ([name]) => name)) {
    const columns = await columnsOf(owner, table)
    await owner.query(`delete from ${table}`)
    await owner.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(ofTable.map(([, row]) => row))],
    )
  }
  await owner.query('set session_replication_role = origin')
}

export async function listTables(owner: pg.Client): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition order by 1`,
  )
  return tables.map(({ name }) => name)
}
