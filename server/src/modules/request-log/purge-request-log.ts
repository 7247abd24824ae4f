import type { Tenant } from '../../kernel/tenant.ts'
import { oneByOne, type Watch } from '../../platform/jobs/failing-items.ts'
import { listLoggedTenants, mostKept, purgeRequests } from './request-log.store.ts'

const tenantsAtOnce = 500
/** Limits of one run. The next run continues. */
const [mostRounds, mostBatches] = [1_000, 1_000]

/**
 * Deletes old requests and those beyond an organisation's share. Returns their number. A failure of one organisation
 * does not stop the others.
 */
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
