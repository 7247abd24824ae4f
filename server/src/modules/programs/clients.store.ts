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

/**
 * Stores a program, or replaces what is stored of it. If this many are stored, the one that nobody used for the longest time makes room:
 * otherwise a few strangers could fill the table, and nobody else could introduce a program.
 */
export async function saveClient(tx: Tx, client: StoredClient, most: number): Promise<void> {
  await tx.run(sql`
    delete from program_clients where client_id in (
      select client_id from program_clients
       where not exists (select from program_clients where client_id = ${client.clientId})
       order by last_used_at limit greatest(0, (select count(*) from program_clients) - ${most} + 1) for no key update skip locked)`)
  await tx.run(sql`
    insert into program_clients (client_id, name, redirect_uris, read_at, last_used_at)
    values (${client.clientId}, ${client.name}, ${client.redirectUris}::text[], ${client.readAt}, ${client.readAt})
    on conflict (client_id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, read_at = excluded.read_at`)
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
