import type { SealedColumn } from '../../platform/secrets/secret-keys.store.ts'
import { mailboxBodyPlace } from './mailbox.ts'
import { messageBodyPlace } from './send-message.ts'

export const messageSealedColumns: readonly SealedColumn[] = [
  { table: 'messages', column: 'sealed_body', place: messageBodyPlace },
  { table: 'mailbox', column: 'sealed_body', place: mailboxBodyPlace },
]
