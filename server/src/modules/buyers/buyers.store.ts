import type { Page, PageRequest } from '../../kernel/paging.ts'
import { searchText } from '../../kernel/search-text.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { isForeignKeyViolation, isUniqueViolation, type Queryable, type Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import { matchesTenantText, matchesText } from '../../platform/database/text-search.store.ts'
import type { TaxIdentity, TaxIdStatus } from '../tax-identities/index.ts'
import { type Buyer, type BuyerId, searchOf } from './buyer.ts'

const columns = sql`
  id, name, legal_name, trading_name, party_type, tax_id, tax_id_normal, tax_id_type, tax_id_status, vat_number, registration_number, email, phone,
  website, address, business_description, reference, notes, language, version, created_at, updated_at, archived_at`

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`
const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** False if another buyer that is not archived has the tax number. */
export async function insertBuyer(tx: Tx, tenant: Tenant, buyer: Buyer): Promise<boolean> {
  const b = buyer
  const inserted = await tx.run(sql`
    insert into buyers (organisation_id, mode, ${columns}, search)
    values (${tenant.organisationId}, ${tenant.mode}, ${b.id}, ${b.name}, ${b.legalName}, ${b.tradingName}, ${b.partyType}, ${b.taxId},
            ${b.taxIdNormal}, ${b.taxIdType}, ${b.taxIdStatus}, ${b.vatNumber}, ${b.registrationNumber}, ${b.email}, ${b.phone}, ${b.website},
            ${json(b.address)}::jsonb, ${b.businessDescription}, ${b.reference}, ${b.notes}, ${b.language}, ${b.version}, ${b.createdAt}, ${b.updatedAt},
            ${b.archivedAt}, ${searchOf(b)})
    on conflict (organisation_id, mode, tax_id_normal) where archived_at is null and tax_id_normal is not null do nothing`)
  return inserted === 1
}

export function findBuyer(db: Queryable, tenant: Tenant, id: BuyerId): Promise<Buyer | undefined> {
  return db.maybe(sql`select ${columns} from buyers where ${within(tenant)} and id = ${id}`)
}

/** A shared lock until the transaction ends. Only changes of the buyer wait. */
export function lockBuyerShared(tx: Tx, tenant: Tenant, id: BuyerId): Promise<Buyer | undefined> {
  return tx.maybe(sql`select ${columns} from buyers where ${within(tenant)} and id = ${id} for share`)
}

/** For a change. Transactions that copy the buyer wait; rows that only refer to the buyer can be written meanwhile. */
export function lockBuyer(tx: Tx, tenant: Tenant, id: BuyerId): Promise<Buyer | undefined> {
  return tx.maybe(sql`select ${columns} from buyers where ${within(tenant)} and id = ${id} for no key update`)
}

/**
 * `for update`, because the row may be deleted: a row that refers to the buyer is either there before, or finds the
 * buyer gone.
 */
export function lockBuyerToDelete(tx: Tx, tenant: Tenant, id: BuyerId): Promise<Buyer | undefined> {
  return tx.maybe(sql`select ${columns} from buyers where ${within(tenant)} and id = ${id} for update`)
}

/** `undefined` if another buyer that is not archived has the tax number. The transaction must then be rolled back. */
export function saveBuyer(tx: Tx, tenant: Tenant, buyer: Buyer): Promise<Buyer | undefined> {
  const b = buyer
  const saved = tx.one<Buyer>(sql`
    update buyers
       set name = ${b.name}, legal_name = ${b.legalName}, trading_name = ${b.tradingName}, party_type = ${b.partyType}, tax_id = ${b.taxId},
           tax_id_normal = ${b.taxIdNormal}, tax_id_type = ${b.taxIdType}, tax_id_status = ${b.taxIdStatus}, vat_number = ${b.vatNumber},
           registration_number = ${b.registrationNumber}, email = ${b.email}, phone = ${b.phone}, website = ${b.website},
           address = ${json(b.address)}::jsonb, business_description = ${b.businessDescription}, reference = ${b.reference}, notes = ${b.notes},
           language = ${b.language}, search = ${searchOf(b)}, version = version + 1, updated_at = ${b.updatedAt}
     where ${within(tenant)} and id = ${b.id} returning ${columns}`)
  return saved.catch((error: unknown) => {
    if (isUniqueViolation(error)) return undefined
    throw error
  })
}

/** A result counts only for the number and kind that the authority was asked about. */
export function saveTaxIdStatus(
  tx: Tx,
  tenant: Tenant,
  id: BuyerId,
  { taxIdNormal, taxIdType }: Pick<TaxIdentity, 'taxIdNormal' | 'taxIdType'>,
  status: TaxIdStatus,
  now: Date,
): Promise<Buyer | undefined> {
  return tx.maybe(sql`
    update buyers set tax_id_status = ${status}, updated_at = ${now}, version = version + 1
     where ${within(tenant)} and id = ${id} and tax_id_normal = ${taxIdNormal} and tax_id_type = ${taxIdType} returning ${columns}`)
}

export type DeleteOutcome = 'deleted' | 'archived'

/** Archives a buyer that other rows refer to. The foreign keys decide. */
export async function deleteOrArchive(tx: Tx, tenant: Tenant, id: BuyerId, now: Date): Promise<DeleteOutcome> {
  await tx.run(sql`savepoint before_delete`)
  try {
    await tx.run(sql`delete from buyers where ${within(tenant)} and id = ${id}`)
    return 'deleted'
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await tx.run(sql`rollback to savepoint before_delete`)
    await tx.run(sql`
      update buyers set archived_at = ${now}, updated_at = ${now}, version = version + 1 where ${within(tenant)} and id = ${id}`)
    return 'archived'
  }
}

/** Digits match too, because a number may be typed with other dashes or blanks. */
function matchesNumberToo(words: string, matches: (words: string) => Sql): Sql {
  const digits = words.replace(/[ ./-]/g, '')
  if (digits === words || !/^\d{3,}$/.test(digits)) return matches(words)
  return sql`(${matches(words)} or ${matches(digits)})`
}

const byIndex = (tenant: Tenant, words: string): Sql =>
  matchesNumberToo(words, (piece) => matchesTenantText(tenant, piece))
const bySight = (words: string): Sql => matchesNumberToo(words, (piece) => matchesText(sql`search`, piece))

export interface BuyerFilter {
  readonly search?: string | undefined
  readonly taxIdStatus?: TaxIdStatus | undefined
}

/** Buyers that are not archived, newest first. */
export async function listBuyers(
  db: Queryable,
  tenant: Tenant,
  { search, taxIdStatus }: BuyerFilter,
  page: PageRequest,
): Promise<Page<Buyer>> {
  const conditions = [within(tenant), sql`archived_at is null`]
  // A search of punctuation alone matches nothing. An empty search is no filter.
  if (search) conditions.push(searchText(search) === '' ? sql`false` : byIndex(tenant, searchText(search)))
  if (taxIdStatus !== undefined) conditions.push(sql`tax_id_status = ${taxIdStatus}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from buyers where ${matching}`)
  return readPage(db, { columns, tables: sql`buyers`, matching, order: newestIdFirst(sql`id`), total }, page)
}

/** Order of names without case and accents: the search text begins with the name. */
const place = sql`left(search, 200) collate "C"`

/** Buyers that are not archived with this tax number, or with this name in any case. */
export function findBuyersNamed(
  db: Queryable,
  tenant: Tenant,
  wanted: { readonly taxIdNormal: string } | { readonly name: string },
  limit: number,
): Promise<Pick<Buyer, 'id' | 'name'>[]> {
  const live = sql`${within(tenant)} and archived_at is null`
  if ('taxIdNormal' in wanted)
    return db.rows(
      sql`select id, name from buyers where ${live} and tax_id_normal = ${wanted.taxIdNormal} order by id limit ${limit}`,
    )
  const first = searchText(wanted.name).slice(0, 200)
  return db.rows(sql`
    select id, name from buyers
     where ${live} and ${place} >= ${first} and ${place} < ${`${first}\u{10ffff}`} and lower(name) = lower(${wanted.name})
     order by ${place}, id limit ${limit}`)
}

const sample = { size: 400, many: 4 }
const mostSteps = 5_000

/**
 * Buyers whose names or number contain the words: first those that begin with them, then by name. A frequent word,
 * judged by the newest buyers, is found by scanning that order, all others by the index.
 */
export async function searchBuyers(db: Queryable, tenant: Tenant, words: string, limit: number): Promise<Buyer[]> {
  const wanted = searchText(words)
  if (wanted === '') return []
  const live = sql`${within(tenant)} and archived_at is null`
  return await db.rows(sql`
    with first as materialized (
      select id, ${place} as place from buyers
       where ${live} and ${place} >= ${wanted} and ${place} < ${`${wanted}\u{10ffff}`} order by ${place}, id limit ${limit}),
    sample as materialized (
      select count(*) as hits from (
        select search from buyers
         where ${live} and (select count(*) from first) < ${limit} order by id desc limit ${sample.size}) as newest
       where ${bySight(wanted)}),
    near as materialized (
      select id, place from (
        select id, ${place} as place, search from buyers
         where ${live} and (select hits from sample) >= ${sample.many} order by ${place}, id limit ${mostSteps}) as steps
       where ${bySight(wanted)} and id not in (select id from first) order by place, id limit ${limit}),
    far as materialized (
      select id, ${place} as place from buyers
       where ${live} and ${byIndex(tenant, wanted)} and id not in (select id from first)
         and (select count(*) from first) + (select count(*) from near) < ${limit}),
    found as (
      select 0 as part, id as found_id, place from first
      union select 1, id, place from near
      union select 1, id, place from far)
    select ${columns} from found join buyers on ${within(tenant)} and id = found_id order by part, place, found_id limit ${limit}`)
}
