import type { Id } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The public half of what a key file is encrypted to, and the private one as it is kept. */
export interface TransportKey {
  readonly id: Id<'tax-transport-key'>
  /** the thumbprint of the public half, by which an envelope can say which key it is for */
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

/** The one that there is: this one, or what somebody else has made meanwhile. */
export async function insertTransportKey(tx: Tx, tenant: Tenant, key: TransportKey): Promise<TransportKey> {
  await tx.run(sql`
    insert into tax_transport_keys (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${key.id}, ${key.keyId}, ${key.publicKeyPem}, ${key.sealedPrivateKey}, ${key.createdAt})
    on conflict (organisation_id, mode) do nothing`)
  return tx.one(sql`
    select ${columns} from tax_transport_keys where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode}`)
}
