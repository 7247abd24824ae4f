import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { SubAccountKey } from '../settlement-accounts/sub-accounts.store.ts'
import type { VirtualAccountId } from './virtual-account.ts'

/** Open accounts of a seller at a provider that still use another sub-account and are due for an attempt. */
export function listAccountsToPoint(
  db: Queryable,
  { organisationId, mode }: Tenant,
  { sellerId, provider }: SubAccountKey,
  code: string,
  now: Date,
  limit: number,
): Promise<{ readonly id: VirtualAccountId }[]> {
  return db.rows(sql`
    select id from virtual_accounts
     where organisation_id = ${organisationId} and mode = ${mode} and seller_id = ${sellerId} and provider = ${provider}
       and state = 'active' and sub_account_code is distinct from ${code} and (split_due_at is null or split_due_at <= ${now})
     order by split_due_at nulls first, id limit ${limit}`)
}

/** When the next attempt is due. Null if all accounts use the sub-account. */
export async function nextPointingAt(
  db: Queryable,
  { organisationId, mode }: Tenant,
  { sellerId, provider }: SubAccountKey,
  code: string,
  now: Date,
): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select min(coalesce(split_due_at, ${now})) as at from virtual_accounts
     where organisation_id = ${organisationId} and mode = ${mode} and seller_id = ${sellerId} and provider = ${provider}
       and state = 'active' and sub_account_code is distinct from ${code}`)
  return at
}

/** No other worker calls the provider until then. */
export async function claimPointing(tx: Tx, tenant: Tenant, id: VirtualAccountId, until: Date): Promise<void> {
  await tx.run(sql`
    update virtual_accounts set split_due_at = ${until}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

export async function savePointed(tx: Tx, tenant: Tenant, id: VirtualAccountId, code: string): Promise<void> {
  await tx.run(sql`
    update virtual_accounts set sub_account_code = ${code}, split_due_at = null, split_tries = 0, split_failure = null
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

/** The next attempt follows after 30 seconds at first, at most six hours later. */
export async function saveNotPointed(
  tx: Tx,
  tenant: Tenant,
  id: VirtualAccountId,
  { failure, now }: { readonly failure: string; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    update virtual_accounts
       set split_failure = ${failure}, split_tries = split_tries + 1,
           split_due_at = (${now}::timestamptz at time zone 'UTC' + least(21600, 30 * power(2, least(split_tries, 16))) * interval '1 second')
                          at time zone 'UTC'
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}
