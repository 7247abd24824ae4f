import type { Caller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Clock } from '../clock.ts'
import type { TenantClocks } from '../clocks/tenant-clocks.ts'
import type { OperationRules } from './operation.ts'

/** The two times of one run of an operation. */
export interface Times {
  /** business time */
  readonly now: Date
  readonly realNow: Date
}

interface NamesTenant {
  readonly tenant?: Tenant
  readonly organisationId?: OrganisationId
  readonly mode?: Mode | null
}

/** The tenant that an operation works for: the caller's, or the one that background work names in its input. */
function tenantOf(caller: Caller, input: unknown): Tenant | undefined {
  if ('tenant' in caller) return caller.tenant
  // An outside caller chooses the input.
  if (caller.kind !== 'system' || typeof input !== 'object' || input === null) return undefined
  const { tenant, organisationId, mode } = input as NamesTenant
  if (tenant) return tenant
  return organisationId && mode ? { organisationId, mode } : undefined
}

/** Not a promise if the node knows the time: hot operations wait for no query. */
export function timesOf(
  { clock, clocks }: { readonly clock: Clock; readonly clocks: Pick<TenantClocks, 'nowOf'> },
  { time }: Pick<OperationRules<never>, 'time'>,
  caller: Caller,
  input: unknown,
): Times | Promise<Times> {
  const tenant = time === 'real' ? undefined : tenantOf(caller, input)
  const realNow = clock.now()
  if (!tenant) return { now: realNow, realNow }
  const now = clocks.nowOf(tenant)
  return now instanceof Promise ? now.then((known) => ({ now: known, realNow })) : { now, realNow }
}
