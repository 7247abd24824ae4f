import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

export interface Arrival {
  readonly reference: string
  readonly document: string
  readonly tries: number
}

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** False where the tenant has it, or waits for it, already. */
export async function insertArrival(
  tx: Tx,
  tenant: Tenant,
  { reference, document }: Pick<Arrival, 'reference' | 'document'>,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into received_arrivals (organisation_id, mode, reference, document, due_at)
    select ${tenant.organisationId}, ${tenant.mode}, ${reference}, ${document}, ${now}::timestamptz
     where not exists (
       select 1 from received_invoices
        where ${within(tenant)} and (reference = ${reference} or (repeated_as <> '{}' and repeated_as && array[${reference}::text])))
    on conflict do nothing`)
  return inserted === 1
}

/** Longest due first. */
export function listArrivals(db: Queryable, tenant: Tenant, now: Date, limit: number): Promise<Arrival[]> {
  return db.rows(sql`
    select reference, document, tries from received_arrivals
     where ${within(tenant)} and due_at <= ${now} order by due_at, reference limit ${limit}`)
}

/** How many wait for their first or next try, and how many of those were set aside; counted up to 100. */
export function countArrivals(
  db: Queryable,
  tenant: Tenant,
): Promise<{ readonly waiting: number; readonly setAside: number }> {
  return db.one(sql`
    select (count(*) filter (where problem is null))::int as waiting, (count(problem))::int as set_aside
      from (select problem from received_arrivals where ${within(tenant)} limit 100) as a`)
}

/** `problem` says why it was set aside; null where only the authority was silent. */
export async function saveArrivalLater(
  tx: Tx,
  tenant: Tenant,
  reference: string,
  dueAt: Date,
  problem: string | null,
): Promise<void> {
  await tx.run(sql`
    update received_arrivals set tries = tries + 1, due_at = ${dueAt}, problem = ${problem}
     where ${within(tenant)} and reference = ${reference}`)
}

export async function deleteArrival(tx: Tx, tenant: Tenant, reference: string): Promise<void> {
  await tx.run(sql`delete from received_arrivals where ${within(tenant)} and reference = ${reference}`)
}

/** Of a tenant who does not receive any more. */
export async function deleteArrivals(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(sql`delete from received_arrivals where ${within(tenant)}`)
}

/** Who has fetched documents waiting that are due. */
export function listTenantsToServe(db: Queryable, now: Date, limit: number): Promise<Tenant[]> {
  return db.rows(sql`
    select organisation_id, mode from received_arrivals where due_at <= ${now} group by 1, 2 limit ${limit}`)
}

/** How many fetched documents were set aside. */
export async function countArrivalsSetAside(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from received_arrivals where problem is not null`,
  )
  return count
}
