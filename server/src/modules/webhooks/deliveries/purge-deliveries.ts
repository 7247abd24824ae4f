import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { deleteOldDeliveries } from './deliveries.store.ts'

const usual = { most: 1_000, mostTenants: 500 }
/** Steps per run. The next run continues. */
const mostSteps = 10_000

/** Deletes finished deliveries of events that can no longer be read, tenant by tenant. Returns their number. */
export async function purgeDeliveries(db: Queryable, before: Date, steps = usual): Promise<number> {
  let total = 0
  let after: Tenant | undefined
  for (let step = 0; step < mostSteps; step++) {
    const purged = await deleteOldDeliveries(db, before, after, steps)
    if (!purged) return total
    total += purged.count
    // The same tenants may have more.
    if (purged.count < steps.most) after = purged
  }
  return total
}
