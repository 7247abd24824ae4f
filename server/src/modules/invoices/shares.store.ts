import { hash } from 'node:crypto'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { findOwned } from '../../platform/database/their-shards.store.ts'
import type { InvoiceId } from './invoice.ts'

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

/** Inserts the link and its lookup row. */
export async function insertShare(tx: Tx, tenant: Tenant, share: Share): Promise<void> {
  await tx.run(sql`
    with found_by as (
      insert into invoice_share_tokens (token_hash, organisation_id, mode, share_id)
      values (${share.tokenHash}, ${tenant.organisationId}, ${tenant.mode}, ${share.id}))
    insert into invoice_shares (organisation_id, mode, id, invoice_id, token_hash, sealed_token, shared_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${share.id}, ${share.invoiceId}, ${share.tokenHash}, ${share.sealedToken}, ${share.sharedAt})`)
}

const within = ({ organisationId, mode }: Tenant) => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** Deletes links and their lookup rows. */
const deleting = (whose: Sql) => sql`
  with withdrawn as (delete from invoice_shares where ${whose} returning token_hash),
       lost as (delete from invoice_share_tokens where token_hash in (select token_hash from withdrawn))
  select from withdrawn`

/** False if the invoice was not shared. */
export async function deleteShare(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<boolean> {
  return (await tx.run(deleting(sql`${within(tenant)} and invoice_id = ${id}`))) === 1
}

export async function deleteShares(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(deleting(within(tenant)))
}

export interface SharedInvoiceRef extends Tenant {
  readonly shareId: string
  readonly invoiceId: InvoiceId
}

/**
 * The invoice of a link; the link is the only credential. A reopened draft is not shown. The lookup row only locates
 * the link; the link's own row decides.
 */
export function findSharedByToken(db: Queryable, token: string): Promise<SharedInvoiceRef | undefined> {
  const hash = hashOfToken(token)
  return findOwned(
    db,
    sql`select organisation_id from invoice_share_tokens where token_hash = ${hash}`,
    (named) => sql`
    select s.organisation_id, s.mode, s.id as share_id, s.invoice_id from invoice_share_tokens t
      join invoice_shares s on s.organisation_id = t.organisation_id and s.mode = t.mode and s.id = t.share_id and s.token_hash = t.token_hash
     where t.token_hash = ${hash} ${named('s')}
       and not exists (select 1 from invoices i
                        where i.organisation_id = s.organisation_id and i.mode = s.mode and i.id = s.invoice_id and i.status = 'draft' ${named('i')})`,
  )
}
