import type { SystemCaller, TokenCaller } from '../../../kernel/callers.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { EndpointId } from '../endpoints/endpoint.ts'
import { findEndpoint, lockEndpoint } from '../endpoints/endpoints.store.ts'
import { typesFor } from './read-webhooks.ts'
import { type RedeliverFailedPayload, redeliverFailedJob } from './redeliver-failed-job.ts'
import { countFailed, reopenFailed } from './replay.store.ts'

const atATime = 500
/** Limit of one call. The next call continues. */
const mostRedelivered = 50_000

export interface RedeliverResult {
  readonly endpointId: EndpointId
  readonly since: Date
  readonly count: number
  readonly hasMore: boolean
}

/**
 * The first deliveries are queued in the call, the rest by a job. A delivery is queued only while it is failed, and
 * only if it failed before the call. So concurrent calls never send a delivery twice.
 */
export const redeliverFailed = operation(
  {
    time: 'real',
    needs: ['webhook.delivery.redeliver'],
    refuses: ['request.invalid', 'resource.not_found', 'webhook.endpoint_disabled'],
  },
  async (
    { tx, caller, now, wake, enqueue }: Inside<TokenCaller>,
    { endpointId, since }: { endpointId: EndpointId; since: Date },
  ): Promise<RedeliverResult> => {
    if (since > now) throw invalid([{ path: 'since', rule: 'past', message: 'must not be in the future' }])
    const { organisationId, mode } = caller.tenant
    // The lock makes a second call wait and count only the rest.
    const endpoint = await lockEndpoint(tx, caller.tenant, endpointId)
    if (!endpoint) throw refuse('resource.not_found')
    if (endpoint.disabledAt) throw refuse('webhook.endpoint_disabled')
    const failed: RedeliverFailedPayload = {
      organisationId,
      mode,
      endpointId,
      types: typesFor(caller.capabilities),
      since: since.toISOString(),
      until: now.toISOString(),
      left: mostRedelivered,
    }
    const { count, last } = await reopenFailed(tx, caller.tenant, failed, atATime)
    wake('webhooks')
    if (last === null) return { endpointId, since, count, hasMore: false }
    const rest = { ...failed, after: last, left: mostRedelivered - count }
    const further = await countFailed(tx, caller.tenant, rest, rest.left + 1)
    if (further > 0) enqueue(redeliverFailedJob, rest)
    return { endpointId, since, count: count + Math.min(further, rest.left), hasMore: further > rest.left }
  },
)

/** Queues the rest of a call in steps. Ends early if the endpoint was disabled or deleted meanwhile. */
export const redeliverFurther = operation(
  { time: 'real', needs: [], refuses: [] },
  async ({ tx, wake, enqueue }: Inside<SystemCaller>, failed: RedeliverFailedPayload): Promise<void> => {
    const endpoint = await findEndpoint(tx, failed, failed.endpointId)
    if (!endpoint || endpoint.deletedAt || endpoint.disabledAt) return
    const { count, last } = await reopenFailed(tx, failed, failed, Math.min(atATime, failed.left))
    wake('webhooks')
    const left = failed.left - count
    if (last !== null && left > 0) enqueue(redeliverFailedJob, { ...failed, after: last, left })
  },
)
