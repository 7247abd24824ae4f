import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import { totpSecretPlace } from './second-factor.ts'

/** A pending secret becomes the secret by moving from one column to the other, so both are bound to the same place. */
export const peopleSealedColumns: readonly SealedColumn[] = [
  { table: 'users', column: 'totp_secret', place: totpSecretPlace },
  { table: 'users', column: 'totp_pending', place: totpSecretPlace },
]
