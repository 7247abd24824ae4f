import type { Tenant } from '../../kernel/tenant.ts'
import { identifier, type Sql, sql } from './sql.ts'

/** Rows of many owners that wait for their turn. An index must begin with the columns of `waits` and the owner, and go on with `due_at`. */
export interface WaitingRows {
  /** such as `from jobs` */
  readonly rows: Sql
  /** the column of those who take turns */
  readonly owner: 'organisation_id' | 'endpoint_id'
  /** further columns of the first waiting row of each owner */
  readonly more?: Sql
  /** which rows wait */
  readonly waits: Sql
  /** where the walk begins: the lowest id whose turn it may be */
  readonly from: string
  /** how many owners the walk passes */
  readonly most: number
}

/**
 * A piece of a query, after `with recursive`: `turns` with each owner that has waiting rows, numbered in the order of ids. The walk goes
 * from owner to owner by the index, so it costs the same however long one backlog is.
 */
export function walkingTurns({ rows, owner, more = sql``, waits, from, most }: WaitingRows): Sql {
  const id = identifier(owner)
  return sql`turns as (
    (select 1 as turn, ${id}${more} ${rows} where ${id} >= ${from}::uuid and ${waits} order by ${id} limit 1)
    union all
    select turns.turn + 1, next.*
      from turns cross join lateral (
        select ${id}${more} ${rows} where ${id} > turns.${id} and ${waits} order by ${id} limit 1) as next
     where turns.turn < ${most}::int)`
}

/** `walkingTurns` for a Citus cluster, where no walk is possible: each server lists its owners. */
export function turnsOnShards({ rows, owner, waits, from, most }: WaitingRows): Sql {
  const id = identifier(owner)
  return sql`turns as (
    select row_number() over (order by ${id}) as turn, ${id} from (
      select ${id} ${rows} where ${id} >= ${from}::uuid and ${waits} group by ${id} order by ${id} limit ${most}::int) as waiting)`
}

export interface DueRows {
  readonly rows: Sql
  readonly owner: 'organisation_id' | 'endpoint_id'
  /** the columns that identify a row */
  readonly key: Sql
  readonly isDue: Sql
  /** how many rows the owner may get */
  readonly room: Sql
  /** the query of the turns, if further columns were added to it */
  readonly turns?: 'turns' | 'rooms'
}

/** A piece of a query, for `turns cross join lateral (…)`: the first due rows of an owner, numbered (`nth`) in the order of their due times. */
export function firstDueOf({ rows, owner, key, isDue, room, turns = 'turns' }: DueRows): Sql {
  const id = identifier(owner)
  return sql`
    select ${key}, row_number() over (order by due_at) as nth from (
      select ${key}, due_at ${rows} where ${id} = ${identifier(turns)}.${id} and ${isDue} order by due_at limit ${room}) as due`
}

/** `firstDueOf` for a Citus cluster, for `turns join …`: each server numbers the due rows of its owners. */
export function firstDueOnShards({ rows, owner, key, isDue, room }: DueRows): Sql {
  const id = identifier(owner)
  return sql`(
    select ${id}, ${key}, row_number() over (partition by ${id} order by due_at) as nth ${rows} where ${isDue}) as piece
    on piece.${id} = turns.${id} and piece.nth <= ${room}`
}

/** How many more rows an owner may get: the limit minus the rows under way. `counts` has these by owner, as a JSON object. */
export const roomBeside = (most: Sql, counts: string, owner: Sql): Sql =>
  sql`greatest(0, ${most} - coalesce((${counts}::jsonb ->> ${owner}::text)::int, 0))`

/** A condition for lists of tenants in batches: the tenants behind this one, or all of them. */
export const isBehindTenant = (after: Tenant | undefined): Sql =>
  after ? sql`(organisation_id, mode) > (${after.organisationId}::uuid, ${after.mode}::text)` : sql`true`

/** Rows by tenant. */
export interface RowsOfTenants {
  /** such as `from request_log` */
  readonly rows: Sql
  /** which rows count; all if absent */
  readonly matching?: Sql
  /** the tenants behind this one, or all of them */
  readonly after: Tenant | undefined
  /** how many tenants are listed at most */
  readonly most?: number
}

/**
 * A piece of a query, after `with recursive`: `tenants` with each tenant that has such rows, numbered in the order of ids. Like
 * `walkingTurns`, the walk goes from tenant to tenant by the index. `more` has further columns of the first row of each tenant. The index must
 * begin with the organisation, the mode and these columns. Without `most`, all tenants are listed.
 */
export function walkingTenants({
  rows,
  matching = sql`true`,
  after,
  most,
  more = sql``,
}: RowsOfTenants & { readonly more?: Sql }): Sql {
  const tenantAndMore = sql`organisation_id, mode${more}`
  return sql`tenants as (
    (select 1 as nth, ${tenantAndMore} ${rows} where ${isBehindTenant(after)} and ${matching} order by ${tenantAndMore} limit 1)
    union all
    select tenants.nth + 1, next.*
      from tenants cross join lateral (
        select ${tenantAndMore} ${rows}
         where (organisation_id, mode) > (tenants.organisation_id, tenants.mode) and ${matching} order by ${tenantAndMore} limit 1) as next
     where ${most === undefined ? sql`true` : sql`tenants.nth < ${most}::int`})`
}

/** `walkingTenants` for a Citus cluster, where no walk is possible: a query of the tenants, which each server lists for itself. */
export const tenantsOnShards = ({
  rows,
  matching = sql`true`,
  after,
  most,
}: RowsOfTenants & { readonly most: number }): Sql => sql`
  select organisation_id, mode ${rows} where ${isBehindTenant(after)} and ${matching}
   group by organisation_id, mode order by organisation_id, mode limit ${most}::int`
