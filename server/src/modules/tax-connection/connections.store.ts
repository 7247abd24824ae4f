import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Connection } from './connection.ts'

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
    select ${columns} from tax_connections where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for update`)
}

/** Nobody revokes or changes it until the transaction has ended; others who only rely on it do not wait. */
export function lockConnectionShared(tx: Tx, tenant: Tenant): Promise<Connection | undefined> {
  return tx.maybe(sql`
    select ${columns} from tax_connections where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} for share`)
}

/**
 * Whether another organisation reports as this business. Whoever asks about the same business waits until this transaction has ended:
 * of two that connect at once, the later one sees the earlier.
 */
export async function isBusinessOfOthers(
  tx: Tx,
  { organisationId, mode }: Tenant,
  businessId: string,
): Promise<boolean> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('tax connection of ' || ${businessId}::text, 0))`)
  const found = await tx.maybe(sql`
    select 1 from tax_connections
     where mode = ${mode} and business_id = ${businessId} and organisation_id <> ${organisationId}
       and (status = 'connected' or problem = 'key_file_missing') limit 1`)
  return found !== undefined
}

/** False when somebody else has made one meanwhile. */
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

/** For whoever holds its lock. */
export async function saveConnection(tx: Tx, tenant: Tenant, connection: Connection): Promise<void> {
  const c = connection
  await tx.run(sql`
    update tax_connections
       set status = ${c.status}, business_id = ${c.businessId}, service_id = ${c.serviceId}, number_template = ${c.numberTemplate},
           business_name = ${c.businessName}, tax_id_normal = ${c.taxIdNormal}, sealed_credentials = ${c.sealedCredentials},
           sealed_key_file = ${c.sealedKeyFile}, key_file_fingerprint = ${c.keyFileFingerprint}, key_file_at = ${c.keyFileAt},
           consent_version = ${c.consentVersion}, consented_at = ${c.consentedAt}, consented_by = ${c.consentedBy},
           problem = ${c.problem}, attempt_id = ${c.attemptId}, checked_at = ${c.checkedAt}, connected_at = ${c.connectedAt},
           revoked_at = ${c.revokedAt}, revoked_reason = ${c.revokedReason}, updated_at = ${c.updatedAt}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}
