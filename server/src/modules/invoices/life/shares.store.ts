import { hash } from 'node:crypto'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { InvoiceId } from '../invoice.ts'

export const hashOfToken = (token: string): string => hash('sha256', token)

export interface Share {
  readonly id: string
  readonly invoiceId: InvoiceId
  readonly tokenHash: string
  readonly sealedToken: string
  readonly sharedAt: Date
}

export function findShare(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<Share | undefined> {
  return db.maybe(sql`
    select id, invoice_id, token_hash, sealed_token, shared_at from invoice_shares
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${id}`)
}

export async function insertShare(tx: Tx, tenant: Tenant, share: Share): Promise<void> {
  await tx.run(sql`
    insert into invoice_shares (organisation_id, mode, id, invoice_id, token_hash, sealed_token, shared_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${share.id}, ${share.invoiceId}, ${share.tokenHash}, ${share.sealedToken}, ${share.sharedAt})`)
}

/** False when it was not shared. */
export async function deleteShare(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from invoice_shares where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${id}`)
  return deleted === 1
}

/** Every link of a tenant. */
export async function deleteShares(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(
    sql`delete from invoice_shares where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`,
  )
}

export interface Shared extends Tenant {
  readonly shareId: string
  readonly invoiceId: InvoiceId
}

/** What a link shows: whoever has it needs nothing else. */
export function findSharedByToken(db: Queryable, token: string): Promise<Shared | undefined> {
  return db.maybe(sql`
    select organisation_id, mode, id as share_id, invoice_id from invoice_shares where token_hash = ${hashOfToken(token)}`)
}
