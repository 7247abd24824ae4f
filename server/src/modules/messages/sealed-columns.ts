import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import { messageBodyPlace } from './send-message.ts'

export const messageSealedColumns: readonly SealedColumn[] = [
  { table: 'messages', column: 'sealed_body', place: messageBodyPlace },
]
