import type { Queryable } from '../../platform/database/database.ts'
import { deleteOldDeliveries } from './deliveries.store.ts'

const usual = { most: 1_000, mostTenants: 500 }
/** So many steps in one run at most: then others get their turn, and the next run takes up what is left. */
const mostSteps = 10_000
const beforeAll = { organisationId: '00000000-0000-0000-0000-000000000000', mode: '' }

/** Removes what ended and belongs to events that can no longer be read of, tenant by tenant. Says how much that was. */
export async function purgeDeliveries(db: Queryable, before: Date, steps = usual): Promise<number> {
  let total = 0
  let after: { readonly organisationId: string; readonly mode: string } = beforeAll
  for (let step = 0; step < mostSteps; step++) {
    const purged = await deleteOldDeliveries(db, before, after, steps)
    if (!purged) return total
    total += purged.count
    // There may be more of the same tenants.
    if (purged.count < steps.most) after = purged
  }
  return total
}
