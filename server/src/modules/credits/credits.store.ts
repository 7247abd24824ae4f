import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { type Books, changesOf, type MoveType, routes } from './books.ts'

export interface Move {
  readonly type: MoveType
  readonly amount: bigint
  /** what brought it about; a cause moves credits once for each type */
  readonly cause: string
  readonly action?: string | undefined
}

/** False when the tenant has its books already. */
export async function openBooks(tx: Tx, tenant: Tenant, now: Date): Promise<boolean> {
  const opened = await tx.run(sql`
    insert into credit_balances (organisation_id, mode, opened_at) values (${tenant.organisationId}, ${tenant.mode}, ${now})
    on conflict (organisation_id, mode) do nothing`)
  return opened === 1
}

export function findBooks(db: Queryable, tenant: Tenant): Promise<(Books & { openedAt: Date }) | undefined> {
  return db.maybe(sql`
    select available, held, spent, lent, owed, issued, opened_at from credit_balances
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}

export function lockBooks(tx: Tx, tenant: Tenant): Promise<Books | undefined> {
  return tx.maybe(sql`
    select available, held, spent, lent, owed, issued from credit_balances
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for update`)
}

/**
 * Makes a move, in one round trip: the balance and the entry that explains it, or neither. Gives what is available
 * afterwards; nothing when a place would fall below zero or there are no books. The row's lock and its conditions hold
 * under any concurrency; the constraints of the table stand behind them.
 */
export async function moveCredits(tx: Tx, tenant: Tenant, move: Move, now: Date): Promise<bigint | undefined> {
  const { type, amount, cause, action = null } = move
  const [from, to] = routes[type]
  const changes = changesOf(type, amount)
  const by = (place: keyof Books) => changes.get(place) ?? 0n
  const row = await tx.maybe<{ availableAfter: bigint }>(sql`
    with moved as (
      update credit_balances
         set available = available + ${by('available')}, held = held + ${by('held')}, spent = spent + ${by('spent')},
             lent = lent + ${by('lent')}, owed = owed + ${by('owed')}, issued = issued + ${by('issued')}, version = version + 1
       where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}
         and available + ${by('available')} >= 0 and held + ${by('held')} >= 0 and spent + ${by('spent')} >= 0
         and lent + ${by('lent')} >= 0 and owed + ${by('owed')} >= 0
      returning available, version)
    insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
    select ${tenant.organisationId}, ${tenant.mode}, ${newId()}, moved.version, ${type}, ${from}, ${to}, ${amount}, ${action}, ${cause},
           moved.available, ${now}
      from moved
    returning available_after`)
  return row?.availableAfter
}

/** Whether a cause has moved credits already; meaningful while the books are locked. */
export async function hasMoved(tx: Tx, tenant: Tenant, type: MoveType, cause: string): Promise<boolean> {
  const found = await tx.maybe(sql`
    select 1 from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and type = ${type} and cause = ${cause}`)
  return found !== undefined
}
