import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Connection, ConnectionId } from './connection.ts'

const columns = sql`
  id, status, business_id, service_id, number_template, business_name, tax_id_normal, sealed_credentials, sealed_key_file,
  key_file_fingerprint, key_file_at, consent_version, consented_at, consented_by, problem, attempt_id, checked_at, connected_at,
  revoked_at, revoked_reason, created_at, updated_at`

export function findConnection(db: Queryable, tenant: Tenant): Promise<Connection | undefined> {
  return db.maybe(sql`
    select ${columns} from tax_connections where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}

export function lockConnection(tx: Tx, tenant: Tenant): Promise<Connection | undefined> {
  return tx.maybe(sql`
    select ${columns} from tax_connections where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for no key update`)
}

/** Blocks changes until the transaction ends. Other shared locks do not wait. */
export function lockConnectionShared(tx: Tx, tenant: Tenant): Promise<Connection | undefined> {
  return tx.maybe(sql`
    select ${columns} from tax_connections where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for share`)
}

/**
 * Whether another organisation reports as this business or with its tax number. Locks the number until the transaction
 * ends, so that of two concurrent connections the later one sees the earlier.
 */
export async function isBusinessOfOthers(
  tx: Tx,
  { organisationId, mode }: Tenant,
  { businessId, taxIdNormal }: { readonly businessId: string; readonly taxIdNormal: string },
): Promise<boolean> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('tax connection of ' || name, 0))
      from (select unnest(array[${businessId}::text, ${taxIdNormal}::text]) as name order by 1) as names`)
  const found = await tx.maybe(sql`
    select 1 from tax_connections
     where mode = ${mode} and (business_id = ${businessId} or tax_id_normal = ${taxIdNormal}) and organisation_id <> ${organisationId}
       and (status = 'connected' or problem = 'key_file_missing') limit 1`)
  return found !== undefined
}

/** Returns false if another request has inserted one. */
export async function insertConnection(tx: Tx, tenant: Tenant, connection: Connection): Promise<boolean> {
  const c = connection
  const inserted = await tx.run(sql`
    insert into tax_connections (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${c.id}, ${c.status}, ${c.businessId}, ${c.serviceId}, ${c.numberTemplate},
            ${c.businessName}, ${c.taxIdNormal}, ${c.sealedCredentials}, ${c.sealedKeyFile}, ${c.keyFileFingerprint}, ${c.keyFileAt},
            ${c.consentVersion}, ${c.consentedAt}, ${c.consentedBy}, ${c.problem}, ${c.attemptId}, ${c.checkedAt}, ${c.connectedAt},
            ${c.revokedAt}, ${c.revokedReason}, ${c.createdAt}, ${c.updatedAt})
    on conflict (organisation_id, mode) do nothing`)
  return inserted === 1
}

/** Limit of former service ids that are kept. */
const mostFormerServiceIds = 100

/** The caller holds the lock. A replaced service id is kept, because documents were reported under it. */
export async function saveConnection(tx: Tx, tenant: Tenant, connection: Connection): Promise<void> {
  const c = connection
  await tx.run(sql`
    update tax_connections
       set former_service_ids = case when service_id = ${c.serviceId} then former_service_ids
             else (service_id || array_remove(former_service_ids, service_id))[1:${mostFormerServiceIds}] end,
           status = ${c.status}, business_id = ${c.businessId}, service_id = ${c.serviceId}, number_template = ${c.numberTemplate},
           business_name = ${c.businessName}, tax_id_normal = ${c.taxIdNormal}, sealed_credentials = ${c.sealedCredentials},
           sealed_key_file = ${c.sealedKeyFile}, key_file_fingerprint = ${c.keyFileFingerprint}, key_file_at = ${c.keyFileAt},
           consent_version = ${c.consentVersion}, consented_at = ${c.consentedAt}, consented_by = ${c.consentedBy},
           problem = ${c.problem}, attempt_id = ${c.attemptId}, checked_at = ${c.checkedAt}, connected_at = ${c.connectedAt},
           revoked_at = ${c.revokedAt}, revoked_reason = ${c.revokedReason}, updated_at = ${c.updatedAt}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}

/** Keys that reach a country's authority in a mode: those of a connection, or of this installation if none is named. */
export interface KeysInUse {
  readonly country: string
  readonly mode: Mode
  readonly connectionId: ConnectionId | null
  readonly organisationId: OrganisationId | null
}

/** Each pair of keys in use, once. */
export function listKeysInUse(db: Queryable): Promise<KeysInUse[]> {
  return db.rows(sql`
    select distinct o.country, c.mode, case when c.sealed_credentials is not null then c.id end as connection_id,
           case when c.sealed_credentials is not null then c.organisation_id end as organisation_id
      from tax_connections c join organisations o on o.id = c.organisation_id
     where c.status = 'connected'`)
}

/** Tenants connected with a tax number through these keys. In the sandbox there may be several. */
export function listConnectedUnder(
  db: Queryable,
  { country, mode, connectionId }: Omit<KeysInUse, 'organisationId'>,
  taxIdNormal: string,
): Promise<Tenant[]> {
  return db.rows(sql`
    select c.organisation_id, c.mode from tax_connections c join organisations o on o.id = c.organisation_id
     where c.mode = ${mode} and c.tax_id_normal = ${taxIdNormal} and c.status = 'connected' and o.country = ${country}
       and (case when c.sealed_credentials is null then ${connectionId}::uuid is null else c.id = ${connectionId}::uuid end)`)
}

export function findConnectionInCountry(
  db: Queryable,
  tenant: Tenant,
): Promise<(Connection & { readonly country: string }) | undefined> {
  return db.maybe(sql`
    select c.*, o.country
      from (select organisation_id, ${columns} from tax_connections
             where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}) as c
      join organisations o on o.id = c.organisation_id`)
}
