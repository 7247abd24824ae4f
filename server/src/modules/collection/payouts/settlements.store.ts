import type { Page, PageRequest } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type ListOrder, newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { ReceivedPaymentId } from '../payments/received-payment.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import type { SettledTransfer } from '../providers/sub-accounts.ts'
import type { Settlement, SettlementDay } from './settlement.ts'

const columns = sql`
  id, seller_id, provider, provider_reference, status, currency, amount_minor, fee_minor, payment_count, settled_at, found_at, updated_at`
const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** Finds the sellers of accounts by our handles. */
export function listOwnersOfHandles(
  db: Queryable,
  { provider, mode }: { readonly provider: CollectionProviderName; readonly mode: string },
  handles: readonly string[],
): Promise<(Tenant & { readonly handle: string; readonly sellerId: SellerId })[]> {
  return db.rows(sql`
    select organisation_id, mode, handle, seller_id from virtual_accounts
     where handle = any (${[...handles]}::text[]) and provider = ${provider} and mode = ${mode}`)
}

export function lockSettlement(
  tx: Tx,
  tenant: Tenant,
  of: Pick<Settlement, 'provider' | 'providerReference' | 'sellerId'>,
): Promise<Settlement | undefined> {
  return tx.maybe(sql`
    select ${columns} from collection_settlements
     where ${within(tenant)} and provider = ${of.provider} and provider_reference = ${of.providerReference} and seller_id = ${of.sellerId}
       for no key update`)
}

/** The transfers of a settlement, as the provider last reported them. */
export function listSettledTransfers(
  db: Queryable,
  tenant: Tenant,
  { id, provider }: Pick<Settlement, 'id' | 'provider'>,
): Promise<Omit<SettledTransfer, 'handle'>[]> {
  return db.rows(sql`
    select transfer_reference as reference, amount_minor, fee_minor from collection_settled_transfers
     where ${within(tenant)} and provider = ${provider} and settlement_id = ${id} and removed_at is null`)
}

/**
 * Writes the settlement and its transfers in one statement, as the provider reports them now. A missing transfer is
 * marked as removed.
 */
export function saveSettlement(
  tx: Tx,
  tenant: Tenant,
  settlement: Settlement,
  transfers: readonly SettledTransfer[],
): Promise<Settlement> {
  const s = settlement
  const entries = transfers.map(({ reference, amountMinor, feeMinor }) => ({
    reference,
    amount: String(amountMinor),
    fee: String(feeMinor),
  }))
  return tx.one(sql`
    with saved as (
      insert into collection_settlements as c (organisation_id, mode, ${columns})
      values (${tenant.organisationId}, ${tenant.mode}, ${s.id}, ${s.sellerId}, ${s.provider}, ${s.providerReference}, ${s.status},
              ${s.currency}, ${s.amountMinor}, ${s.feeMinor}, ${s.paymentCount}, ${s.settledAt}, ${s.foundAt}, ${s.updatedAt})
      on conflict (organisation_id, mode, provider, provider_reference, seller_id) do update
         set status = excluded.status, amount_minor = excluded.amount_minor, fee_minor = excluded.fee_minor,
             payment_count = excluded.payment_count, settled_at = coalesce(c.settled_at, excluded.settled_at), updated_at = excluded.updated_at
      returning organisation_id, mode, ${columns}),
    entered as (
      insert into collection_settled_transfers (organisation_id, mode, provider, transfer_reference, settlement_id, amount_minor, fee_minor)
      select saved.organisation_id, saved.mode, saved.provider, e.reference, saved.id, e.amount::bigint, e.fee::bigint
        from saved cross join jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (reference text, amount text, fee text)
      on conflict (organisation_id, mode, provider, transfer_reference, settlement_id) do update
         set amount_minor = excluded.amount_minor, fee_minor = excluded.fee_minor, removed_at = null),
    removed as (
      update collection_settled_transfers t set removed_at = saved.updated_at
        from saved
       where t.organisation_id = saved.organisation_id and t.mode = saved.mode and t.settlement_id = saved.id and t.removed_at is null
         and t.transfer_reference <> all (${transfers.map(({ reference }) => reference)}::text[]))
    select ${columns} from saved`)
}

