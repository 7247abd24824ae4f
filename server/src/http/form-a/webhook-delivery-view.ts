import Type from 'typebox'
import { attemptErrors, type Delivery, deliveryStatuses } from '../../modules/webhooks/index.ts'
import { Instant, isoOrNull, List, Maybe, means, Named, OneOf, Uuid } from '../definitions/fields.ts'
import { meaningOf } from '../shared/value-meanings.ts'
import { eventNames } from './events.ts'

const attemptFields = {
  number: means('Number of the attempt, from 1.', Type.Integer()),
  at: means('When the attempt was sent.', Instant),
  latencyMs: means(
    'Milliseconds until the reply was complete. Null while the attempt is under way.',
    Maybe(Type.Integer()),
  ),
  statusCode: means('HTTP status of the reply. Null if there was none.', Maybe(Type.Integer())),
  error: means(
    'Why the attempt failed. `status`: the HTTP status was not 2xx. `connection_failed`: no connection. `timeout`: no reply in time. `broken_answer`: a broken reply. `interrupted`: our process stopped. Null if it succeeded.',
    Maybe(OneOf(...attemptErrors)),
  ),
  response: means('First 1,024 bytes of the reply. Null if there was none.', Maybe(Type.String())),
  requestHeaders: Type.Optional(
    means(
      'Headers of the request, including the signature. The service calculates them again with the current secrets, so the signature differs if you have replaced the secret since. Only in the reply about one delivery, and only for attempts that have ended.',
      Type.Record(Type.String(), Type.String()),
    ),
  ),
}
const deliveryFields = {
  id: means('Unique identifier of the delivery (UUIDv7).', Uuid),
  endpointId: means('Unique identifier of the endpoint.', Uuid),
  eventId: means('Unique identifier of the event.', Uuid),
  type: means('Type of the event, such as `invoice.created`.', Type.String()),
  status: means(meaningOf.deliveryStatuses, OneOf(...deliveryStatuses)),
  test: means('True if the payload is made up to try the endpoint.', Type.Boolean()),
  attemptCount: means('Number of attempts so far.', Type.Integer()),
  lastStatusCode: means('HTTP status of the last reply. Null if there was none.', Maybe(Type.Integer())),
  failureReason: means(
    'Why the delivery has the status `failed`, such as `attempts_exhausted`. Null for other statuses.',
    Maybe(Type.String()),
  ),
  nextAttemptAt: means('When the next attempt is due. Null if none is.', Maybe(Instant)),
  createdAt: means('When the delivery was created.', Instant),
  completedAt: means('When the delivery ended, delivered or failed. Null until it does.', Maybe(Instant)),
}
export const DeliveryView = Named('Delivery', deliveryFields)
export const LoggedDeliveryView = Named('LoggedDelivery', {
  ...deliveryFields,
  attempts: means('Every attempt, oldest first.', List(Named('DeliveryAttempt', attemptFields))),
})

export const toDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  endpointId: delivery.endpointId,
  eventId: delivery.eventId,
  type: eventNames[delivery.type],
  status: delivery.status,
  test: delivery.isTest,
  attemptCount: delivery.attempts,
  lastStatusCode: delivery.log.at(-1)?.statusCode ?? null,
  failureReason: delivery.reason,
  nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
  createdAt: delivery.createdAt.toISOString(),
  completedAt: isoOrNull(delivery.closedAt),
})
/** Logged attempts and the one under way. */
export const toLogged = (delivery: Delivery) => ({
  ...toDelivery(delivery),
  attempts: [
    ...delivery.log,
    ...(delivery.status === 'delivering' && delivery.begunAt
      ? [
          {
            number: delivery.attempts,
            at: delivery.begunAt.toISOString(),
            latencyMs: null,
            statusCode: null,
            error: null,
            response: null,
          },
        ]
      : []),
  ],
})
