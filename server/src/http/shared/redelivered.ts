import Type from 'typebox'
import type { RedeliverResult } from '../../modules/webhooks/index.ts'
import { Fields, Instant, means, Uuid } from '../definitions/fields.ts'

export const RedeliverFailedBody = Fields({
  since: means('Send deliveries of events from this time on again. It cannot be in the future.', Instant),
})

export const RedeliveredView = Fields({
  id: means('Unique identifier of the endpoint.', Uuid),
  since: means('The time that you gave.', Instant),
  count: Type.Integer({ description: 'Number of deliveries that are sent again.' }),
  hasMore: Type.Boolean({
    description: 'True if more deliveries failed than one call sends. Call again later for the rest.',
  }),
})

export const toRedelivered = ({ endpointId, since, count, hasMore }: RedeliverResult) => ({
  id: endpointId,
  since: since.toISOString(),
  count,
  hasMore,
})
