import type { Maker } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'

/**
 * The current capabilities of a link's creator for a tenant: none once the session or API key has ended, or the
 * membership is gone.
 */
export type CapabilitiesNow = (
  db: Queryable,
  tenant: Tenant,
  maker: Maker,
  now: Date,
) => Promise<ReadonlySet<Capability>>

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly capabilitiesNow: CapabilitiesNow
  }
}
