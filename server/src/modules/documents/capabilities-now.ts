import type { Maker } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** What the maker of a link may do for a tenant at this moment: nothing once the session or key has ended, or its member is out. */
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
