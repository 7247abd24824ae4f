import type { Capability } from '../../kernel/capabilities.ts'
import type { ApiKeyId, OrganisationId, RoleId, UserId } from '../../kernel/ids.ts'
import { mapped, type Page, type PageRequest } from '../../kernel/paging.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newestFirst, readPage } from '../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import { findOwned, onTheirShards } from '../../platform/database/their-shards.store.ts'
import { type RoleColumns, roleFrom } from '../organisations/index.ts'
import type { ApiKey, KeyStatus } from './api-key.ts'

const columns = sql`
  k.organisation_id, k.id, k.mode, k.name, k.hint, k.preset, k.capabilities as own_capabilities, k.requests_per_minute, k.daily_quota, k.created_by,
  k.created_at, k.expires_at, k.stops_at, k.revoked_at, k.last_used_at,
  k.role_id, r.name as custom_name, r.display_name as custom_label, r.description as custom_description, r.capabilities as custom_capabilities`

const withRole = sql`left join roles r on r.organisation_id = k.organisation_id and r.id = k.custom_role_id`
const tables = sql`api_keys k ${withRole}`

type KeyRow = Omit<ApiKey, 'role'> & Omit<RoleColumns, 'roleId'> & { readonly roleId: RoleId | null }

function toKey(row: KeyRow): ApiKey {
  const { roleId, customName, customLabel, customDescription, customCapabilities, ...rest } = row
  return {
    ...rest,
    role: roleId === null ? null : roleFrom({ roleId, customName, customLabel, customDescription, customCapabilities }),
  }
}

export interface NewApiKey {
  readonly id: ApiKeyId
  readonly mode: Mode
  readonly name: string
  readonly keyHash: string
  readonly hint: string
  readonly preset: string | null
  readonly ownCapabilities: readonly Capability[]
  readonly roleId: RoleId | null
  readonly requestsPerMinute: number | null
  readonly dailyQuota: number | null
  readonly createdBy: UserId | null
  readonly expiresAt: Date | null
}

/** A hash that another key has is refused. */
export async function insertApiKey(tx: Tx, organisationId: OrganisationId, key: NewApiKey, now: Date): Promise<void> {
  const {
    id,
    mode,
    name,
    keyHash,
    hint,
    preset,
    ownCapabilities,
    roleId,
    requestsPerMinute,
    dailyQuota,
    createdBy,
    expiresAt,
  } = key
  await tx.run(sql`
    with found_by as (insert into api_key_hashes (key_hash, organisation_id, key_id) values (${keyHash}, ${organisationId}, ${id}))
    insert into api_keys (organisation_id, id, mode, name, key_hash, hint, preset, capabilities, role_id, requests_per_minute, daily_quota, created_by, created_at, expires_at)
    values (${organisationId}, ${id}, ${mode}, ${name}, ${keyHash}, ${hint}, ${preset}, ${ownCapabilities}, ${roleId}, ${requestsPerMinute}, ${dailyQuota},
            ${createdBy}, ${now}, ${expiresAt})`)
}

export async function findApiKey(
  db: Queryable,
  organisationId: OrganisationId,
  id: ApiKeyId,
): Promise<ApiKey | undefined> {
  const row = await db.maybe<KeyRow>(
    sql`select ${columns} from ${tables} where k.organisation_id = ${organisationId} and k.id = ${id}`,
  )
  return row && toKey(row)
}

export async function lockApiKey(tx: Tx, organisationId: OrganisationId, id: ApiKeyId): Promise<ApiKey | undefined> {
  const row = await tx.maybe<KeyRow>(
    sql`select ${columns} from ${tables} where k.organisation_id = ${organisationId} and k.id = ${id} for no key update of k`,
  )
  return row && toKey(row)
}

/** The same rule as `statusOf`, for filters (ADR 15). */
const statusAt = (now: Date) => sql`
  case when k.revoked_at is not null or (k.stops_at <= ${now} and not coalesce(k.expires_at < k.stops_at, false)) then 'revoked'
       when k.expires_at <= ${now} then 'expired' when k.stops_at is not null then 'rotating' else 'active' end`

export interface KeyFilter {
  readonly status?: KeyStatus | undefined
  readonly mode?: Mode | undefined
}

export async function listApiKeys(
  db: Queryable,
  organisationId: OrganisationId,
  filter: KeyFilter,
  now: Date,
  page: PageRequest,
): Promise<Page<ApiKey>> {
  const conditions = [sql`k.organisation_id = ${organisationId}`]
  if (filter.mode !== undefined) conditions.push(sql`k.mode = ${filter.mode}`)
  if (filter.status !== undefined) conditions.push(sql`${statusAt(now)} = ${filter.status}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from api_keys k where ${matching}`,
  )
  const order = newestFirst(sql`k.created_at`, sql`k.id`)
  return mapped(await readPage<KeyRow>(db, { columns, tables, matching, order, total }, page), toKey)
}

/** Working keys that a person created, oldest first. */
export async function lockUsableKeysBy(
  tx: Tx,
  organisationId: OrganisationId,
  createdBy: UserId,
  now: Date,
): Promise<ApiKey[]> {
  const rows = await tx.rows<KeyRow>(sql`
    select ${columns} from ${tables}
     where k.organisation_id = ${organisationId} and k.created_by = ${createdBy} and ${usable(now)} order by k.created_at, k.id for no key update of k`)
  return rows.map(toKey)
}

