import type { EventType } from '../../../kernel/events.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import type { EndpointRef } from '../endpoints/endpoint.ts'
import type { DeliveryId } from './delivery.ts'

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
