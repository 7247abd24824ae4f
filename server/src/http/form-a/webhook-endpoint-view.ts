import Type from 'typebox'
import { disabledCauses, type Endpoint, typesDelivered, typesMeant } from '../../modules/webhooks/index.ts'
import { RetryConfig, retryConfigOf } from '../both/retry-config.ts'
import { Instant, isoOrNull, List, Maybe, ModeField, Named, OneOf, Uuid } from '../fields.ts'
import { eventNames } from './events.ts'
import { webhookDialect } from './webhook-dialect.ts'

const endpointFields = {
  id: Uuid,
  url: Type.String(),
  description: Maybe(Type.String()),
  events: List(Type.String()),
  enabled: Type.Boolean(),
  status: OneOf('enabled', 'disabled'),
  disabledCause: Maybe(OneOf(...disabledCauses)),
  disabledAt: Maybe(Instant),
  mode: ModeField,
  format: OneOf('A', 'B'),
  suppressedTypes: Type.Array(Type.String(), {
    description: 'asked for, but not delivered: whoever last chose the address or the events may not read of them',
  }),
  eventVersions: Type.Integer({ description: 'the highest version of event types that it is sent' }),
  retryConfig: RetryConfig,
  failuresInARow: Type.Integer({ description: 'How many deliveries have failed since the last one that succeeded.' }),
  failingSince: Maybe(
    Type.String({
      format: 'date-time',
      description: 'When the first of the failures in a row was. Null if the last delivery succeeded.',
    }),
  ),
  previousSecretUntil: Maybe(Instant),
  createdBy: Maybe(Uuid),
  createdAt: Instant,
  updatedAt: Instant,
}
export const EndpointView = Named('WebhookEndpoint', endpointFields)
export const NewEndpointView = Named('WebhookEndpointWithSecret', {
  ...endpointFields,
  secret: Type.Optional(Type.String()),
  secretAlreadyShown: Type.Optional(Type.Boolean()),
})

function suppressed(endpoint: Endpoint): string[] {
  // Of those that were made in the other form, names are not known here.
  if (endpoint.dialect !== 'a') return []
  const delivered = typesDelivered(endpoint, webhookDialect)
  return typesMeant(endpoint.patterns, webhookDialect)
    .filter((type) => !delivered.has(type))
    .map((type) => eventNames[type])
}

export const toEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: [...endpoint.patterns],
  enabled: endpoint.disabledAt === null,
  status: endpoint.disabledAt === null ? ('enabled' as const) : ('disabled' as const),
  disabledCause: endpoint.disabledCause,
  disabledAt: isoOrNull(endpoint.disabledAt),
  mode: endpoint.mode,
  format: endpoint.dialect === 'a' ? ('A' as const) : ('B' as const),
  suppressedTypes: suppressed(endpoint),
  eventVersions: endpoint.eventVersions,
  retryConfig: retryConfigOf(endpoint),
  failuresInARow: endpoint.failuresInRow,
  failingSince: isoOrNull(endpoint.failingSince),
  previousSecretUntil: isoOrNull(endpoint.previousSecretUntil),
  createdBy: endpoint.createdBy,
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.updatedAt.toISOString(),
})
