import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export interface ExchangeRow {
  readonly id: string
  readonly name: string
  readonly caller: object
  readonly intent: object
}

export async function insertExchange(
  tx: Tx,
  tenant: Tenant | undefined,
  row: ExchangeRow,
  lifeMs: number,
): Promise<void> {
  await tx.run(sql`
    insert into exchanges (id, name, organisation_id, mode, caller, intent, abandoned_after)
    values (${row.id}, ${row.name}, ${tenant?.organisationId ?? null}, ${tenant?.mode ?? null}, ${JSON.stringify(row.caller)}::jsonb,
            ${JSON.stringify(row.intent)}::jsonb, now() + ${lifeMs} * interval '1 millisecond')`)
}

/** Whoever takes the row away settles the exchange: a sweep and a late process cannot both do it. */
export async function takeExchange(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from exchanges where id = ${id}`)) === 1
}

/** Exchanges whose process must be dead; pushed ahead so that two sweeps do not ask the same question together. */
export function claimAbandoned(db: Queryable, limit: number): Promise<ExchangeRow[]> {
  return db.rows(sql`
    update exchanges set abandoned_after = now() + interval '60 seconds'
     where id in (select id from exchanges where abandoned_after < now() order by abandoned_after limit ${limit} for update skip locked)
    returning id, name, caller, intent`)
}
