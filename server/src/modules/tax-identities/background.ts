import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import { lookUpTaxId } from './look-up-tax-id.ts'
import { purgeNetworkLookups } from './network-lookups.store.ts'
import { checkReachability, getReachability } from './reachability.ts'

export const background: ModuleBackground = {
  exchanges: [lookUpTaxId, getReachability, checkReachability],
  purges: [purgeAfter(30 * days, 'network lookups', purgeNetworkLookups)],
}
