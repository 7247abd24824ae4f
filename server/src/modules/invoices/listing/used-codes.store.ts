import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { listedAs } from './filter-parts.store.ts'
import { freshInvoices } from './follow.store.ts'
import { lineCodes } from './listing-columns.store.ts'

export interface UsedCode {
  readonly code: string
  /** product category of the latest line with the code */
  readonly description: string | null
  readonly uses: bigint
  readonly lastUsedAt: Date
}

/** The kept uses, minus the listed ones of fresh documents, plus their current ones. */
export function listCodes(
  db: Queryable,
  tenant: Tenant,
  type: 'goods' | 'service',
  limit: number,
): Promise<UsedCode[]> {
  const { organisationId, mode } = tenant
  return db.rows(sql`
    with fresh as materialized (${freshInvoices(tenant)}),
    uses as (
      select c.code, c.uses, c.last_used_at, c.description, 0 as nth from invoice_codes c
       where c.organisation_id = ${organisationId} and c.mode = ${mode} and c.type = ${type}
      union all
      select split_part(u, E'\t', 2), case when split_part(u, E'\t', 4) ~ '^[0-9]{1,6}$' then -split_part(u, E'\t', 4)::int else -1 end, null, null, 0
        from fresh cross join lateral (${listedAs(tenant, sql`fresh.id`)}) as l
        cross join lateral unnest(l.codes) as u where split_part(u, E'\t', 1) = ${type}
      union all
      select split_part(u, E'\t', 2), 1, i.created_at, nullif(split_part(u, E'\t', 3), ''), nth
        from fresh cross join lateral (
          select i.lines, i.created_at from invoices i
           where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = fresh.id offset 0) as i
        cross join lateral unnest(${lineCodes}) with ordinality as codes (u, nth) where split_part(u, E'\t', 1) = ${type})
    select code, (array_agg(description order by last_used_at desc nulls last, nth desc))[1] as description, sum(uses)::bigint as uses,
           max(last_used_at) as last_used_at
      from uses group by code having sum(uses) > 0 order by sum(uses) desc, max(last_used_at) desc, code limit ${limit}`)
}
