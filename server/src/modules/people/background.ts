import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, hours, purgeAfter } from '../../platform/background/purge-expired.ts'
import { purgeAttemptCounters } from './attempt-counters.store.ts'
import { purgeCodes } from './one-time-codes.store.ts'
import { purgeDevices } from './people.store.ts'
import { peopleSealedColumns } from './sealed-columns.ts'

export const background: ModuleBackground = {
  purges: [
    purgeAfter(24 * hours, 'codes', purgeCodes),
    purgeAfter(48 * hours, 'throttles', purgeAttemptCounters),
    purgeAfter(365 * days, 'devices', purgeDevices),
  ],
  sealedColumns: peopleSealedColumns,
}
