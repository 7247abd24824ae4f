import type { OrganisationId, UserId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { oldestFirst, readPage } from '../../platform/database/keyset.store.ts'
import { lockingRow, orOnShards, sql } from '../../platform/database/sql.ts'
import type { Organisation, ProfileChange } from './organisation.ts'

const columns = sql`id, parent_id, name, country, contact_email, website, address, tax_number, tax_number_verified_at, phone, phone_verified_at, onboarded_at, created_at`

export type NewOrganisation = Pick<Organisation, 'id' | 'name' | 'country' | 'createdAt'> & {
  readonly foundedBy: UserId
} & Partial<Pick<Organisation, 'parentId' | 'contactEmail' | 'website' | 'taxNumber' | 'phone'>>

export async function insertOrganisation(tx: Tx, organisation: NewOrganisation): Promise<void> {
  const {
    id,
    name,
    country,
    createdAt,
    foundedBy,
    parentId = null,
    contactEmail = null,
    website = null,
    taxNumber = null,
    phone = null,
  } = organisation
  await tx.run(sql`
    insert into organisations (id, parent_id, name, country, contact_email, website, tax_number, phone, founded_by, created_at, updated_at)
    values (${id}, ${parentId}, ${name}, ${country}, ${contactEmail}, ${website}, ${taxNumber}, ${phone}, ${foundedBy}, ${createdAt}, ${createdAt})`)
}

export function findOrganisation(db: Queryable, organisationId: OrganisationId): Promise<Organisation | undefined> {
  return db.maybe(sql`select ${columns} from organisations where id = ${organisationId}`)
}

/** The person who created the organisation. `undefined` if unknown. */
export async function findFounder(db: Queryable, organisationId: OrganisationId): Promise<UserId | null> {
  const row = await db.maybe<{ foundedBy: UserId | null }>(
    sql`select founded_by from organisations where id = ${organisationId}`,
  )
  return row?.foundedBy ?? null
}

/**
 * Locked by every change that removes an owner, so that two cannot pass each other. `for no key update` lets rows that
 * refer to the organisation be written meanwhile: with `for update`, invoices, buyers and sessions would wait for a
 * change of roles. Such rows depend on no fact that this lock protects.
 */
export function lockOrganisation(tx: Tx, organisationId: OrganisationId): Promise<Organisation | undefined> {
  const statement = sql`select ${columns} from organisations where id = ${organisationId}`
  return tx.maybe(lockingRow(statement, 'no key update', `organisation ${organisationId}`))
}

/**
 * For what a member creates and outlives them: no removal of the member can run meanwhile, and an earlier removal has
 * finished.
 */
export async function lockOrganisationShared(tx: Tx, organisationId: OrganisationId): Promise<void> {
  const statement = sql`select from organisations where id = ${organisationId}`
  await tx.run(lockingRow(statement, 'share', `organisation ${organisationId}`))
}

export function saveProfile(
  tx: Tx,
  organisationId: OrganisationId,
  change: ProfileChange,
  now: Date,
): Promise<Organisation> {
  const { name, contactEmail, website, address } = change
  return tx.one(sql`
    update organisations
       set name = coalesce(${name ?? null}, name),
           contact_email = case when ${contactEmail !== undefined} then ${contactEmail ?? null} else contact_email end,
           website = case when ${website !== undefined} then ${website ?? null} else website end,
           address = case when ${address !== undefined} then ${address ? JSON.stringify(address) : null}::jsonb else address end,
           updated_at = ${now}
     where id = ${organisationId} returning ${columns}`)
}

export async function saveNameAndCountry(
  tx: Tx,
  organisationId: OrganisationId,
  name: string,
  country: string,
  now: Date,
): Promise<void> {
  await tx.run(
    sql`update organisations set name = ${name}, country = ${country}, updated_at = ${now} where id = ${organisationId}`,
  )
}

/** The number that the authority has confirmed. */
export function saveTaxNumber(
  tx: Tx,
  organisationId: OrganisationId,
  taxNumber: string,
  now: Date,
): Promise<Organisation> {
  return tx.one(sql`
    update organisations set tax_number = ${taxNumber}, tax_number_verified_at = ${now}, updated_at = ${now} where id = ${organisationId} returning ${columns}`)
}

export function saveVerifiedPhone(
  tx: Tx,
  organisationId: OrganisationId,
  phone: string,
  now: Date,
): Promise<Organisation> {
  return tx.one(sql`
    update organisations set phone = ${phone}, phone_verified_at = ${now}, updated_at = ${now} where id = ${organisationId} returning ${columns}`)
}

export function saveOnboarded(tx: Tx, organisationId: OrganisationId, now: Date): Promise<Organisation> {
  return tx.one(
    sql`update organisations set onboarded_at = ${now}, updated_at = ${now} where id = ${organisationId} returning ${columns}`,
  )
}

export async function listChildren(
  db: Queryable,
  organisationId: OrganisationId,
  page: PageRequest,
): Promise<Page<Organisation>> {
  const matching = sql`parent_id = ${organisationId}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from organisations where ${matching}`,
  )
  const order = oldestFirst(sql`created_at`, sql`id`)
  return readPage(db, { columns, tables: sql`organisations`, matching, order, total }, page)
}

