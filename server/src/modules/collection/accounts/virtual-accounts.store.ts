import { mapped, type Page, type PageRequest } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { InvoiceId } from '../../invoices/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { EndpointId } from '../../webhooks/index.ts'
import type { CollectionProviderName, ProviderAccount } from '../providers/collection-provider.ts'
import type { AccountKind, AccountStatus, OpeningAccount, VirtualAccount, VirtualAccountId } from './virtual-account.ts'

const columns = sql`
  id, reference, fingerprint, kind, state, provider, jurisdiction, currency, seller_id, buyer_id, invoice_id, customer, account_reference, method,
  amount_minor, limit_minor, expires_at, handle, account_number, account_name, bank_code, bank_name, created_by_type, created_by, created_at,
  deactivated_at, deactivation_reason, callback_url, callback_endpoint_id, sub_account_code, split_failure`

type Row = Omit<OpeningAccount, 'createdBy'> & {
  readonly createdByType: Actor['kind']
  readonly createdBy: string | null
}
const accountFrom = ({ createdByType, createdBy, ...row }: Row): OpeningAccount => ({
  ...row,
  createdBy: { type: createdByType, id: createdBy },
})

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** Returns false if the reference is taken. */
export async function insertAccount(tx: Tx, tenant: Tenant, account: OpeningAccount): Promise<boolean> {
  const a = account
  const inserted = await tx.run(sql`
    insert into virtual_accounts (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${a.id}, ${a.reference}, ${a.fingerprint}, ${a.kind}, ${a.state}, ${a.provider},
            ${a.jurisdiction}, ${a.currency}, ${a.sellerId}, ${a.buyerId}, ${a.invoiceId}, ${JSON.stringify(a.customer)}::jsonb,
            ${a.accountReference}, ${a.method}, ${a.amountMinor}, ${a.limitMinor}, ${a.expiresAt}, ${a.handle}, ${a.accountNumber},
            ${a.accountName}, ${a.bankCode}, ${a.bankName}, ${a.createdBy.type}, ${a.createdBy.id}, ${a.createdAt}, ${a.deactivatedAt},
            ${a.deactivationReason}, ${a.callbackUrl}, ${a.callbackEndpointId}, ${a.subAccountCode}, ${a.splitFailure})
    on conflict (organisation_id, mode, reference) do nothing`)
  return inserted === 1
}

export async function findAccountByReference(
  db: Queryable,
  tenant: Tenant,
  reference: string,
): Promise<OpeningAccount | undefined> {
  const row = await db.maybe<Row>(sql`
    select ${columns} from virtual_accounts where ${within(tenant)} and reference = ${reference}`)
  return row && accountFrom(row)
}

export async function findAccount(
  db: Queryable,
  tenant: Tenant,
  id: VirtualAccountId,
): Promise<VirtualAccount | undefined> {
  const row = await db.maybe<Row>(sql`
    select ${columns} from virtual_accounts where ${within(tenant)} and id = ${id} and state <> 'opening'`)
  return row && (accountFrom(row) as VirtualAccount)
}

export async function lockAccount(tx: Tx, tenant: Tenant, id: VirtualAccountId): Promise<OpeningAccount | undefined> {
  const row = await tx.maybe<Row>(sql`
    select ${columns} from virtual_accounts where ${within(tenant)} and id = ${id} for no key update`)
  return row && accountFrom(row)
}

/** The account of a payment exists in every state, because money came into it. */
export async function getAccountOf(db: Queryable, tenant: Tenant, id: VirtualAccountId): Promise<OpeningAccount> {
  return accountFrom(
    await db.one<Row>(sql`select ${columns} from virtual_accounts where ${within(tenant)} and id = ${id}`),
  )
}

/** The account that was opened for the invoice, or else the buyer's account at the same seller. */
export async function findAccountToPay(
  db: Queryable,
  tenant: Tenant,
  invoiceId: InvoiceId,
  now: Date,
): Promise<Pick<VirtualAccount, 'id' | 'accountNumber' | 'accountName' | 'bankName'> | undefined> {
  return await db.maybe(sql`
    select v.id, v.account_number, v.account_name, v.bank_name
      from invoices i
      join virtual_accounts v on v.organisation_id = i.organisation_id and v.mode = i.mode and v.currency = i.currency
       and (v.invoice_id = i.id or (v.invoice_id is null and v.kind = 'persistent' and v.buyer_id = i.buyer_id and v.seller_id = i.seller_id))
     where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${invoiceId}
       and v.state = 'active' and (v.expires_at is null or v.expires_at > ${now})
     order by v.invoice_id is null, v.created_at desc, v.id desc limit 1`)
}

