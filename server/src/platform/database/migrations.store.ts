import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from '../logger.ts'
import { statementsIn } from './sql-statements.ts'

export const migrationsDir = join(import.meta.dirname, '../../../../db/migrations')

/** The number of our advisory lock: nodes that start together take turns on it. */
export const lockNumber = 7_416_301

interface Migration {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(dir, name), 'utf8')
      return { name, text, checksum: hash('sha256', text) }
    }),
  )
}

/** A database that no version can upgrade, worded for the person who starts the service. */
export class UnsupportedDatabase extends Error {
  override readonly name = 'UnsupportedDatabase'
}

/** Every version before 1.0.0 applied this migration first; 1.0.0 began with one baseline schema. */
const firstBeforeRelease = '0001_machinery.sql'

type Applied = readonly { readonly name: string; readonly checksum: string }[]

/** The migrations that the database has. Refuses a database that a version before 1.0.0 made. */
async function listApplied(client: pg.Client): Promise<Applied> {
  const { rows: tables } = await client.query(`select where to_regclass('schema_migrations') is not null`)
  if (tables.length === 0) return []
  const { rows } = await client.query<Applied[number]>('select name, checksum from schema_migrations')
  if (rows.some(({ name }) => name === firstBeforeRelease))
    throw new UnsupportedDatabase(
      'A version before 1.0.0 made this database. Such data cannot be upgraded. Nothing in it was changed.\n' +
        'Use an empty database: set DATABASE_URL to one, or move the folder DATA_DIR (.risiti) away if you use the built-in one.\n' +
        'To read the old data, start the version that made it.',
    )
  return rows
}

/** The missing migrations, and whether the present role may apply them. Changes nothing. */
export async function findPending(
  client: pg.Client,
  dir = migrationsDir,
): Promise<{ pending: readonly string[]; mayMigrate: boolean }> {
  const { rows } = await client.query<{ mayMigrate: boolean }>(
    `select has_schema_privilege('public', 'create') as "mayMigrate"`,
  )
  const [{ mayMigrate }] = rows as [{ mayMigrate: boolean }]
  const applied = await listApplied(client)
  const files = await readMigrations(dir)
  const isApplied = ({ name, checksum }: Migration) =>
    applied.some((row) => row.name === name && row.checksum === checksum)
  return { pending: files.filter((file) => !isApplied(file)).map(({ name }) => name), mayMigrate }
}

/**
 * Applies each migration once, in order, each in its own transaction, so that a killed process leaves the last complete step. Refuses a
 * file that was changed after it was applied: the database would no longer match the files.
 */
export async function migrate(connection: string | pg.ClientConfig, log: Logger, dir = migrationsDir): Promise<number> {
  const config = typeof connection === 'string' ? { connectionString: connection } : connection
  const client = new pg.Client({ ...config, application_name: 'risiti migrate' })
  client.on('error', () => {}) // the running statement fails too
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    const applied = new Map((await listApplied(client)).map(({ name, checksum }) => [name, checksum]))
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    await client.query(`comment on table schema_migrations is 'machinery: migrations that were applied'`)
    let count = 0
    for (const migration of await readMigrations(dir)) {
      const before = applied.get(migration.name)
      if (before === migration.checksum) continue
      if (before !== undefined)
        throw new Error(`${migration.name} was changed after it was applied; write a new migration instead`)
      log.info('migration.apply', { migration: migration.name })
      await client.query('begin')
      try {
        for (const statement of statementsIn(migration.text)) await client.query(statement)
        await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
          migration.name,
          migration.checksum,
        ])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`${migration.name} failed and was rolled back`, { cause: error })
      }
      count++
    }
    return count
  } finally {
    await client.end()
  }
}
