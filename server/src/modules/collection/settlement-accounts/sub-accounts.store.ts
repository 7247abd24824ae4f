import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import { nextQuestion, type SellerSubAccount, type SubAccountAnswer } from './sub-account.ts'

export interface SubAccountKey {
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
}
export type SubAccountOfTenant = Tenant & SubAccountKey

/** Number of former bank accounts, latest first, whose settlements are still requested. */
const mostFormer = 20

const within = ({ organisationId, mode }: Tenant): Sql =>
  sql`s.organisation_id = ${organisationId} and s.mode = ${mode}`
const named = (tenant: Tenant, { sellerId, provider }: SubAccountKey): Sql =>
  sql`${within(tenant)} and s.seller_id = ${sellerId} and s.provider = ${provider}`

const columns = ({ organisationId, mode }: Tenant): Sql => sql`
  s.seller_id, s.provider, s.state, s.reason, s.code, s.bank_code, s.account_number, s.tries, s.due_at, s.confirmed_at, s.updated_at,
  case when s.accounts_due_at is null then 0 else (
    select count(*)::int from virtual_accounts v
     where v.organisation_id = ${organisationId} and v.mode = ${mode} and v.seller_id = s.seller_id and v.provider = s.provider
       and v.state = 'active' and v.sub_account_code is distinct from s.code) end as accounts_waiting`

export function listSubAccounts(
  db: Queryable,
  tenant: Tenant,
  sellerIds: readonly SellerId[],
): Promise<SellerSubAccount[]> {
  return db.rows(sql`
    select ${columns(tenant)} from collection_sub_accounts s
     where ${within(tenant)} and s.seller_id = any (${[...sellerIds]}::uuid[]) order by s.seller_id, s.provider`)
}

export function findSubAccount(
  db: Queryable,
  tenant: Tenant,
  key: SubAccountKey,
): Promise<SellerSubAccount | undefined> {
  return db.maybe(sql`select ${columns(tenant)} from collection_sub_accounts s where ${named(tenant, key)}`)
}

export function lockSubAccount(tx: Tx, tenant: Tenant, key: SubAccountKey): Promise<SellerSubAccount | undefined> {
  return tx.maybe(sql`
    select ${columns(tenant)} from collection_sub_accounts s
     where ${within(tenant)} and s.seller_id = ${key.sellerId} and s.provider = ${key.provider} for no key update of s`)
}

/** No other worker asks about it until then. */
export async function claimSubAccount(tx: Tx, tenant: Tenant, key: SubAccountKey, until: Date): Promise<void> {
  await tx.run(sql`update collection_sub_accounts s set due_at = ${until} where ${named(tenant, key)}`)
}

/**
 * Saves a provider's answer about the current settlement account. A new code makes the seller's virtual accounts due
 * for a change. Without a new code the previous one stays, because the money still goes there.
 */
export async function saveSubAccountAnswer(
  tx: Tx,
  tenant: Tenant,
  { sellerId, provider }: SubAccountKey,
  to: { readonly bankCode: string; readonly accountNumber: string },
  answer: SubAccountAnswer,
  { now, isNewBankAccount }: { readonly now: Date; readonly isNewBankAccount: boolean },
): Promise<void> {
  const isConfirmed = answer.kind === 'confirmed'
  const code = isConfirmed ? answer.code : null
  const reason = isConfirmed ? null : answer.reason
  await tx.run(sql`
    insert into collection_sub_accounts as s (organisation_id, mode, seller_id, provider, state, reason, code, bank_code, account_number,
                                              tries, due_at, accounts_due_at, confirmed_at, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${sellerId}, ${provider}, ${answer.kind}, ${reason}, ${code},
            ${isConfirmed ? to.bankCode : null}, ${isConfirmed ? to.accountNumber : null}, 1,
            ${isConfirmed ? null : nextQuestion(now, 0)}, ${isConfirmed ? now : null}, ${isConfirmed ? now : null}, ${now})
    on conflict (organisation_id, mode, seller_id, provider) do update
       set state = excluded.state, reason = excluded.reason, updated_at = excluded.updated_at,
           former_codes = case when s.code is null or excluded.code is null or excluded.code = s.code then s.former_codes
                               else (array_remove(array_prepend(s.code, s.former_codes), excluded.code))[1:${mostFormer}::int] end,
           code = coalesce(excluded.code, s.code), bank_code = coalesce(excluded.bank_code, s.bank_code),
           account_number = coalesce(excluded.account_number, s.account_number),
           tries = case when ${isConfirmed} or ${isNewBankAccount} then 0 else s.tries + 1 end,
           due_at = case when ${isConfirmed} then null when ${isNewBankAccount} then excluded.due_at
                         else (${now}::timestamptz at time zone 'UTC' + least(21600, 30 * power(2, least(s.tries, 16))) * interval '1 second') at time zone 'UTC' end,
           accounts_due_at = case when excluded.code is distinct from s.code and excluded.code is not null then excluded.accounts_due_at
                                  else s.accounts_due_at end,
           confirmed_at = coalesce(excluded.confirmed_at, s.confirmed_at)
     -- A provider that is silent about what it has confirmed has not taken it back.
     where not (${answer.kind}::text = 'pending' and s.state = 'confirmed' and not ${isNewBankAccount})`)
}

