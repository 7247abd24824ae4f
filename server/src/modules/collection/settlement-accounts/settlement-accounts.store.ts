import type { Page, PageRequest } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { SettlementAccount } from './settlement-account.ts'

const columns = sql`
  id, seller_id, provider, jurisdiction, currency, bank_code, bank_network_code, bank_name, account_number, account_name, seller_name, seller_type,
  created_at, updated_at`

/** Replaces the seller's account. Its id and time of registration stay. */
export function saveSettlementAccount(
  tx: Tx,
  tenant: Tenant,
  account: SettlementAccount,
): Promise<SettlementAccount & { readonly isNew: boolean }> {
  const a = account
  return tx.one(sql`
    insert into settlement_accounts as s (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${a.id}, ${a.sellerId}, ${a.provider}, ${a.jurisdiction}, ${a.currency}, ${a.bankCode},
            ${a.bankNetworkCode}, ${a.bankName}, ${a.accountNumber}, ${a.accountName}, ${a.sellerName}, ${a.sellerType}, ${a.createdAt}, ${a.updatedAt})
    on conflict (organisation_id, mode, seller_id) do update
       set provider = excluded.provider, jurisdiction = excluded.jurisdiction, currency = excluded.currency, bank_code = excluded.bank_code,
           bank_network_code = excluded.bank_network_code, bank_name = excluded.bank_name, account_number = excluded.account_number,
           account_name = excluded.account_name, seller_name = excluded.seller_name, seller_type = excluded.seller_type,
           updated_at = excluded.updated_at
    returning ${columns}, s.created_at = s.updated_at as is_new`)
}

export function findSettlementAccount(
  db: Queryable,
  tenant: Tenant,
  sellerId: SellerId,
): Promise<SettlementAccount | undefined> {
  return db.maybe(sql`
    select ${columns} from settlement_accounts
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and seller_id = ${sellerId}`)
}

/** The next change waits and sees the result of this one. */
export function lockSettlementAccount(
  tx: Tx,
  tenant: Tenant,
  sellerId: SellerId,
): Promise<SettlementAccount | undefined> {
  return tx.maybe(sql`
    select ${columns} from settlement_accounts
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and seller_id = ${sellerId} for no key update`)
}

/** Newest first. */
export async function listSettlementAccounts(
  db: Queryable,
  tenant: Tenant,
  page: PageRequest,
): Promise<Page<SettlementAccount>> {
  const tables = sql`settlement_accounts`
  const matching = sql`organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`)
  const order = newestFirst(sql`created_at`, sql`id`)
  return readPage(db, { columns, tables, matching, order, total }, page)
}
