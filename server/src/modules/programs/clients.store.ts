import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface StoredClient {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly readAt: Date
}

export function findStoredClient(db: Queryable, clientId: string): Promise<StoredClient | undefined> {
  return db.maybe(
    sql`select client_id, name, redirect_uris, read_at from program_clients where client_id = ${clientId}`,
  )
}

/** Returns false if this many programs are stored already. A program that is stored is replaced. */
export async function saveClient(tx: Tx, client: StoredClient, most: number): Promise<boolean> {
  const saved = await tx.run(sql`
    insert into program_clients (client_id, name, redirect_uris, read_at, last_used_at)
    select ${client.clientId}, ${client.name}, ${client.redirectUris}::text[], ${client.readAt}, ${client.readAt}
     where (select count(*) from program_clients) < ${most}
    on conflict (client_id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, read_at = excluded.read_at`)
  return saved === 1
}

export async function saveClientUsed(tx: Tx, clientId: string, now: Date): Promise<void> {
  await tx.run(
    sql`update program_clients set last_used_at = ${now} where client_id = ${clientId} and last_used_at < ${now}`,
  )
}

/** A program that was purged registers again, or its document is read again. Connected programs do not need the row. */
export function purgeClients(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from program_clients where client_id in (
      select client_id from program_clients where last_used_at < ${before} order by last_used_at limit ${limit})`)
}
