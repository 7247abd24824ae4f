import type { SealedColumn } from '../../../platform/secrets/secret-keys.store.ts'
import { previousSecretPlace, secretPlace } from './endpoint.ts'

export const webhookSealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', column: 'sealed_secret', place: secretPlace },
  { table: 'webhook_endpoints', column: 'sealed_previous_secret', place: previousSecretPlace },
]
