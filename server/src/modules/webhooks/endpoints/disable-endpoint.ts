import type { Caller } from '../../../kernel/callers.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { DisabledCause, Endpoint, EndpointRef } from './endpoint.ts'
import { emitEndpointEvent } from './endpoint-events.ts'
import { saveDisabled } from './endpoints.store.ts'
import { stopOpenDeliveries } from './stopping.store.ts'

/** Most deliveries that a request or a result ends by itself. A job ends the others. */
export const stoppedAtOnce = 500

/** Ends the waiting deliveries of a disabled endpoint that the first statement left over. */
export const stopDeliveriesJob = job<EndpointRef>('stop-deliveries', 'upkeep')

/** Ends the waiting deliveries of an endpoint. */
export async function stopDeliveries({ tx, enqueue, now }: Inside<Caller>, endpoint: Endpoint): Promise<void> {
  const { organisationId, mode, id: endpointId } = endpoint
  const stopped = await stopOpenDeliveries(tx, { organisationId, mode }, endpointId, stoppedAtOnce, now)
  if (stopped === stoppedAtOnce) enqueue(stopDeliveriesJob, { organisationId, mode, endpointId })
}

/** Stops sending. Waiting deliveries fail. */
export async function disable(context: Inside<Caller>, endpoint: Endpoint, cause: DisabledCause): Promise<Endpoint> {
  const disabled = await saveDisabled(context.tx, endpoint, endpoint.id, cause, context.now)
  await stopDeliveries(context, endpoint)
  emitEndpointEvent(context, 'webhook_endpoint.disabled', disabled, { cause })
  return disabled
}
