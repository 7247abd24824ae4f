import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'

export interface Arrival {
  readonly reference: string
  readonly document: string
  readonly tries: number
}

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** Returns false if the tenant already has the document or it is waiting. It returns the row, because Citus counts rows that were selected, also after a conflict. */
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
    on conflict do nothing returning reference`)
  return inserted === 1
}

/** Longest due first. */
export function listArrivals(db: Queryable, tenant: Tenant, now: Date, limit: number): Promise<Arrival[]> {
  return db.rows(sql`
    select reference, document, tries from received_arrivals
     where ${within(tenant)} and due_at <= ${now} order by due_at, reference limit ${limit}`)
}

/** Documents waiting for an attempt, and how many of them failed before; counted up to 100. */
export function countArrivals(
  db: Queryable,
  tenant: Tenant,
): Promise<{ readonly waiting: number; readonly setAside: number }> {
  return db.one(sql`
    select (count(*) filter (where problem is null))::int as waiting, (count(problem))::int as set_aside
      from (select problem from received_arrivals where ${within(tenant)} limit 100) as a`)
}

/** `problem` is the reason of the failure. Null if the authority did not answer. */
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

/** For a tenant that no longer receives. */
export async function deleteArrivals(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(sql`delete from received_arrivals where ${within(tenant)}`)
}

/** Tenants with fetched documents that are due. */
export function listTenantsToServe(db: Queryable, now: Date, limit: number): Promise<Tenant[]> {
  return db.rows(sql`
    select organisation_id, mode from received_arrivals where due_at <= ${now} group by 1, 2 limit ${limit}`)
}

/** Fetched documents that could not be stored. */
export async function countArrivalsSetAside(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from received_arrivals where problem is not null`,
  )
  return count
}
