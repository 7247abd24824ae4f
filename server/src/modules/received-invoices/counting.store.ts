import type { Tenant } from '../../kernel/tenant.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** Counts rows of `kept`, which have just been written for the tenant. */
export const countingReceived = ({ organisationId, mode }: Tenant): Sql => sql`
  counted as (
    insert into received_figures as f
    select ${organisationId}::uuid, ${mode}::text, currency, payment_status, coalesce(due_date, 'infinity'),
           coalesce(claim_until, case when is_claimable then date 'infinity' else '-infinity' end), 1, (sign < 0)::int, (faults <> '[]')::int,
           sign * net_minor, sign * tax_minor, sign * payable_minor
      from (select *, case when type = 'credit_note' then -1 else 1 end as sign from kept) as k
    on conflict (organisation_id, mode, currency, payment_status, due_date, claim_until) do update
      set count = f.count + 1, credit_notes = f.credit_notes + excluded.credit_notes, faulty = f.faulty + excluded.faulty,
          net_minor = f.net_minor + excluded.net_minor, tax_minor = f.tax_minor + excluded.tax_minor,
          payable_minor = f.payable_minor + excluded.payable_minor),
  supplied as (
    insert into received_suppliers select ${organisationId}::uuid, ${mode}::text, currency, seller_tax_id_plain from kept on conflict do nothing)`
