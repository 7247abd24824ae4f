import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { countingReceived, weighedChange } from '../counting.store.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'
import { within } from '../received-invoices.store.ts'
import type { ClaimDocument, SettledClaim } from './net-claims.ts'

/**
 * Every writer of a tenant's received invoices holds this lock until its transaction ends. Otherwise a credit note and
 * its invoice that arrive at once would not see each other.
 */
export async function lockClaims(tx: Tx, { organisationId, mode }: Tenant): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('received claims of ' || ${organisationId}::text || ' ' || ${mode}::text, 0))`)
}

/** Limit of documents linked by corrections, of one supplier and currency. */
const mostTied = 1_000
const mostSteps = 20

export interface TiedDocument extends ClaimDocument {
  readonly claimableMinor: bigint
  readonly returnTaxMinor: bigint
}

const tiedColumns = sql`id, reference, repeated_as, type, issue_date, corrects, is_claimable, input_tax_minor, claimable_minor,
  coalesce(return_tax_minor, claimable_minor) as return_tax_minor`

/**
 * Walks from each document to those that it names and those that name it, by any of their references, with a limit on
 * steps and documents.
 */
export async function listTied(db: Queryable, tenant: Tenant, id: ReceivedInvoiceId): Promise<TiedDocument[]> {
  const first = await db.rows<TiedDocument>(
    sql`select ${tiedColumns} from received_invoices where ${within(tenant)} and id = ${id}`,
  )
  const found = [...first]
  let latest = first
  for (let steps = 0; latest.length > 0 && steps < mostSteps && found.length < mostTied; steps++) {
    const named = latest.flatMap(({ corrects }) => corrects)
    const names = latest.flatMap(({ reference, repeatedAs }) => [reference, ...repeatedAs])
    latest = await db.rows<TiedDocument>(sql`
      select ${tiedColumns} from received_invoices
       where ${within(tenant)}
         and (seller_tax_id_plain, currency) = (
               select seller_tax_id_plain, currency from received_invoices where ${within(tenant)} and id = ${id})
         and (reference = any (${named}::text[])
              or (repeated_as <> '{}' and repeated_as && ${named}::text[])
              or (corrects <> '{}' and corrects && ${names}::text[]))
         and not id = any (${found.map((one) => one.id)}::uuid[])
       order by issue_date, reference limit ${mostTied - found.length}`)
    found.push(...latest)
  }
  return found
}

export interface ClaimableLeft extends SettledClaim {
  readonly id: ReceivedInvoiceId
}

/** The caller holds `lockClaims`. Updates the figures too. */
export async function saveClaimable(tx: Tx, tenant: Tenant, left: readonly ClaimableLeft[]): Promise<void> {
  if (left.length === 0) return
  await tx.run(sql`
    with before as materialized (
      select * from received_invoices where ${within(tenant)} and id = any (${left.map(({ id }) => id)}::uuid[])),
    changed as (
      update received_invoices i set claimable_minor = n.minor, return_tax_minor = n.return_minor
        from unnest(${left.map(({ id }) => id)}::uuid[], ${left.map(({ claimableMinor }) => claimableMinor)}::bigint[],
                    ${left.map(({ returnTaxMinor }) => returnTaxMinor)}::bigint[]) as n (id, minor, return_minor)
       where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = n.id
      returning i.*),
    ${weighedChange},
    ${countingReceived(tenant)}
    select 1`)
}
