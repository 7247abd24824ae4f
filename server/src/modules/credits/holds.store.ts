import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/**
 * SQL fragment that holds credits for several equal actions of one tenant. It locks the balances and returns a row if they
 * cover the number that the query `counted` returns, without crossing the low-balance threshold. Without a row, `hold`
 * is the fallback. The caller has locked the objects of the holds.
 */
export const fundsFor = (tenant: Tenant, creditsEach: bigint, counted: Sql): Sql => sql`
  select b.available from credit_balances b
   where b.organisation_id = ${tenant.organisationId} and b.mode = ${tenant.mode} and b.available >= ${creditsEach}::bigint * (${counted})
     and (b.available < b.low_balance_threshold or b.available - ${creditsEach}::bigint * (${counted}) >= b.low_balance_threshold)
     for no key update of b`

/**
 * Two more SQL fragments, `, set_aside as (…), entered as (…)`. The query `given` returns `nth`, `id`, `cause` and `at`
 * for each hold.
 */
export const settingAside = (tenant: Tenant, creditsEach: bigint, action: string, given: Sql): Sql => sql`,
  set_aside as (
    update credit_balances b
       set available = b.available - ${creditsEach}::bigint * wanted.n, held = b.held + ${creditsEach}::bigint * wanted.n, version = b.version + wanted.n
      from (select count(*) as n from (${given}) as g) as wanted
     where b.organisation_id = ${tenant.organisationId} and b.mode = ${tenant.mode} and wanted.n > 0
    returning b.available, b.version, wanted.n),
  entered as (
    insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
    select ${tenant.organisationId}, ${tenant.mode}, g.id, s.version - s.n + g.rank, 'hold', 'available', 'held', ${creditsEach}::bigint, ${action},
           g.cause, s.available + ${creditsEach}::bigint * (s.n - g.rank), g.at
      from set_aside s, (select g.*, row_number() over (order by g.nth) as rank from (${given}) as g) as g)`

/** A hold to end: its cause and amount. */
export interface EndingHold {
  readonly cause: string
  readonly amount: bigint
}

/**
 * Captures a tenant's holds in one round trip. The caller knows the amounts and has locked the objects of the holds, so
 * nobody else ends one meanwhile. That saves a read of the ledger, which may be long. A hold that has already ended
 * violates a constraint.
 */
export async function captureHolds(
  tx: Tx,
  { organisationId, mode }: Tenant,
  action: string,
  holds: readonly EndingHold[],
  now: Date,
): Promise<void> {
  if (holds.length === 0) return
  const total = holds.reduce((sum, { amount }) => sum + amount, 0n)
  await tx.run(sql`
    with moved as (
      update credit_balances set held = held - ${total}, spent = spent + ${total}, version = version + ${holds.length}
       where organisation_id = ${organisationId} and mode = ${mode}
      returning available, version)
    insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
    select ${organisationId}, ${mode}, h.id, m.version - ${holds.length} + h.nth, 'capture', 'held', 'spent', h.amount, ${action}, h.cause, m.available, ${now}
      from moved m, unnest(${holds.map(() => newId())}::uuid[], ${holds.map(({ cause }) => cause)}::text[], ${holds.map(({ amount }) => amount)}::bigint[])
                      with ordinality as h (id, cause, amount, nth)`)
}
