import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { purgeAfter } from '../../platform/background/purge-expired.ts'
import { keptMs } from './confirmation.ts'
import { purgeConfirmations } from './confirmations.store.ts'

export const background: ModuleBackground = {
  purges: [purgeAfter(keptMs, 'confirmations', purgeConfirmations)],
}
