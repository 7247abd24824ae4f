import { newId, type OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type CreditBalances, changesOf, type MoveType, routes } from './credit-balances.ts'

export interface Move {
  readonly type: MoveType
  readonly amount: bigint
  /** What caused the move. A cause moves credits once for each type. */
  readonly cause: string
  readonly action?: string | undefined
  /** Credits that must stay available after the move. */
  readonly reserve?: bigint
}

/** The balances after a move. */
export interface AfterMove {
  readonly version: bigint
  readonly available: bigint
  readonly lowBalanceThreshold: bigint
}

/** Returns false if the tenant already has its balances. */
export async function openBalances(tx: Tx, tenant: Tenant, now: Date): Promise<boolean> {
  const opened = await tx.run(sql`
    insert into credit_balances (organisation_id, mode, opened_at) values (${tenant.organisationId}, ${tenant.mode}, ${now})
    on conflict (organisation_id, mode) do nothing`)
  return opened === 1
}

export type StoredBalances = CreditBalances & { readonly openedAt: Date; readonly lowBalanceThreshold: bigint }

export function findBalances(db: Queryable, tenant: Tenant): Promise<StoredBalances | undefined> {
  return db.maybe(sql`
    select available, held, spent, lent, owed, issued, opened_at, low_balance_threshold from credit_balances
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}

export function lockBalances(tx: Tx, tenant: Tenant): Promise<CreditBalances | undefined> {
  return tx.maybe(sql`
    select available, held, spent, lent, owed, issued from credit_balances
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for no key update`)
}

/** Returns false if there are no balances. */
export async function saveLowBalanceThreshold(tx: Tx, tenant: Tenant, threshold: bigint): Promise<boolean> {
  const saved = await tx.run(sql`
    update credit_balances set low_balance_threshold = ${threshold}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
  return saved === 1
}

/**
 * Writes a move and its ledger entry in one round trip. Returns undefined if a balance would fall below zero or there are
 * no balances. The row lock and the conditions are safe under concurrency, and table constraints back them up.
 */
export function moveCredits(tx: Tx, tenant: Tenant, move: Move, now: Date): Promise<AfterMove | undefined> {
  const { type, amount, cause, action = null, reserve = 0n } = move
  const [from, to] = routes[type]
  const changes = changesOf(type, amount)
  const by = (place: keyof CreditBalances) => changes.get(place) ?? 0n
  return tx.maybe(sql`
    with moved as (
      update credit_balances
         set available = available + ${by('available')}, held = held + ${by('held')}, spent = spent + ${by('spent')},
             lent = lent + ${by('lent')}, owed = owed + ${by('owed')}, issued = issued + ${by('issued')}, version = version + 1
       where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}
         and available + ${by('available')} >= ${reserve} and held + ${by('held')} >= 0 and spent + ${by('spent')} >= 0
         and lent + ${by('lent')} >= 0 and owed + ${by('owed')} >= 0
      returning available, version, low_balance_threshold),
    entered as (
      insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
      select ${tenant.organisationId}, ${tenant.mode}, ${newId()}, moved.version, ${type}, ${from}, ${to}, ${amount}, ${action}, ${cause},
             moved.available, ${now}
        from moved)
    select version, available, low_balance_threshold from moved`)
}

/**
 * SQL fragment that charges several equal actions of one tenant at once. Returns the balance after all of them. Returns
 * no row if credits are short or the low-balance threshold would be crossed; `charge` is the fallback then.
 */
export const charging = (tenant: Tenant, creditsEach: bigint, count: number, condition: Sql): Sql => sql`
  update credit_balances
     set available = available - ${creditsEach * BigInt(count)}, spent = spent + ${creditsEach * BigInt(count)}, version = version + ${count}
   where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and available >= ${creditsEach * BigInt(count)}
     and (available < low_balance_threshold or available - ${creditsEach * BigInt(count)} >= low_balance_threshold) and ${condition}
  returning organisation_id, mode, available, version, ${count}::int as n`

/**
 * Like `charging`, for several tenants: SQL fragments `locked as (…), charged as (…)`. The query `tenants` returns
 * `organisation_id`, `mode` and `n`, the number of actions. Tenants with a locked balance are left out, so the
 * statement never blocks.
 */
export const chargingSeveral = (creditsEach: bigint, tenants: Sql): Sql => sql`
  locked as materialized (
    select t.organisation_id, t.mode, t.n from (${tenants}) as t cross join lateral (
      select from credit_balances b where b.organisation_id = t.organisation_id and b.mode = t.mode for no key update skip locked) as b),
  charged as (
    update credit_balances b
       set available = b.available - ${creditsEach} * l.n, spent = b.spent + ${creditsEach} * l.n, version = b.version + l.n
      from locked l
     where b.organisation_id = any (array(select organisation_id from locked)) and b.organisation_id = l.organisation_id and b.mode = l.mode
       and b.available >= ${creditsEach} * l.n
       and (b.available < b.low_balance_threshold or b.available - ${creditsEach} * l.n >= b.low_balance_threshold)
    returning b.organisation_id, b.mode, b.available, b.version, l.n)`

/**
 * The query `charged` reads `charging` and returns `organisation_id`, `mode`, `available`, `version` and `n`, the
 * number of actions. The query `given` returns for each action its tenant, `nth` from 1, `id`, `cause` and `at`.
 */
export const enteringCharges = (creditsEach: bigint, action: string, charged: Sql, given: Sql): Sql => sql`
  insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
  select c.organisation_id, c.mode, g.id, c.version - c.n + g.nth, 'charge', 'available', 'spent', ${creditsEach}, ${action},
         g.cause, c.available + ${creditsEach} * (c.n - g.nth), g.at
    from (${charged}) as c join (${given}) as g on g.organisation_id = c.organisation_id and g.mode = c.mode`

/** How many credits a cause has already moved. Reliable only while the balances are locked. */
export async function findMoved(tx: Tx, tenant: Tenant, type: MoveType, cause: string): Promise<bigint | undefined> {
  const row = await tx.maybe<{ amount: bigint }>(sql`
    select amount from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and type = ${type} and cause = ${cause}`)
  return row?.amount
}

/** Sandboxes with fewer than this many credits available. */
export function listSandboxesBelow(
  db: Queryable,
  credits: bigint,
  after: OrganisationId,
  limit: number,
): Promise<{ organisationId: OrganisationId }[]> {
  return db.rows(sql`
    select organisation_id from credit_balances
     where mode = 'sandbox' and available < ${credits} and organisation_id > ${after} order by organisation_id limit ${limit}`)
}
