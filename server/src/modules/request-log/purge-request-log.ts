import type { Tenant } from '../../kernel/tenant.ts'
import { oneByOne, type Watch } from '../../platform/work/failing-items.ts'
import { listLoggedTenants, mostKept, purgeRequests } from './request-log.store.ts'

const tenantsAtOnce = 500
/** So much in one run at most: the next one goes on. */
const [mostRounds, mostBatches] = [1_000, 1_000]

/** Removes what is old, and what an organisation has beyond its share; says how many. One organisation that fails does not stop the others. */
export async function purgeRequestLog(
  watch: Watch,
  before: Date,
  { most = mostKept, limit = 1_000 }: { readonly most?: number; readonly limit?: number } = {},
): Promise<number> {
  const { db } = watch
  let purged = 0
  let after: Tenant | undefined
  for (let round = 0; round < mostRounds; round++) {
    const tenants = await listLoggedTenants(db, after, tenantsAtOnce)
    await oneByOne(watch, 'request_log.not_purged', tenants, async (tenant) => {
      purged += await purgeOf(tenant)
    })
    after = tenants.at(-1)
    if (after === undefined) break
  }
  return purged

  async function purgeOf(tenant: Tenant): Promise<number> {
    let count = 0
    for (let batch = 0; batch < mostBatches; batch++) {
      const taken = await purgeRequests(db, tenant, { before, most, limit })
      count += taken
      if (taken < limit) break
    }
    return count
  }
}