/** Removes the parent, and with it the child's own request to be paid for. */
export async function savePartedFromParent(tx: Tx, organisationId: OrganisationId, now: Date): Promise<void> {
  await tx.run(sql`
    update credit_pool_configs set fallback_to_primary = false, updated_at = ${now} where organisation_id = ${organisationId}`)
  await tx.run(sql`
    update organisations set parted_from = parent_id, parted_at = ${now}, parent_id = null, updated_at = ${now}
     where id = ${organisationId}`)
}

/** Whether a person belongs to an organisation with this tax number. */
export async function hasOrganisationWithTaxNumber(db: Queryable, userId: UserId, taxNumber: string): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from memberships m join organisations o on o.id = m.organisation_id where m.user_id = ${userId} and o.tax_number = ${taxNumber}`)
  return found !== undefined
}

export interface CreditPool {
  readonly primaryCoversSecondary: boolean
  readonly fallbackToPrimary: boolean
  readonly minimumReserve: bigint
}

export function findCreditPool(db: Queryable, organisationId: OrganisationId): Promise<CreditPool | undefined> {
  return db.maybe(sql`
    select primary_covers_secondary, fallback_to_primary, minimum_reserve from credit_pool_configs where organisation_id = ${organisationId}`)
}

/**
 * The payer if a child is short of credits: its parent, if the parent offers it and the child has asked. Credits that
 * the parent paid go back to it even after they have parted.
 */
export async function findPoolParent(
  db: Queryable,
  organisationId: OrganisationId,
  { evenIfEnded = false } = {},
): Promise<{ parentId: OrganisationId; minimumReserve: bigint } | undefined> {
  const usual = sql`
    select offer.organisation_id as parent_id, offer.minimum_reserve
      from organisations child
      join credit_pool_configs wish on wish.organisation_id = child.id
      join credit_pool_configs offer on offer.organisation_id = coalesce(child.parent_id, child.parted_from)
     where child.id = ${organisationId}
       and (${evenIfEnded} or (child.parent_id is not null and wish.fallback_to_primary and offer.primary_covers_secondary))`
  // Parent and child may be on two servers: what the child wishes is read first.
  const onShards = sql`
    with child as materialized (
      select coalesce(o.parent_id, o.parted_from) as payer_id, o.parent_id is not null and wish.fallback_to_primary as wishes
        from organisations o join credit_pool_configs wish on wish.organisation_id = o.id
       where o.id = ${organisationId} and wish.organisation_id = ${organisationId})
    select offer.organisation_id as parent_id, offer.minimum_reserve
      from child join credit_pool_configs offer on offer.organisation_id = child.payer_id
     where ${evenIfEnded} or (child.wishes and offer.primary_covers_secondary)`
  return await db.maybe(orOnShards(usual, onShards))
}

export async function saveCreditPool(
  tx: Tx,
  organisationId: OrganisationId,
  pool: CreditPool,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into credit_pool_configs (organisation_id, primary_covers_secondary, fallback_to_primary, minimum_reserve, updated_at)
    values (${organisationId}, ${pool.primaryCoversSecondary}, ${pool.fallbackToPrimary}, ${pool.minimumReserve}, ${now})
    on conflict (organisation_id) do update
      set primary_covers_secondary = excluded.primary_covers_secondary, fallback_to_primary = excluded.fallback_to_primary,
          minimum_reserve = excluded.minimum_reserve, updated_at = excluded.updated_at`)
}
