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
        where ${within(tenant)} and (reference = ${reference} or ${reference} = any (repeated_as)))
    on conflict do nothing`)
  return inserted === 1
}

/** Longest due first. */
export function listArrivals(db: Queryable, tenant: Tenant, now: Date, limit: number): Promise<Arrival[]> {
  return db.rows(sql`
    select reference, document, tries from received_arrivals
     where ${within(tenant)} and due_at <= ${now} order by due_at, reference limit ${limit}`)
}

export async function hasArrivals(db: Queryable, tenant: Tenant): Promise<boolean> {
  return (await db.maybe(sql`select 1 from received_arrivals where ${within(tenant)} limit 1`)) !== undefined
}

export async function saveArrivalLater(tx: Tx, tenant: Tenant, reference: string, dueAt: Date): Promise<void> {
  await tx.run(sql`
    update received_arrivals set tries = tries + 1, due_at = ${dueAt} where ${within(tenant)} and reference = ${reference}`)
}

export async function deleteArrival(tx: Tx, tenant: Tenant, reference: string): Promise<void> {
  await tx.run(sql`delete from received_arrivals where ${within(tenant)} and reference = ${reference}`)
}

/** Of a tenant who does not receive any more. */
export async function deleteArrivals(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(sql`delete from received_arrivals where ${within(tenant)}`)
}

/** Who has something waiting that is due: fetched documents, or acknowledgements. */
export function listTenantsToServe(db: Queryable, now: Date, limit: number): Promise<Tenant[]> {
  return db.rows(sql`
    (select organisation_id, mode from received_arrivals where due_at <= ${now} group by 1, 2 limit ${limit})
    union
    (select organisation_id, mode from received_invoices
      where acknowledged_at is null and acknowledge_at <= ${now} group by 1, 2 limit ${limit})`)
}
