import type { Tenant } from '../../../kernel/tenant.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import type { Cursor } from '../catalogue/feed.ts'
import type { EndpointId } from './endpoint.ts'

export interface EndpointRef extends Tenant {
  readonly endpointId: EndpointId
}

export interface ReplayMissedPayload extends EndpointRef {
  readonly from: string
  /** Progress of the job. */
  readonly after?: Cursor
}

/** Sends the events that happened while an endpoint was disabled. */
export const replayMissedJob = job<ReplayMissedPayload>('replay-missed', 'upkeep')

/** Ends the waiting deliveries of a disabled endpoint that the first statement left over. */
export const stopDeliveriesJob = job<EndpointRef>('stop-deliveries', 'upkeep')
