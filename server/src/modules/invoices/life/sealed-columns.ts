import type { SealedColumn } from '../../../platform/secrets/secret-keys.store.ts'
import { shareTokenPlace } from './share-invoice.ts'

export const invoiceSealedColumns: readonly SealedColumn[] = [
  { table: 'invoice_shares', column: 'sealed_token', place: shareTokenPlace },
]
