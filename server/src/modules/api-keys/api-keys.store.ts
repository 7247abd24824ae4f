import type { Capability } from '../../kernel/capabilities.ts'
import type { ApiKeyId, OrganisationId, UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export interface NewApiKey {
  readonly id: ApiKeyId
  readonly mode: Mode
  readonly name: string
  readonly keyHash: string
  readonly hint: string
  readonly capabilities: readonly Capability[]
  readonly createdBy: UserId | null
}

export async function insertApiKey(tx: Tx, organisationId: OrganisationId, key: NewApiKey, now: Date): Promise<void> {
  await tx.run(sql`
    insert into api_keys (organisation_id, id, mode, name, key_hash, hint, capabilities, created_by, created_at)
    values (${organisationId}, ${key.id}, ${key.mode}, ${key.name}, ${key.keyHash}, ${key.hint}, ${key.capabilities}, ${key.createdBy}, ${now})`)
}

export interface KeyPrincipal {
  readonly organisationId: OrganisationId
  readonly id: ApiKeyId
  readonly mode: Mode
  readonly name: string
  readonly capabilities: readonly Capability[]
  readonly epoch: number
  readonly expiresAt: Date | null
}

/** Across organisations by necessity: the key is what tells us whose request it is. */
export function findUsableKeyByHash(db: Queryable, keyHash: string, now: Date): Promise<KeyPrincipal | undefined> {
  return db.maybe(sql`
    select organisation_id, id, mode, name, capabilities, epoch, expires_at from api_keys
     where key_hash = ${keyHash} and revoked_at is null and (expires_at is null or expires_at > ${now})`)
}

export function findUsableKey(
  db: Queryable,
  organisationId: OrganisationId,
  id: ApiKeyId,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return db.maybe(sql`
    select organisation_id, id, mode, name, capabilities, epoch, expires_at from api_keys
     where organisation_id = ${organisationId} and id = ${id} and revoked_at is null and (expires_at is null or expires_at > ${now})`)
}
