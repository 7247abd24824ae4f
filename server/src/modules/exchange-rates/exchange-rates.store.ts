import { daysThatARateLasts, type ExchangeRate, type UsedRate } from '../../kernel/exchange-rate.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

export interface NewRate extends ExchangeRate {
  readonly minorRate: string
}

/** Saves rates. A rate of the same currency and day is replaced. */
export async function saveRates(tx: Tx, tenant: Tenant, rates: readonly NewRate[], now: Date): Promise<void> {
  await tx.run(sql`
    insert into exchange_rates (organisation_id, mode, currency, day, rate, minor_rate, updated_at)
    select ${tenant.organisationId}::uuid, ${tenant.mode}::text, n.currency, n.day, n.rate, n.minor_rate, ${now}::timestamptz
      from unnest(${rates.map(({ currency }) => currency)}::text[], ${rates.map(({ day }) => day)}::date[],
                  ${rates.map(({ rate }) => rate)}::numeric[], ${rates.map(({ minorRate }) => minorRate)}::numeric[]) as n (currency, day, rate, minor_rate)
     order by n.currency, n.day
    on conflict (organisation_id, mode, currency, day) do update
      set rate = excluded.rate, minor_rate = excluded.minor_rate, updated_at = excluded.updated_at`)
}

/** Newest day first. */
export async function listRates(
  db: Queryable,
  tenant: Tenant,
  currency: string | undefined,
  page: PageRequest,
): Promise<Page<ExchangeRate>> {
  const matching = sql`x.organisation_id = ${tenant.organisationId} and x.mode = ${tenant.mode}
    and ${currency === undefined ? sql`true` : sql`x.currency = ${currency}`}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from exchange_rates x where ${matching}`,
  )
  const order = {
    name: 'rates',
    keys: [
      { column: sql`x.day`, type: 'day', descending: true },
      { column: sql`x.currency`, type: 'text', descending: true },
    ],
  } as const
  const columns = sql`x.currency, x.day, trim_scale(x.rate)::text as rate`
  return await readPage(db, { columns, tables: sql`exchange_rates x`, matching, order, total }, page)
}

/**
 * The rate of a day as JSON, or the last one of the days before; null without one. `currency` and `day` are SQL
 * expressions.
 */
export const rateInForce = ({ organisationId, mode }: Tenant, currency: Sql, day: Sql): Sql => sql`(
  select jsonb_build_object('rate', trim_scale(x.rate)::text, 'day', x.day, 'source', 'table') from exchange_rates x
   where x.organisation_id = ${organisationId} and x.mode = ${mode} and x.currency = ${currency}
     and x.day between ${day} - ${daysThatARateLasts}::int and ${day}
   order by x.day desc limit 1)`

export async function findRate(
  db: Queryable,
  tenant: Tenant,
  { currency, day }: Pick<ExchangeRate, 'currency' | 'day'>,
): Promise<UsedRate | null> {
  const { used } = await db.one<{ used: UsedRate | null }>(
    sql`select ${rateInForce(tenant, sql`${currency}`, sql`${day}::date`)} as used`,
  )
  return used
}
