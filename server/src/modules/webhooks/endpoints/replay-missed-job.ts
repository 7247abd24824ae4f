import { job } from '../../../platform/jobs/jobs.ts'
import type { Cursor } from '../catalogue/feed.ts'
import type { EndpointRef } from './endpoint.ts'

export interface ReplayMissedPayload extends EndpointRef {
  readonly from: string
  /** Progress of the job. */
  readonly after?: Cursor
}

/** Sends the events that happened while an endpoint was disabled. */
export const replayMissedJob = job<ReplayMissedPayload>('replay-missed', 'upkeep')
