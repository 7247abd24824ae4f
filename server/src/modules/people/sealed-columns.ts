import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import { totpSecretPlace } from './second-factor.ts'

/** A pending secret moves from one column to the other on confirmation, so both share one binding. */
export const peopleSealedColumns: readonly SealedColumn[] = [
  { table: 'users', column: 'totp_secret', place: totpSecretPlace },
  { table: 'users', column: 'totp_pending', place: totpSecretPlace },
]
