import type { Id } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The key pair of a tenant. The private key is sealed. */
export interface TransportKey {
  readonly id: Id<'tax-transport-key'>
  /** Thumbprint of the public key, which an envelope may name. */
  readonly keyId: string
  readonly publicKeyPem: string
  readonly sealedPrivateKey: string
  readonly createdAt: Date
}

const columns = sql`id, key_id, public_key_pem, sealed_private_key, created_at`

export function findTransportKey(db: Queryable, tenant: Tenant): Promise<TransportKey | undefined> {
  return db.maybe(sql`
    select ${columns} from tax_transport_keys where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}

/** Returns the stored key: this one, or one that a concurrent request has inserted. */
export async function insertTransportKey(tx: Tx, tenant: Tenant, key: TransportKey): Promise<TransportKey> {
  await tx.run(sql`
    insert into tax_transport_keys (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${key.id}, ${key.keyId}, ${key.publicKeyPem}, ${key.sealedPrivateKey}, ${key.createdAt})
    on conflict (organisation_id, mode) do nothing`)
  return tx.one(sql`
    select ${columns} from tax_transport_keys where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}
