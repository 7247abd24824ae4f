import { newId, type OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type Books, changesOf, type MoveType, routes } from './books.ts'

export interface Move {
  readonly type: MoveType
  readonly amount: bigint
  /** what brought it about; a cause moves credits once for each type */
  readonly cause: string
  readonly action?: string | undefined
  /** how much must be left available at least */
  readonly reserve?: bigint
}

/** How the books stand after a move. */
export interface AfterMove {
  readonly version: bigint
  readonly available: bigint
  readonly lowBalanceThreshold: bigint
}

/** False when the tenant has its books already. */
export async function openBooks(tx: Tx, tenant: Tenant, now: Date): Promise<boolean> {
  const opened = await tx.run(sql`
    insert into credit_balances (organisation_id, mode, opened_at) values (${tenant.organisationId}, ${tenant.mode}, ${now})
    on conflict (organisation_id, mode) do nothing`)
  return opened === 1
}

export type StoredBooks = Books & { readonly openedAt: Date; readonly lowBalanceThreshold: bigint }

export function findBooks(db: Queryable, tenant: Tenant): Promise<StoredBooks | undefined> {
  return db.maybe(sql`
    select available, held, spent, lent, owed, issued, opened_at, low_balance_threshold from credit_balances
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}

export function lockBooks(tx: Tx, tenant: Tenant): Promise<Books | undefined> {
  return tx.maybe(sql`
    select available, held, spent, lent, owed, issued from credit_balances
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for no key update`)
}

/** False when there are no books. */
export async function saveLowBalanceThreshold(tx: Tx, tenant: Tenant, threshold: bigint): Promise<boolean> {
  const saved = await tx.run(sql`
    update credit_balances set low_balance_threshold = ${threshold}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
  return saved === 1
}

/**
 * Makes a move, in one round trip: the balance and the entry that explains it, or neither. Gives how the books stand
 * afterwards; nothing when a place would fall below zero or there are no books. The row's lock and its conditions hold
 * under any concurrency; the constraints of the table stand behind them.
 */
export function moveCredits(tx: Tx, tenant: Tenant, move: Move, now: Date): Promise<AfterMove | undefined> {
  const { type, amount, cause, action = null, reserve = 0n } = move
  const [from, to] = routes[type]
  const changes = changesOf(type, amount)
  const by = (place: keyof Books) => changes.get(place) ?? 0n
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
 * Pieces of a hot statement that charges several equal actions of one tenant at once. `charging` gives the balance after all
 * of them, or no row: when too few credits are left, or when the line below which somebody wants to be told would be
 * crossed, it is done step by step instead (`charge`).
 */
export const charging = (tenant: Tenant, creditsEach: bigint, count: number, condition: Sql): Sql => sql`
  update credit_balances
     set available = available - ${creditsEach * BigInt(count)}, spent = spent + ${creditsEach * BigInt(count)}, version = version + ${count}
   where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and available >= ${creditsEach * BigInt(count)}
     and (available < low_balance_threshold or available - ${creditsEach * BigInt(count)} >= low_balance_threshold) and ${condition}
  returning organisation_id, mode, available, version, ${count}::int as n`

/**
 * The same for several tenants: pieces `locked as (…), charged as (…)`. `tenants` is a query that gives `organisation_id`, `mode` and `n`, how many
 * actions are charged to each. Whose balance somebody else holds at the moment is left out, and nobody waits for anybody.
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
 * `charged` is a query over `charging` that gives `organisation_id`, `mode`, `available`, `version` and `n`, the number of actions; `given` one that
 * gives for each action whose it is, `nth` from one on, `id`, `cause` and `at`.
 */
export const enteringCharges = (creditsEach: bigint, action: string, charged: Sql, given: Sql): Sql => sql`
  insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
  select c.organisation_id, c.mode, g.id, c.version - c.n + g.nth, 'charge', 'available', 'spent', ${creditsEach}, ${action},
         g.cause, c.available + ${creditsEach} * (c.n - g.nth), g.at
    from (${charged}) as c join (${given}) as g on g.organisation_id = c.organisation_id and g.mode = c.mode`

/**
 * Pieces of a hot statement that sets credits aside for several equal actions of one tenant. `fundsFor` locks the books and gives a row
 * where they reach for as many as the query `counted` gives and nobody has to be told that few are left; where it gives none, it is done
 * step by step (`hold`). Whoever asks for it locks what the holds are for before.
 */
export const fundsFor = (tenant: Tenant, creditsEach: bigint, counted: Sql): Sql => sql`
  select b.available from credit_balances b, (${counted}) as wanted (n)
   where b.organisation_id = ${tenant.organisationId} and b.mode = ${tenant.mode} and b.available >= ${creditsEach}::bigint * wanted.n
     and (b.available < b.low_balance_threshold or b.available - ${creditsEach}::bigint * wanted.n >= b.low_balance_threshold) for no key update of b`

/** Two further pieces, `, set_aside as (…), entered as (…)`: `given` is a query that gives for each hold `nth`, `id`, `cause` and `at`. */
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

/** How many credits a cause has moved already, if it has; meaningful while the books are locked. */
export async function findMoved(tx: Tx, tenant: Tenant, type: MoveType, cause: string): Promise<bigint | undefined> {
  const row = await tx.maybe<{ amount: bigint }>(sql`
    select amount from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and type = ${type} and cause = ${cause}`)
  return row?.amount
}

/** Sandboxes in which fewer than this many credits are left. */
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

/** A hold that is to end: what it was set aside for, and how much that was. */
export interface EndingHold {
  readonly cause: string
  readonly amount: bigint
}

/**
 * Ends a tenant's holds because their answers came, in one round trip. Whoever calls it knows what was set aside, and has locked what it is
 * for: nobody else ends one of them meanwhile, and a hold that was ended already breaks it. So the ledger, which may be long, is not read.
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