/** Newest first. */
export async function listSettlements(
  db: Queryable,
  tenant: Tenant,
  { sellerId }: { readonly sellerId?: SellerId | undefined },
  page: PageRequest,
): Promise<Page<Settlement>> {
  const conditions = [within(tenant)]
  if (sellerId !== undefined) conditions.push(sql`seller_id = ${sellerId}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from collection_settlements where ${matching}`,
  )
  const order = newestFirst(sql`found_at`, sql`id`)
  return readPage(db, { columns, tables: sql`collection_settlements`, matching, order, total }, page)
}

/** What was paid out of a payment `p`: one row, whose sums are null without a payout. */
const settledOf = sql`
  select sum(t.amount_minor)::bigint as amount_minor, sum(t.fee_minor)::bigint as fee_minor
    from collection_settled_transfers t
    join collection_settlements c on c.organisation_id = t.organisation_id and c.mode = t.mode and c.id = t.settlement_id and c.status = 'settled'
   where t.organisation_id = p.organisation_id and t.mode = p.mode and t.provider = p.provider and t.transfer_reference = p.provider_reference
     and t.removed_at is null`

const latestDayFirst: ListOrder = {
  name: 'days',
  keys: [
    { column: sql`date`, type: 'text', descending: true },
    { column: sql`seller_id`, type: 'uuid' },
    { column: sql`provider`, type: 'text' },
    { column: sql`currency`, type: 'text' },
  ],
}

/** The latest day comes first. */
export async function listSettlementDays(
  db: Queryable,
  tenant: Tenant,
  asked: { readonly from: Date; readonly to: Date; readonly zone: string; readonly sellerId?: SellerId | undefined },
  kinds: readonly string[],
  page: PageRequest,
): Promise<Page<SettlementDay>> {
  const ofSeller = asked.sellerId === undefined ? sql`true` : sql`v.seller_id = ${asked.sellerId}`
  const days = sql`
    select to_char(p.received_at at time zone ${asked.zone}::text, 'YYYY-MM-DD') as date, v.seller_id, p.provider, p.currency,
           count(*)::int as payment_count, sum(p.amount_minor)::bigint as received_minor,
           coalesce(sum(p.amount_minor) filter (where p.reversed_at is not null), 0)::bigint as reversed_minor,
           coalesce(sum(s.amount_minor), 0)::bigint as settled_minor, coalesce(sum(s.fee_minor), 0)::bigint as fee_minor,
           count(*) filter (where exists (
             select from collection_differences d
              where d.organisation_id = p.organisation_id and d.mode = p.mode and d.payment_id = p.id and d.settled_at is null
                and d.kind = any (${[...kinds]}::text[])))::int as exception_count
      from received_payments p
      join virtual_accounts v on v.organisation_id = p.organisation_id and v.mode = p.mode and v.id = p.account_id
      left join lateral (${settledOf}) as s on true
     where p.organisation_id = ${tenant.organisationId} and p.mode = ${tenant.mode}
       and p.received_at >= ${asked.from} and p.received_at < ${asked.to} and ${ofSeller}
     group by 1, 2, 3, 4`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from (${days}) as d`)
  const tables = sql`(${days}) as d`
  return readPage(db, { columns: sql`d.*`, tables, matching: sql`true`, order: latestDayFirst, total }, page)
}

/** A transfer that waits for a payout, or for the rest of it. */
export interface WaitingTransfer {
  readonly id: ReceivedPaymentId
  readonly reference: string
  /** When the oldest waiting transfer arrived. */
  readonly oldestReceivedAt: Date
}

/**
 * A seller's transfers that were not paid out, or with another amount: first those recorded after `after`, then from
 * the beginning, so that each has its turn.
 */
export async function listWaitingTransfers(
  db: Queryable,
  tenant: Tenant,
  of: { readonly sellerId: SellerId; readonly provider: CollectionProviderName },
  { from, to }: { readonly from: Date; readonly to: Date },
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<WaitingTransfer[]> {
  return await db.rows(sql`
    select p.id, p.provider_reference as reference, min(p.received_at) over () as oldest_received_at
      from received_payments p
      join virtual_accounts v on v.organisation_id = p.organisation_id and v.mode = p.mode and v.id = p.account_id and v.seller_id = ${of.sellerId}
      left join lateral (${settledOf}) as s on true
     where p.organisation_id = ${tenant.organisationId} and p.mode = ${tenant.mode} and p.provider = ${of.provider}
       and p.received_at >= ${from} and p.received_at < ${to} and p.reversed_at is null
       and s.amount_minor + s.fee_minor is distinct from p.amount_minor
     order by p.id <= coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000'), p.id limit ${limit}`)
}

