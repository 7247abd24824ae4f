import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, hours, purgeAfter } from '../../platform/background/purge-expired.ts'
import { purgeRegistrations } from './registrations.store.ts'
import { purgeSessions } from './sessions.store.ts'

export const background: ModuleBackground = {
  purges: [
    purgeAfter(24 * hours, 'registrations', purgeRegistrations),
    purgeAfter(90 * days, 'sessions', purgeSessions),
  ],
}
