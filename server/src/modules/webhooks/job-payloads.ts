import type { EventType } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { job } from '../../platform/work/jobs.ts'
import type { DeliveryId } from './delivery.ts'
import type { EndpointId } from './endpoint.ts'
import type { Cursor } from './feed.ts'

interface EndpointRef extends Tenant {
  readonly endpointId: EndpointId
}

export interface ReplayMissedPayload extends EndpointRef {
  readonly from: string
  /** Progress of the job. */
  readonly after?: Cursor
}

/** A request to send failed deliveries again. */
export interface RedeliverFailedPayload extends EndpointRef {
  /** Event types that the caller may read. */
  readonly types: readonly EventType[]
  /** Only deliveries of events from this time on. */
  readonly since: string
  /** Only deliveries that failed until this time. */
  readonly until: string
  /** The last delivery that was handled. */
  readonly after?: DeliveryId
  readonly left: number
}

export const redeliverFailedJob = job<RedeliverFailedPayload>('redeliver-failed', 'upkeep')

/** Sends the events that happened while an endpoint was disabled. */
export const replayMissedJob = job<ReplayMissedPayload>('replay-missed', 'upkeep')

/** Ends the waiting deliveries of a disabled endpoint that the first statement left over. */
export const stopDeliveriesJob = job<EndpointRef>('stop-deliveries', 'upkeep')