/**
 * Settlement accounts without a state at a provider: the provider was configured later, or the account is older than
 * sub-accounts.
 */
export function listMissingSubAccounts(
  db: Queryable,
  provider: {
    readonly name: CollectionProviderName
    readonly mode: string
    readonly country: string
    readonly currencies: readonly string[]
  },
  limit: number,
): Promise<SubAccountOfTenant[]> {
  return db.rows(sql`
    select a.organisation_id, a.mode, a.seller_id, ${provider.name}::text as provider
      from settlement_accounts a
     where a.mode = ${provider.mode} and a.jurisdiction = ${provider.country} and a.currency = any (${[...provider.currencies]}::text[])
       and not exists (select from collection_sub_accounts s
                        where s.organisation_id = a.organisation_id and s.mode = a.mode and s.seller_id = a.seller_id
                          and s.provider = ${provider.name})
     limit ${limit}`)
}

/** Of several organisations, in one statement: each provider is to be asked now. */
export async function insertSubAccounts(
  db: Queryable,
  missing: readonly SubAccountOfTenant[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into collection_sub_accounts (organisation_id, mode, seller_id, provider, state, due_at, updated_at)
    select "organisationId", mode, "sellerId", provider, 'pending', ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) as m ("organisationId" uuid, mode text, "sellerId" uuid, provider text)
    on conflict (organisation_id, mode, seller_id, provider) do nothing`)
}

/** A provider may be configured in one mode only. */
export type ProviderInMode = Pick<SubAccountOfTenant, 'provider' | 'mode'>

/**
 * Sub-accounts of all tenants that a provider has to be asked about. Organisations take turns, so that one with many
 * does not delay others.
 */
export function listSubAccountsDue(
  db: Queryable,
  now: Date,
  providers: readonly ProviderInMode[],
  limit: number,
): Promise<SubAccountOfTenant[]> {
  const inUse = providers.map(({ provider, mode }) => `${provider} ${mode}`)
  return db.rows(sql`
    select organisation_id, mode, seller_id, provider from (
      select s.*, row_number() over (partition by s.organisation_id order by s.due_at) as nth
        from collection_sub_accounts s where s.due_at <= ${now} and s.provider || ' ' || s.mode = any (${inUse}::text[])) as due
     order by nth, due_at limit ${limit}`)
}

export interface SubAccountToPoint extends SubAccountOfTenant {
  readonly code: string
}

export function listSubAccountsToPoint(db: Queryable, now: Date, limit: number): Promise<SubAccountToPoint[]> {
  return db.rows(sql`
    select s.organisation_id, s.mode, s.seller_id, s.provider, s.code from collection_sub_accounts s
     where s.accounts_due_at <= ${now} and s.code is not null order by s.accounts_due_at limit ${limit}`)
}

/** When the virtual accounts are due next. Null if all use the sub-account. */
export async function saveAccountsDue(
  db: Queryable,
  tenant: Tenant,
  key: SubAccountKey,
  at: Date | null,
): Promise<void> {
  await db.run(sql`update collection_sub_accounts s set accounts_due_at = ${at} where ${named(tenant, key)}`)
}

export interface FollowedSubAccount extends SubAccountOfTenant {
  readonly codes: readonly string[]
  /** the last received payment that the provider was asked about */
  readonly followedTo: string | null
}

/** Sub-accounts of a provider, least recently asked first. */
export function listSubAccountsToFollow(
  db: Queryable,
  { provider, mode }: Pick<SubAccountOfTenant, 'provider' | 'mode'>,
  limit: number,
): Promise<FollowedSubAccount[]> {
  return db.rows(sql`
    select s.organisation_id, s.mode, s.seller_id, s.provider, array_append(s.former_codes, s.code) as codes, s.followed_to
      from collection_sub_accounts s
     where s.provider = ${provider} and s.mode = ${mode} and s.code is not null
     order by s.followed_at nulls first, s.seller_id limit ${limit}`)
}

export async function saveFollowed(
  db: Queryable,
  tenant: Tenant,
  key: SubAccountKey,
  { at, followedTo }: { readonly at: Date; readonly followedTo: string | null },
): Promise<void> {
  await db.run(
    sql`update collection_sub_accounts s set followed_at = ${at}, followed_to = ${followedTo} where ${named(tenant, key)}`,
  )
}

/** Settlement accounts that are pending or refused, by provider. */
export function countSubAccountsWaiting(
  db: Queryable,
): Promise<{ readonly provider: string; readonly count: number }[]> {
  return db.rows(sql`
    select provider, count(*)::int as count from collection_sub_accounts where due_at is not null group by provider order by provider`)
}
