import type { NetworkEntry } from '../../jurisdictions/port.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface KnownNetworkEntry {
  readonly reachable: boolean
  readonly provider: string | null
  readonly checkedAt: Date
}

interface LookupKey {
  readonly country: string
  readonly mode: Mode
  readonly taxIdNormal: string
}

export function findNetworkLookup(
  db: Queryable,
  { country, mode, taxIdNormal }: LookupKey,
): Promise<KnownNetworkEntry | undefined> {
  return db.maybe(sql`
    select reachable, provider, checked_at from network_lookups
     where country = ${country} and mode = ${mode} and tax_id_normal = ${taxIdNormal}`)
}

export async function saveNetworkLookup(
  tx: Tx,
  { country, mode, taxIdNormal }: LookupKey,
  { reachable, provider }: NetworkEntry,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into network_lookups (country, mode, tax_id_normal, reachable, provider, checked_at)
    values (${country}, ${mode}, ${taxIdNormal}, ${reachable}, ${provider ?? null}, ${now})
    on conflict (country, mode, tax_id_normal) do update
      set reachable = excluded.reachable, provider = excluded.provider, checked_at = excluded.checked_at`)
}

/** Deletes at most `limit` outdated answers. */
export function purgeNetworkLookups(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from network_lookups
     where (country, mode, tax_id_normal) in (
       select country, mode, tax_id_normal from network_lookups where checked_at < ${before} order by checked_at limit ${limit})`)
}
