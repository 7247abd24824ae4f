import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import { authorisationPlace } from './subscriptions/subscription.ts'

export const billingSealedColumns: readonly SealedColumn[] = [
  { table: 'subscriptions', column: 'sealed_authorisation', place: authorisationPlace },
]
