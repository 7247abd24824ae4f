import type { Tenant } from '../../kernel/tenant.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/**
 * Adds the rows of `weighed` to the tenant's figures. These are received invoices with a `weight`: 1 for the new state,
 * -1 for the old one. The caller holds `lockClaims`, which prevents deadlocks on the figures.
 */
export const countingReceived = ({ organisationId, mode }: Tenant): Sql => sql`
  counted as (
    insert into received_figures as f (organisation_id, mode, currency, payment_status, due_date, claim_until, count, credit_notes,
      faulty, net_minor, tax_minor, payable_minor, claimable_minor)
    select ${organisationId}::uuid, ${mode}::text, currency, payment_status, coalesce(due_date, 'infinity'),
           case when is_claimable then coalesce(claim_until, 'infinity') else '-infinity' end, sum(weight),
           coalesce(sum(weight) filter (where type = 'credit_note'), 0), coalesce(sum(weight) filter (where faults <> '[]'), 0),
           sum(weight * sign * net_minor), sum(weight * sign * tax_minor), sum(weight * sign * payable_minor),
           sum(weight * claimable_minor)
      from (select *, case when type = 'credit_note' then -1 else 1 end as sign from weighed) as w
     group by 3, 4, 5, 6
    on conflict (organisation_id, mode, currency, payment_status, due_date, claim_until) do update
      set count = f.count + excluded.count, credit_notes = f.credit_notes + excluded.credit_notes, faulty = f.faulty + excluded.faulty,
          net_minor = f.net_minor + excluded.net_minor, tax_minor = f.tax_minor + excluded.tax_minor,
          payable_minor = f.payable_minor + excluded.payable_minor, claimable_minor = f.claimable_minor + excluded.claimable_minor)`

/** `before` has the rows before a change. It is materialized, because Citus would otherwise read it after the change. */
export const weighedChange: Sql = sql`
  weighed as (
    select type, currency, payment_status, due_date, is_claimable, claim_until, faults, net_minor, tax_minor, payable_minor, claimable_minor,
           -1 as weight
      from before
    union all
    select type, currency, payment_status, due_date, is_claimable, claim_until, faults, net_minor, tax_minor, payable_minor, claimable_minor, 1
      from changed)`
