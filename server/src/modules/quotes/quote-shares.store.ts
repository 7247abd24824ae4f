import { hash } from 'node:crypto'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { findOwned } from '../../platform/database/their-shards.store.ts'
import type { QuoteId } from './quote.ts'

export const hashOfToken = (token: string): string => hash('sha256', token)

export interface QuoteShare {
  readonly id: string
  readonly quoteId: QuoteId
  readonly tokenHash: string
  readonly sealedToken: string
  readonly sharedAt: Date
}

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

export const findQuoteShare = (db: Queryable, tenant: Tenant, id: QuoteId): Promise<QuoteShare | undefined> =>
  db.maybe(sql`
    select id, quote_id, token_hash, sealed_token, shared_at from quote_shares where ${within(tenant)} and quote_id = ${id}`)

/** Inserts the link and its lookup row. */
export async function insertQuoteShare(tx: Tx, tenant: Tenant, share: QuoteShare): Promise<void> {
  await tx.run(sql`
    with found_by as (
      insert into quote_share_tokens (token_hash, organisation_id, mode, share_id)
      values (${share.tokenHash}, ${tenant.organisationId}, ${tenant.mode}, ${share.id}))
    insert into quote_shares (organisation_id, mode, id, quote_id, token_hash, sealed_token, shared_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${share.id}, ${share.quoteId}, ${share.tokenHash}, ${share.sealedToken}, ${share.sharedAt})`)
}

/** Deletes links and their lookup rows. */
const deleting = (whose: Sql): Sql => sql`
  with ended as (delete from quote_shares where ${whose} returning token_hash),
       lost as (delete from quote_share_tokens where token_hash in (select token_hash from ended))
  select from ended`

/** False if there was no link. */
export async function deleteQuoteShare(tx: Tx, tenant: Tenant, id: QuoteId): Promise<boolean> {
  return (await tx.run(deleting(sql`${within(tenant)} and quote_id = ${id}`))) === 1
}

export async function deleteQuoteShares(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(deleting(within(tenant)))
}

/** The quote of a link. The lookup row only locates the link; the link's own row decides. */
export function findQuoteByToken(
  db: Queryable,
  token: string,
): Promise<(Tenant & { readonly quoteId: QuoteId }) | undefined> {
  const hash = hashOfToken(token)
  return findOwned(
    db,
    sql`select organisation_id from quote_share_tokens where token_hash = ${hash}`,
    (named) => sql`
    select s.organisation_id, s.mode, s.quote_id from quote_share_tokens t
      join quote_shares s on s.organisation_id = t.organisation_id and s.mode = t.mode and s.id = t.share_id and s.token_hash = t.token_hash
     where t.token_hash = ${hash} ${named('s')}`,
  )
}
