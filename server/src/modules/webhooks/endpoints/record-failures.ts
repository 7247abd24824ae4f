import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { disable } from './disable-endpoint.ts'
import type { EndpointId } from './endpoint.ts'
import { mailDisabled, mailFailing } from './endpoint-letters.ts'
import { addFailures, lockEndpoint } from './endpoints.store.ts'
import { consequenceOf } from './failure-run.ts'

interface EndpointFailures extends Tenant {
  readonly endpointId: EndpointId
  readonly count: number
  /** The receiver replied 410. */
  readonly isGone: boolean
}

/**
 * Counts failures in a row. Mails the people who manage the endpoint at the fiftieth, and disables it after a day of
 * failures.
 */
export const recordFailures = operation(
  { needs: [], refuses: [] },
  async (
    context: Inside<SystemCaller>,
    { organisationId, mode, endpointId, count, isGone }: EndpointFailures,
  ): Promise<void> => {
    const tenant = { organisationId, mode }
    const endpoint = await lockEndpoint(context.tx, tenant, endpointId)
    if (!endpoint || endpoint.disabledAt) return
    const run = await addFailures(context.tx, tenant, endpointId, count, context.now)
    const consequence = isGone ? 'disable' : consequenceOf(run, count, context.now)
    if (consequence === 'disable')
      await mailDisabled(context, await disable(context, endpoint, isGone ? 'gone' : 'failures'))
    else if (consequence === 'warn') await mailFailing(context, endpoint, run)
  },
)
