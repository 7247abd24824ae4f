import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import { credentialsPlace, keyFilePlace } from './connection.ts'
import { transportKeyPlace } from './transport-key.ts'

export const connectionSealedColumns: readonly SealedColumn[] = [
  { table: 'tax_connections', column: 'sealed_credentials', place: credentialsPlace },
  { table: 'tax_connections', column: 'sealed_key_file', place: keyFilePlace },
  { table: 'tax_transport_keys', column: 'sealed_private_key', place: transportKeyPlace },
]
