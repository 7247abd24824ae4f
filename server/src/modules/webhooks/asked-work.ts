import type { EventType } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { job } from '../../platform/work/jobs.ts'
import type { DeliveryId } from './delivery.ts'
import type { EndpointId } from './endpoint.ts'
import type { Cursor } from './feed.ts'

interface EndpointRef extends Tenant {
  readonly endpointId: EndpointId
}

export interface Missed extends EndpointRef {
  readonly from: string
  /** how far it has come */
  readonly after?: Cursor
}

/** Failed deliveries that somebody wants to be sent again. */
export interface FailedDeliveries extends EndpointRef {
  /** what the caller may read */
  readonly types: readonly EventType[]
  /** of events from then on */
  readonly since: string
  /** that failed until then */
  readonly until: string
  /** the last one that was dealt with */
  readonly after?: DeliveryId
  readonly left: number
}

export const redeliverFailedJob = job<FailedDeliveries>('redeliver-failed', 'upkeep')

/** What happened while an endpoint was disabled is delivered after all. */
export const replayMissedJob = job<Missed>('replay-missed', 'upkeep')

/** Many deliveries may wait for an endpoint that is disabled: those that one statement does not stop are stopped by this. */
export const stopDeliveriesJob = job<EndpointRef>('stop-deliveries', 'upkeep')
