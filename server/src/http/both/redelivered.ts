import Type from 'typebox'
import type { Redelivered } from '../../modules/webhooks/index.ts'
import { Fields, Instant, means, Uuid } from '../fields.ts'

export const RedeliverFailedBody = Fields({
  since: means('Deliveries of events from this time on are sent again. Not in the future.', Instant),
})

export const RedeliveredView = Fields({
  id: means('The endpoint.', Uuid),
  since: means('The time that you gave.', Instant),
  count: Type.Integer({ description: 'How many deliveries are sent again.' }),
  hasMore: Type.Boolean({ description: 'Whether more failed than one call sends. Call again later for the rest.' }),
})

export const toRedelivered = ({ endpointId, since, count, hasMore }: Redelivered) => ({
  id: endpointId,
  since: since.toISOString(),
  count,
  hasMore,
})
