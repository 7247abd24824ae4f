import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { InvoiceId } from './invoice.ts'
import { normalisedNumber } from './numbers.ts'

/**
 * Claims the number for a document, for ever; a document may return to a former number. False if another document has
 * or had it.
 */
export async function claimNumber(tx: Tx, tenant: Tenant, number: string, id: InvoiceId): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into invoice_numbers as n (organisation_id, mode, reading, invoice_id)
    values (${tenant.organisationId}, ${tenant.mode}, ${normalisedNumber(number)}, ${id})
    on conflict (organisation_id, mode, reading) do update set invoice_id = n.invoice_id where n.invoice_id = excluded.invoice_id`)
  return claimed === 1
}

export async function isNumberTaken(db: Queryable, tenant: Tenant, number: string): Promise<boolean> {
  const taken = await db.maybe(sql`
    select 1 from invoice_numbers
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and reading = ${normalisedNumber(number)}`)
  return taken !== undefined
}

/** SQL for a number of a series: `INV000042`. Beyond six digits, numbers have as many as they need. */
export const seriesNumber = (series: Sql, ordinal: Sql): Sql =>
  sql`${series} || lpad((${ordinal})::text, greatest(6, length((${ordinal})::text)), '0')`

/** A row and not a sequence of PostgreSQL, which would leave gaps: a rollback gives the number back. */
export async function takeNextNumber(tx: Tx, tenant: Tenant, series: string): Promise<string> {
  const { number } = await tx.one<{ number: string }>(sql`
    insert into number_series as s (organisation_id, mode, series, next_number)
    values (${tenant.organisationId}, ${tenant.mode}, ${series}, 2)
    on conflict (organisation_id, mode, series) do update set next_number = s.next_number + 1
    returning ${seriesNumber(sql`s.series`, sql`s.next_number - 1`)} as number`)
  return number
}

/**
 * Takes the first free number after a run of taken numbers that begins with `taken`. The series must be locked.
 * Reads at most `most` numbers in the order of the key, among numbers with the same count of digits, whose text order
 * is their numeric order.
 */
export async function takeNumberAfterRun(
  tx: Tx,
  tenant: Tenant,
  series: string,
  taken: string,
  most: number,
): Promise<string> {
  const { organisationId, mode } = tenant
  const last = `${series}${'9'.repeat(taken.length - series.length)}`
  const { number } = await tx.one<{ number: string }>(sql`
    update number_series as s set next_number = run.last + 2
      from (select ordinal as last
              from (select reading, ordinal, lead(ordinal) over (order by reading) as following
                      from (select reading, substr(reading, ${series.length + 1})::bigint as ordinal
                              from (select reading from invoice_numbers
                                     where organisation_id = ${organisationId} and mode = ${mode} and reading between ${taken} and ${last}
                                     order by reading limit ${most}) as near
                             where length(reading) = ${taken.length} and substr(reading, ${series.length + 1}) ~ '^[0-9]+$') as numbers) as held
             where following is distinct from ordinal + 1 order by reading limit 1) as run
     where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.series = ${series}
    returning ${seriesNumber(sql`s.series`, sql`run.last + 1`)} as number`)
  return number
}

/** Finds a document by its current number, in any spelling that reads the same. */
export async function findIdByNumber(db: Queryable, tenant: Tenant, number: string): Promise<InvoiceId | undefined> {
  const reading = normalisedNumber(number)
  const row = await db.maybe<{ id: InvoiceId; number: string }>(sql`
    select i.id, i.number from invoice_numbers n
      join invoices i on i.organisation_id = n.organisation_id and i.mode = n.mode and i.id = n.invoice_id
     where n.organisation_id = ${tenant.organisationId} and n.mode = ${tenant.mode} and n.reading = ${reading}`)
  return row && normalisedNumber(row.number) === reading ? row.id : undefined
}
