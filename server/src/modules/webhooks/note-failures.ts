import type { SystemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { disable } from './change-endpoint.ts'
import type { EndpointId } from './endpoint.ts'
import { tellDisabled, tellFailing } from './endpoint-letters.ts'
import { addFailures, lockEndpoint } from './endpoints.store.ts'
import { failuresThatDisable, warningBetween } from './failure-run.ts'

interface Failures extends Tenant {
  readonly endpointId: EndpointId
  readonly count: number
  /** the receiver said that it is gone for good */
  readonly isGone: boolean
}

/** Counts deliveries that have failed in a row; warns those who look after the endpoint, and in the end disables it. */
export const noteFailures = operation(
  { needs: [], refuses: [] },
  async (
    context: Inside<SystemCaller>,
    { organisationId, mode, endpointId, count, isGone }: Failures,
  ): Promise<void> => {
    const tenant = { organisationId, mode }
    const endpoint = await lockEndpoint(context.tx, tenant, endpointId)
    if (!endpoint || endpoint.disabledAt) return
    const failures = await addFailures(context.tx, tenant, endpointId, count)
    if (isGone || failures >= failuresThatDisable)
      await tellDisabled(context, await disable(context, endpoint, isGone ? 'gone' : 'failures'))
    else {
      const warning = warningBetween(failures - count, failures)
      if (warning !== undefined) await tellFailing(context, endpoint, warning, failures)
    }
  },
)
