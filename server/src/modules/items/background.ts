import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { itemUses } from './count-uses.ts'

export const background: ModuleBackground = {
  consumers: [itemUses],
}
