import type { Tenant } from '../../kernel/tenant.ts'
import { job } from '../../platform/work/jobs.ts'
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

/** What happened while an endpoint was disabled is delivered after all. */
export const replayMissedJob = job<Missed>('replay-missed', 'upkeep')

/** Many deliveries may wait for an endpoint that is disabled: those that one statement does not stop are stopped by this. */
export const stopDeliveriesJob = job<EndpointRef>('stop-deliveries', 'upkeep')