/** For simulated transfers. */
export async function findAccountByNumber(
  db: Queryable,
  tenant: Tenant,
  accountNumber: string,
): Promise<VirtualAccount | undefined> {
  const row = await db.maybe<Row>(sql`
    select ${columns} from virtual_accounts where ${within(tenant)} and account_number = ${accountNumber} limit 1`)
  return row && (accountFrom(row) as VirtualAccount)
}

/** Finds an account by the handle that the provider knows. An account may receive money while it is being opened. */
export async function findAccountByHandle(
  db: Queryable,
  { provider, handle }: { provider: CollectionProviderName; handle: string },
): Promise<(OpeningAccount & Tenant) | undefined> {
  const row = await db.maybe<Row & Tenant>(sql`
    select organisation_id, mode, ${columns} from virtual_accounts where handle = ${handle} and provider = ${provider}`)
  return row && { ...accountFrom(row), organisationId: row.organisationId, mode: row.mode }
}

export async function saveOpened(
  tx: Tx,
  tenant: Tenant,
  id: VirtualAccountId,
  { accountNumber, accountName, bankCode, bankName }: ProviderAccount,
  callbackEndpointId: EndpointId | null,
  subAccountCode: string | null,
): Promise<VirtualAccount> {
  const row = await tx.one<Row>(sql`
    update virtual_accounts
       set state = case when state = 'opening' then 'active' else state end, account_number = ${accountNumber}, account_name = ${accountName},
           bank_code = ${bankCode}, bank_name = ${bankName}, callback_endpoint_id = ${callbackEndpointId},
           sub_account_code = ${subAccountCode}
     where ${within(tenant)} and id = ${id} returning ${columns}`)
  return accountFrom(row) as VirtualAccount
}

/** Frees the reference after the provider refused the account. */
export async function deleteUnopened(tx: Tx, tenant: Tenant, id: VirtualAccountId): Promise<void> {
  await tx.run(sql`
    delete from virtual_accounts where ${within(tenant)} and id = ${id} and state = 'opening'
       and not exists (
         select from received_payments p
          where p.organisation_id = ${tenant.organisationId} and p.mode = ${tenant.mode} and p.account_id = virtual_accounts.id)`)
}

export async function saveDeactivated(
  tx: Tx,
  tenant: Tenant,
  id: VirtualAccountId,
  { reason, now }: { reason: string | null; now: Date },
): Promise<VirtualAccount> {
  const row = await tx.one<Row>(sql`
    update virtual_accounts set state = 'deactivated', deactivated_at = ${now}, deactivation_reason = ${reason}
     where ${within(tenant)} and id = ${id} returning ${columns}`)
  return accountFrom(row) as VirtualAccount
}

export interface AccountFilter {
  readonly sellerId?: SellerId | undefined
  readonly buyerId?: BuyerId | undefined
  readonly invoiceId?: InvoiceId | undefined
  readonly provider?: CollectionProviderName | undefined
  readonly kind?: AccountKind | undefined
  readonly jurisdiction?: string | undefined
  readonly status?: AccountStatus | undefined
}

const byStatus: Readonly<Record<AccountStatus, (now: Date) => Sql>> = {
  active: (now) => sql`state = 'active' and (expires_at is null or expires_at > ${now})`,
  expired: (now) => sql`state = 'active' and expires_at <= ${now}`,
  deactivated: () => sql`state = 'deactivated'`,
}

/** Newest first. */
export async function listAccounts(
  db: Queryable,
  tenant: Tenant,
  filter: AccountFilter,
  page: PageRequest,
  now: Date,
): Promise<Page<VirtualAccount>> {
  const conditions = [within(tenant), sql`state <> 'opening'`]
  if (filter.sellerId !== undefined) conditions.push(sql`seller_id = ${filter.sellerId}`)
  if (filter.buyerId !== undefined) conditions.push(sql`buyer_id = ${filter.buyerId}`)
  if (filter.invoiceId !== undefined) conditions.push(sql`invoice_id = ${filter.invoiceId}`)
  if (filter.provider !== undefined) conditions.push(sql`provider = ${filter.provider}`)
  if (filter.kind !== undefined) conditions.push(sql`kind = ${filter.kind}`)
  if (filter.jurisdiction !== undefined) conditions.push(sql`jurisdiction = ${filter.jurisdiction}`)
  if (filter.status !== undefined) conditions.push(byStatus[filter.status](now))
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from virtual_accounts where ${matching}`,
  )
  const order = newestFirst(sql`created_at`, sql`id`)
  const found = await readPage<Row>(db, { columns, tables: sql`virtual_accounts`, matching, order, total }, page)
  return mapped(found, (row) => accountFrom(row) as VirtualAccount)
}
