import type { Database, Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { inCopies } from './cluster.ts'
import { ledgerFaults, ledgerTables } from './ledger-faults.ts'

/**
 * Lists every fault in the rows of created invoices and in the ledgers, for all tenants, one sentence each. Valid for
 * tenants that have deleted no draft. This file must not use the code that creates invoices.
 */
export async function invoiceFaults(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ fault: string }>(sql`
    with traces as (
      select organisation_id, mode, 'charge' as trace, substr(cause, 9) as id from credit_moves where starts_with(cause, 'invoice:')
      union all
      select organisation_id, mode, 'number', invoice_id::text from invoice_numbers
      union all
      select organisation_id, mode, 'event', object_id from events where type = 'invoice.created'),
    kinds as (select unnest(array['charge', 'number', 'event']) as trace),
    counted as (
      select organisation_id, mode, trace, id, count(*) as n from traces group by 1, 2, 3, 4),
    ordinals as (
      select organisation_id, mode, substr(reading, 4)::bigint as ordinal from invoice_numbers where reading ~ '^INV[0-9]{6,}$'),
    reached as (
      select organisation_id, mode, count(*) as given, min(ordinal) as first, max(ordinal) as last from ordinals group by 1, 2)
    select format('invoice %s has %s rows of kind %s', number, coalesce(c.n, 0), k.trace) as fault
      from invoices i cross join kinds k
      left join counted c on c.organisation_id = i.organisation_id and c.mode = i.mode and c.trace = k.trace and c.id = i.id::text
     where coalesce(c.n, 0) <> 1
    union all
    select format('there is a row of kind %s and no invoice %s', trace, id)
      from counted c where not exists (
        select 1 from invoices i where i.organisation_id = c.organisation_id and i.mode = c.mode and i.id::text = c.id)
    union all
    select format('invoice %s is kept under the number %s', number, reading)
      from invoices i join invoice_numbers n on n.organisation_id = i.organisation_id and n.mode = i.mode and n.invoice_id = i.id
     where n.reading <> upper(i.number)
    union all
    select format('%s numbers were given, from %s to %s, and the next would be %s', given, first, last, next_number)
      from reached full join (select * from number_series where series = 'INV') as s using (organisation_id, mode)
     where (first, given, last) is distinct from (1::bigint, next_number - 1, next_number - 1)
    union all
    select format('the key %s is taken and has no answer', key) from idempotency_keys where status is null
    union all
    select format('the key %s tells of an invoice that is not there', key)
      from idempotency_keys k where target like '%/invoices' and not exists (
        select 1 from invoices i where i.organisation_id = k.organisation_id and i.mode = k.mode 
           and (k.said ->> 'number' = i.number or k.headers ->> 'location' like '%/' || i.id))`)
  return [...rows.map(({ fault }) => fault), ...(await ledgerFaults(db))]
}

const invoiceTables = ['invoices', 'invoice_numbers', 'number_series', 'events', 'idempotency_keys']

/** `invoiceFaults` of an installation, which may be on a Citus cluster. */
export const findInvoiceFaults = (db: Database): Promise<string[]> =>
  inCopies(db, [...invoiceTables, ...ledgerTables], invoiceFaults)
