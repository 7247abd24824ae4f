import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type ListOrder, readPage } from '../../platform/database/keyset.store.ts'
import { joined, sql } from '../../platform/database/sql.ts'
import type { MoveType } from './credit-balances.ts'

export interface LedgerEntry {
  readonly id: string
  readonly seq: bigint
  readonly type: MoveType
  readonly amount: bigint
  readonly action: string | null
  readonly cause: string
  readonly availableAfter: bigint
  readonly createdAt: Date
}

/** `from` is included, `to` is not. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

export interface EntryFilter {
  readonly type?: MoveType | undefined
  readonly action?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const columns = sql`id, seq, type, amount, action, cause, available_after, created_at`

const latestFirst: ListOrder = { name: 'seq', keys: [{ column: sql`seq`, type: 'integer', descending: true }] }

/** Newest first. */
export async function listEntries(
  db: Queryable,
  tenant: Tenant,
  filter: EntryFilter,
  page: PageRequest,
): Promise<Page<LedgerEntry>> {
  const { type, action, from, to } = filter
  const conditions = [sql`organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`]
  if (type !== undefined) conditions.push(sql`type = ${type}`)
  if (action !== undefined) conditions.push(sql`action = ${action}`)
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`created_at < ${to}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from credit_moves where ${matching}`,
  )
  return readPage(db, { columns, tables: sql`credit_moves`, matching, order: latestFirst, total }, page)
}

/** Oldest first, at most `limit` entries. */
export function listEntriesWithin(
  db: Queryable,
  tenant: Tenant,
  { from, to }: Span,
  limit: number,
): Promise<LedgerEntry[]> {
  return db.rows(sql`
    select ${columns} from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and created_at >= ${from} and created_at < ${to}
     order by seq limit ${limit}`)
}

/**
 * The balance at a moment, by the times of the entries. Concurrent transactions may write in another order than they
 * began, so the last entry before the moment is corrected by neighbours whose order and time disagree. No transaction
 * runs for an hour.
 */
export async function findBalanceBefore(db: Queryable, tenant: Tenant, moment: Date): Promise<bigint> {
  const own = sql`m.organisation_id = ${tenant.organisationId} and m.mode = ${tenant.mode}`
  const row = await db.maybe<{ available: bigint }>(sql`
    with last as (
      select seq, available_after, created_at from credit_moves m
       where ${own} and created_at < ${moment} order by created_at desc, seq desc limit 1),
    misplaced as (
      select case when m.created_at < ${moment} then 1 else -1 end
             * case 'available' when m.to_place then m.amount when m.from_place then -m.amount else 0 end as amount
        from credit_moves m, last
       where ${own} and m.created_at between last.created_at - interval '1 hour' and last.created_at + interval '1 hour'
         and (m.created_at < ${moment}) = (m.seq > last.seq))
    select (available_after + (select coalesce(sum(amount), 0) from misplaced))::bigint as available from last`)
  return row?.available ?? 0n
}

export interface UsageRow {
  /** A calendar day in the ledger's time zone. */
  readonly day: string
  readonly action: string
  readonly credits: bigint
  readonly count: bigint
}

/** Credits spent, by day and action. A refund lowers the day of the refund. */
export function listUsage(db: Queryable, tenant: Tenant, { from, to }: Span, zone: string): Promise<UsageRow[]> {
  return db.rows(sql`
    select (created_at at time zone ${zone})::date::text as day, action,
           sum(case type when 'refund' then -amount else amount end)::bigint as credits,
           sum(case type when 'refund' then -1 else 1 end)::bigint as count
      from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and created_at >= ${from} and created_at < ${to}
       and type in ('charge', 'capture', 'refund') and action is not null
     group by 1, 2 order by 1, 2`)
}

/** Incoming credits by source since the account was opened. Credits from a parent are counted net of returns. */
export async function sumIncoming(
  db: Queryable,
  tenant: Tenant,
): Promise<{ granted: bigint; purchased: bigint; returned: bigint; received: bigint }> {
  return await db.one(sql`
    select coalesce(sum(amount) filter (where type = 'grant'), 0)::bigint as granted,
           coalesce(sum(amount) filter (where type in ('purchase', 'settlement')), 0)::bigint as purchased,
           coalesce(sum(amount) filter (where type in ('reversal', 'debt')), 0)::bigint as returned,
           coalesce(sum(amount) filter (where type = 'pool_in'), 0)::bigint
             - coalesce(sum(amount) filter (where type = 'pool_return_out'), 0)::bigint as received
      from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}
       and type in ('grant', 'purchase', 'settlement', 'reversal', 'debt', 'pool_in', 'pool_return_out')`)
}