export interface UnexplainedPayment extends Tenant {
  readonly id: ReceivedPaymentId
  /** The current difference. Null if there is none. */
  readonly kind: string | null
  readonly oursMinor: bigint
  readonly theirsMinor: bigint
}

/**
 * Payments of all organisations whose current difference is not the saved one: new differences and explained ones.
 * They were received after `from`, or have an open difference.
 * `not_settled`: no payout in time. `settled_amount`: another amount. `settled_reversed`: paid out although taken back.
 */
export function listUnexplained(
  db: Queryable,
  { from, lateBefore }: { readonly from: Date; readonly lateBefore: Date },
  kinds: readonly string[],
  limit: number,
): Promise<UnexplainedPayment[]> {
  return db.rows(sql`
    select organisation_id, mode, id, kind, ours_minor, theirs_minor from (
      select p.organisation_id, p.mode, p.id, p.received_at, p.amount_minor as ours_minor,
             coalesce(s.amount_minor + s.fee_minor, 0)::bigint as theirs_minor,
             case when p.reversed_at is not null then case when s.amount_minor is not null then 'settled_reversed' end
                  when s.amount_minor is null then case when p.received_at < ${lateBefore} then 'not_settled' end
                  when s.amount_minor + s.fee_minor <> p.amount_minor then 'settled_amount' end as kind,
             (select min(d.kind) from collection_differences d
               where d.organisation_id = p.organisation_id and d.mode = p.mode and d.payment_id = p.id and d.settled_at is null
                 and d.kind = any (${[...kinds]}::text[])) as noted
        from (select p.* from received_payments p where p.received_at >= ${from}
              union all
              select p.* from received_payments p
               where p.received_at < ${from} and (p.organisation_id, p.mode, p.id) in (
                 select d.organisation_id, d.mode, d.payment_id from collection_differences d
                  where d.settled_at is null and d.kind = any (${[...kinds]}::text[]))) as p
        left join lateral (${settledOf}) as s on true) as compared
     where kind is distinct from noted order by received_at limit ${limit}`)
}

/** When a payment was paid out to the seller. Undefined if it was not. */
export async function findSettledAt(
  db: Queryable,
  tenant: Tenant,
  { provider, providerReference }: { readonly provider: CollectionProviderName; readonly providerReference: string },
): Promise<Date | undefined> {
  const found = await db.maybe<{ settledAt: Date }>(sql`
    select c.settled_at from collection_settled_transfers t
      join collection_settlements c on c.organisation_id = t.organisation_id and c.mode = t.mode and c.id = t.settlement_id and c.status = 'settled'
     where t.organisation_id = ${tenant.organisationId} and t.mode = ${tenant.mode} and t.provider = ${provider}
       and t.transfer_reference = ${providerReference} and t.removed_at is null and c.settled_at is not null
     order by c.settled_at limit 1`)
  return found?.settledAt
}
