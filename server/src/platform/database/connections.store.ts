import pg from 'pg'
import { asQueryable } from './database.ts'
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
