import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import type { SealedPlace } from '../../platform/secrets/secrets.ts'

export const quoteTokenPlace = (id: string): SealedPlace => ({ table: 'quote_shares', column: 'sealed_token', id })

export const quoteSealedColumns: readonly SealedColumn[] = [
  { table: 'quote_shares', column: 'sealed_token', place: quoteTokenPlace },
]
