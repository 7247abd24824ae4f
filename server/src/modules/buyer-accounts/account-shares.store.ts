import { hash } from 'node:crypto'
import type { Id } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Database, Queryable, Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { findOwned } from '../../platform/database/their-shards.store.ts'
import type { BuyerId } from '../buyers/index.ts'

export type AccountShareId = Id<'account-share'>

/** A public link to the statement of account of one period. */
export interface AccountShare {
  readonly id: AccountShareId
  readonly buyerId: BuyerId
  readonly currency: string
  readonly fromDay: string
  readonly toDay: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export const hashOfToken = (token: string): string => hash('sha256', token)

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`
const columns = sql`id, buyer_id, currency, from_day, to_day, created_at, expires_at`

/** Inserts the link and its lookup row. */
export async function insertAccountShare(
  tx: Tx,
  tenant: Tenant,
  share: AccountShare,
  tokenHash: string,
): Promise<void> {
  const { id, buyerId, currency, fromDay, toDay, createdAt, expiresAt } = share
  await tx.run(sql`
    with found_by as (
      insert into account_share_tokens (token_hash, organisation_id, mode, share_id)
      values (${tokenHash}, ${tenant.organisationId}, ${tenant.mode}, ${id}))
    insert into account_shares (organisation_id, mode, ${columns}, token_hash)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${buyerId}, ${currency}, ${fromDay}, ${toDay}, ${createdAt}, ${expiresAt}, ${tokenHash})`)
}

/** Links that still work, newest first. */
export async function listAccountShares(
  db: Queryable,
  tenant: Tenant,
  buyerId: BuyerId,
  now: Date,
  page: PageRequest,
): Promise<Page<AccountShare>> {
  const matching = sql`${within(tenant)} and buyer_id = ${buyerId} and expires_at > ${now}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from account_shares where ${matching}`,
  )
  const query = { columns, tables: sql`account_shares`, matching, total }
  return await readPage<AccountShare>(db, { ...query, order: newestIdFirst(sql`id`) }, page)
}

/** Waits for concurrent requests about the buyer: otherwise two of them could take the last place. */
export async function lockShareCount(tx: Tx, tenant: Tenant, buyerId: BuyerId, now: Date): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('account shares of ' || ${buyerId}::text, 0))`)
  const { links } = await tx.one<{ links: number }>(sql`
    select count(*)::int as links from account_shares where ${within(tenant)} and buyer_id = ${buyerId} and expires_at > ${now}`)
  return links
}

/** Deletes links and their lookup rows. */
const deleting = (whose: Sql): Sql => sql`
  with ended as (delete from account_shares where ${whose} returning ${columns}, token_hash),
       lost as (delete from account_share_tokens where token_hash in (select token_hash from ended))
  select ${columns} from ended`

/** The link that was ended; `undefined` if there was none. */
export function deleteAccountShare(
  tx: Tx,
  tenant: Tenant,
  buyerId: BuyerId,
  id: AccountShareId,
): Promise<AccountShare | undefined> {
  return tx.maybe(deleting(sql`${within(tenant)} and buyer_id = ${buyerId} and id = ${id}`))
}

export async function deleteAccountShares(tx: Tx, tenant: Tenant): Promise<void> {
  await tx.run(deleting(within(tenant)))
}

/** Deletes links whose end has passed. */
export async function purgeAccountShares(db: Database, before: Date, limit: number): Promise<number> {
  return await db.run(
    deleting(sql`(organisation_id, mode, id) in (
      select organisation_id, mode, id from account_shares where expires_at < ${before} limit ${limit})`),
  )
}

/** The account of a link. The lookup row only locates the link; the link's own row decides. */
/** Finds the link of a token, also if it has expired. */
export function findAccountShareByToken(db: Queryable, token: string): Promise<(AccountShare & Tenant) | undefined> {
  const hash = hashOfToken(token)
  return findOwned(
    db,
    sql`select organisation_id from account_share_tokens where token_hash = ${hash}`,
    (named) => sql`
    select s.organisation_id, s.mode, s.id, s.buyer_id, s.currency, s.from_day, s.to_day, s.created_at, s.expires_at
      from account_share_tokens t
      join account_shares s on s.organisation_id = t.organisation_id and s.mode = t.mode and s.id = t.share_id and s.token_hash = t.token_hash
     where t.token_hash = ${hash} ${named('s')}`,
  )
}
