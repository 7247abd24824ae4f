import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, hours, purgeAfter } from '../../platform/background/purge-expired.ts'
import { purgeClients } from './clients.store.ts'
import { purgePrograms, purgeProgramTokens } from './programs.store.ts'
import { purgeRequests } from './requests.store.ts'

export const background: ModuleBackground = {
  purges: [
    purgeAfter(24 * hours, 'program_requests', purgeRequests),
    purgeAfter(7 * days, 'program_clients', purgeClients),
    purgeAfter(30 * days, 'program_tokens', purgeProgramTokens),
    purgeAfter(90 * days, 'connected_programs', purgePrograms),
  ],
}
