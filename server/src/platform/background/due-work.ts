import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import type { Ports } from '../operations/ports.ts'
import type { Runner, Runtime } from '../operations/runner.ts'

/**
 * Work of a tenant that waits for business time. A scheduled job runs it for all tenants by the real time. If a sandbox is moved forward,
 * the test clock goes from one due moment to the next and runs it there.
 */
export interface DueWork {
  /** for the log */
  readonly name: string
  /** the first moment after the given one at which something is due; undefined if nothing waits */
  nextAt(db: Queryable, tenant: Tenant, after: Date, ports: Ports): Promise<Date | undefined>
  /** Does what is due in the business time of the tenant, at most a batch. Returns whether there may be more. */
  run(runtime: Runtime, runner: Runner, tenant: Tenant): Promise<boolean>
}

/** Whether work of a tenant is in progress that a move of the test clock waits for, besides its jobs and its events. */
export type InProgress = (db: Queryable, tenant: Tenant) => Promise<boolean>
