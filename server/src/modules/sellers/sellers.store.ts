import type { OrganisationId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { searchText } from '../../kernel/search-text.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { isForeignKeyViolation, isUniqueViolation, type Queryable, type Tx } from '../../platform/database/database.ts'
import { type ListOrder, readPage } from '../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import { matchesText } from '../../platform/database/text-search.store.ts'
import { type CheckedSeller, type Seller, type SellerId, searchOf } from './seller.ts'

const columns = sql`
  s.organisation_id, s.id, s.is_primary, s.name, s.trading_name, s.party_type, s.tax_id, s.tax_id_normal, s.vat_number, s.registration_number, s.email,
  s.phone, s.website, s.address, s.notes, s.created_at, s.updated_at`

/** The latest result counts if it is about the seller's current number. */
const checkedColumns = sql`
  ${columns}, coalesce(c.status, 'unverified') as tax_id_status, c.registered_name, c.ended_at as checked_at`
const checkedTables = (tenant: Tenant) => sql`
  sellers s left join lateral (
    select status, registered_name, ended_at from tax_number_checks
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and party = 'seller' and party_id = s.id
       and tax_id_normal = s.tax_id_normal
     order by started_at desc, id desc limit 1) c on true`

const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** False if another seller of the organisation has the tax number, or the organisation has a primary seller already. */
export async function insertSeller(tx: Tx, organisationId: OrganisationId, seller: Seller): Promise<boolean> {
  const s = seller
  const inserted = await tx.run(sql`
    insert into sellers (organisation_id, id, is_primary, name, trading_name, party_type, tax_id, tax_id_normal, vat_number, registration_number,
                         email, phone, website, address, notes, search, created_at, updated_at)
    values (${organisationId}, ${s.id}, ${s.isPrimary}, ${s.name}, ${s.tradingName}, ${s.partyType}, ${s.taxId}, ${s.taxIdNormal}, ${s.vatNumber},
            ${s.registrationNumber}, ${s.email}, ${s.phone}, ${s.website}, ${json(s.address)}::jsonb, ${s.notes}, ${searchOf(s)}, ${s.createdAt},
            ${s.updatedAt})
    on conflict do nothing`)
  return inserted === 1
}

export function findSeller(db: Queryable, tenant: Tenant, id: SellerId): Promise<CheckedSeller | undefined> {
  return db.maybe(sql`
    select ${checkedColumns} from ${checkedTables(tenant)} where s.organisation_id = ${tenant.organisationId} and s.id = ${id}`)
}

export function findPrimarySeller(db: Queryable, tenant: Tenant): Promise<CheckedSeller | undefined> {
  return db.maybe(sql`
    select ${checkedColumns} from ${checkedTables(tenant)} where s.organisation_id = ${tenant.organisationId} and s.is_primary`)
}

/** A shared lock until the transaction ends. Only changes of the seller wait. */
export function lockSellerShared(tx: Tx, organisationId: OrganisationId, id: SellerId): Promise<Seller | undefined> {
  return tx.maybe(
    sql`select ${columns} from sellers s where s.organisation_id = ${organisationId} and s.id = ${id} for share`,
  )
}

/**
 * For a change. Transactions that copy the seller wait; rows that only refer to the seller can be written meanwhile.
 */
export function lockSeller(tx: Tx, organisationId: OrganisationId, id: SellerId): Promise<Seller | undefined> {
  return tx.maybe(
    sql`select ${columns} from sellers s where s.organisation_id = ${organisationId} and s.id = ${id} for no key update`,
  )
}

/**
 * `for update`, because the row may be deleted: a row that refers to the seller is either there before, or finds the
 * seller gone.
 */
export function lockSellerToDelete(tx: Tx, organisationId: OrganisationId, id: SellerId): Promise<Seller | undefined> {
  return tx.maybe(
    sql`select ${columns} from sellers s where s.organisation_id = ${organisationId} and s.id = ${id} for update`,
  )
}

export function lockPrimarySeller(tx: Tx, organisationId: OrganisationId): Promise<Seller | undefined> {
  return tx.maybe(
    sql`select ${columns} from sellers s where s.organisation_id = ${organisationId} and s.is_primary for no key update`,
  )
}

export function findSellerByTaxId(
  tx: Tx,
  organisationId: OrganisationId,
  taxIdNormal: string,
): Promise<Seller | undefined> {
  return tx.maybe(
    sql`select ${columns} from sellers s where s.organisation_id = ${organisationId} and s.tax_id_normal = ${taxIdNormal}`,
  )
}

export async function isSellerTaxIdTaken(
  tx: Tx,
  organisationId: OrganisationId,
  taxIdNormal: string,
  except: SellerId,
): Promise<boolean> {
  const found = await tx.maybe(sql`
    select 1 from sellers where organisation_id = ${organisationId} and tax_id_normal = ${taxIdNormal} and id <> ${except}`)
  return found !== undefined
}

/** False if another seller of the organisation has the tax number. */
export async function saveSeller(tx: Tx, organisationId: OrganisationId, seller: Seller): Promise<boolean> {
  const s = seller
  await tx.run(sql`savepoint before_save`)
  try {
    await tx.run(sql`
    update sellers
       set name = ${s.name}, trading_name = ${s.tradingName}, party_type = ${s.partyType}, tax_id = ${s.taxId}, tax_id_normal = ${s.taxIdNormal},
           vat_number = ${s.vatNumber}, registration_number = ${s.registrationNumber}, email = ${s.email}, phone = ${s.phone},
           website = ${s.website}, address = ${json(s.address)}::jsonb, notes = ${s.notes}, search = ${searchOf(s)}, updated_at = ${s.updatedAt}
     where organisation_id = ${organisationId} and id = ${s.id}`)
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await tx.run(sql`rollback to savepoint before_save`)
    return false
  }
}

/** False if another row refers to the seller. The foreign keys decide. */
export async function deleteSeller(tx: Tx, organisationId: OrganisationId, id: SellerId): Promise<boolean> {
  await tx.run(sql`savepoint before_delete`)
  try {
    await tx.run(sql`delete from sellers where organisation_id = ${organisationId} and id = ${id}`)
    return true
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await tx.run(sql`rollback to savepoint before_delete`)
    return false
  }
}

/** Digits match too, because a number may be typed with other dashes or blanks. */
function matchesNumberToo(words: string): Sql {
  const digits = words.replace(/[ ./-]/g, '')
  if (digits === words || !/^\d{3,}$/.test(digits)) return matchesText(sql`s.search`, words)
  return sql`(${matchesText(sql`s.search`, words)} or ${matchesText(sql`s.search`, digits)})`
}

export interface SellerFilter {
  readonly primaryOnly: boolean
  readonly search?: string | undefined
}

const primaryFirst: ListOrder = {
  name: 'sellers',
  keys: [
    { column: sql`s.is_primary`, type: 'boolean', descending: true },
    { column: sql`s.created_at`, type: 'instant', descending: true },
    { column: sql`s.id`, type: 'uuid' },
  ],
}

/** The primary seller first, then the newest. */
export async function listSellers(
  db: Queryable,
  tenant: Tenant,
  { primaryOnly, search }: SellerFilter,
  page: PageRequest,
): Promise<Page<CheckedSeller>> {
  const conditions = [sql`s.organisation_id = ${tenant.organisationId}`]
  if (primaryOnly) conditions.push(sql`s.is_primary`)
  const wanted = searchText(search ?? '')
  if (wanted !== '') conditions.push(matchesNumberToo(wanted))
  // A search of punctuation alone matches nothing.
  else if (search?.trim()) conditions.push(sql`s.id is null`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from sellers s where ${matching}`)
  const query = { columns: checkedColumns, tables: checkedTables(tenant), matching, order: primaryFirst, total }
  return readPage(db, query, page)
}
