import pg from 'pg'
import { asQueryable, type Database, type Queryable } from './database.ts'
import { sql } from './sql.ts'

/** The application name of our connections begins with this. */
const programName = 'risiti'

/** Whether another process of ours uses this server. */
export async function othersAreConnected(connection: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { others } = await asQueryable(client).one<{ others: boolean }>(sql`
      select exists (
        select from pg_stat_activity where application_name like ${`${programName}%`} and pid <> pg_backend_pid()) as others`)
    return others
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether the server of this connection accepts writes. A standby does not. */
export async function acceptsWrites(db: Queryable): Promise<boolean> {
  const { isReadOnly } = await db.one<{ isReadOnly: boolean }>(
    sql`select current_setting('transaction_read_only')::boolean as is_read_only`,
  )
  return !isReadOnly
}

/** The error of PostgreSQL for a write on a server that accepts none. */
class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = '25006'
}

/** Throws if the server accepts no writes. The connection is then closed as after a refused write, so the next check opens a new one. */
export async function requireWritable(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await acceptsWrites(tx))) throw new ReadOnlyServer('The database accepts no writes.')
  })
}