/** Counted under a lock on the organisation's keys, so that two creations cannot both take the last place. */
export async function countUsableKeys(tx: Tx, organisationId: OrganisationId, now: Date): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('api keys of ' || ${organisationId}::text, 0))`)
  const { usable } = await tx.one<{ usable: number }>(sql`
    select count(*)::int as usable from api_keys k where k.organisation_id = ${organisationId} and ${statusAt(now)} in ('active', 'rotating')`)
  return usable
}

export async function saveKeyName(tx: Tx, organisationId: OrganisationId, id: ApiKeyId, name: string): Promise<void> {
  await tx.run(sql`update api_keys set name = ${name} where organisation_id = ${organisationId} and id = ${id}`)
}

/** Tokens that the key has issued become outdated. */
export async function saveKeyGrant(
  tx: Tx,
  organisationId: OrganisationId,
  id: ApiKeyId,
  grant: Pick<NewApiKey, 'preset' | 'ownCapabilities' | 'roleId'>,
): Promise<void> {
  await tx.run(sql`
    update api_keys set preset = ${grant.preset}, capabilities = ${grant.ownCapabilities}, role_id = ${grant.roleId}, epoch = epoch + 1
     where organisation_id = ${organisationId} and id = ${id}`)
}

export async function saveKeyRevoked(tx: Tx, organisationId: OrganisationId, id: ApiKeyId, now: Date): Promise<void> {
  await tx.run(sql`
    update api_keys set revoked_at = ${now}, end_announced_at = ${now} where organisation_id = ${organisationId} and id = ${id}`)
}

export async function saveKeyStops(tx: Tx, organisationId: OrganisationId, id: ApiKeyId, stopsAt: Date): Promise<void> {
  await tx.run(sql`update api_keys set stops_at = ${stopsAt} where organisation_id = ${organisationId} and id = ${id}`)
}

export interface KeyPrincipal extends ApiKey {
  readonly epoch: string
  readonly country: string
}

const principal = sql`
  ${columns}, k.epoch || '.' || coalesce(r.epoch, 0) as epoch, (select country from organisations where id = k.organisation_id) as country`
const usable = (now: Date) =>
  sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) and (k.stops_at is null or k.stops_at > ${now})`

const toPrincipal = (row: (KeyRow & { epoch: string; country: string }) | undefined): KeyPrincipal | undefined =>
  row && { ...toKey(row), epoch: row.epoch, country: row.country }

/**
 * Reads across organisations, because only the key tells which organisation it belongs to. The lookup finds the row;
 * hash and status in the row decide.
 */
export async function findUsableKeyByHash(
  db: Queryable,
  keyHash: string,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return toPrincipal(
    await findOwned<KeyRow & { epoch: string; country: string }>(
      db,
      sql`select organisation_id from api_key_hashes where key_hash = ${keyHash}`,
      (named) => sql`
      select ${principal} from api_key_hashes h
        join api_keys k on k.organisation_id = h.organisation_id and k.id = h.key_id and k.key_hash = h.key_hash ${withRole} ${named('r')}
       where h.key_hash = ${keyHash} ${named('k')} and ${usable(now)}`,
    ),
  )
}

export async function findUsableKey(
  db: Queryable,
  organisationId: OrganisationId,
  id: ApiKeyId,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return toPrincipal(
    await db.maybe(
      sql`select ${principal} from ${tables} where k.organisation_id = ${organisationId} and k.id = ${id} and ${usable(now)}`,
    ),
  )
}

export interface KeyUse {
  readonly organisationId: OrganisationId
  readonly id: ApiKeyId
  readonly at: Date
}

/** For the delayed write, across organisations: many uses in one statement. A time never moves backwards. */
export async function saveLastUsed(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  const organisationIds = uses.map((use) => use.organisationId)
  const saving = onTheirShards(
    organisationIds,
    (named) => sql`
    update api_keys k set last_used_at = used.at
      from unnest(${organisationIds}::uuid[], ${uses.map((use) => use.id)}::uuid[],
                  ${uses.map((use) => use.at)}::timestamptz[]) as used (organisation_id, id, at)
     where k.organisation_id = used.organisation_id and k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at) ${named('k')}`,
  )
  await db.run(saving)
}

export interface EndedKey {
  readonly id: ApiKeyId
  readonly name: string
  readonly mode: Mode
  readonly expired: boolean
}

const isEndUntold = (now: Date): Sql =>
  sql`revoked_at is null and end_announced_at is null and least(expires_at, stops_at) <= ${now}`

/** For the sweep, across organisations: those with expired keys without an event, after a given one. */
export function listOrganisationsWithEndedKeys(
  db: Queryable,
  after: OrganisationId,
  now: Date,
  limit: number,
): Promise<{ organisationId: OrganisationId }[]> {
  return db.rows(sql`
    select distinct organisation_id from api_keys
     where ${isEndUntold(now)} and organisation_id > ${after} order by organisation_id limit ${limit}`)
}

/** Marks the expired keys of one organisation. Skips locked rows; the next run takes them. */
export function takeEndedKeys(tx: Tx, organisationId: OrganisationId, now: Date, limit: number): Promise<EndedKey[]> {
  return tx.rows(sql`
    with due as materialized (
      select id from api_keys
       where organisation_id = ${organisationId} and ${isEndUntold(now)}
       order by least(expires_at, stops_at) limit ${limit} for no key update skip locked)
    update api_keys k set end_announced_at = ${now} from due
     where k.organisation_id = ${organisationId} and k.id = due.id
    returning k.id, k.name, k.mode, k.stops_at is null or coalesce(k.expires_at < k.stops_at, false) as expired`)
}
