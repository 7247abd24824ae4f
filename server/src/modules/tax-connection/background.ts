import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { connectToAuthority, replaceConnection } from './connect.ts'
import { refreshConnection } from './refresh-connection.ts'
import { connectionSealedColumns } from './sealed-columns.ts'

export const background: ModuleBackground = {
  exchanges: [connectToAuthority, replaceConnection, refreshConnection],
  sealedColumns: connectionSealedColumns,
}
