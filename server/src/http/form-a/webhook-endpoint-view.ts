import Type from 'typebox'
import { disabledCauses, type Endpoint, typesDelivered, typesMeant } from '../../modules/webhooks/index.ts'
import { Instant, isoOrNull, List, Maybe, ModeField, means, Named, OneOf, Uuid } from '../definitions/fields.ts'
import { RetryConfig, retryConfigOf } from '../shared/retry-config.ts'
import { meaningOf } from '../shared/value-meanings.ts'
import { eventNames } from './events.ts'
import { webhookFormat } from './webhook-format.ts'

const endpointFields = {
  id: means('Unique identifier of the endpoint (UUIDv7).', Uuid),
  url: means('Address that events are sent to.', Type.String()),
  description: means('Your own description of the endpoint. Null if there is none.', Maybe(Type.String())),
  events: means('Event types and patterns that the endpoint subscribes to.', List(Type.String())),
  enabled: means('True if events are sent to the endpoint.', Type.Boolean()),
  status: means('The same as `enabled`, as a word: `enabled` or `disabled`.', OneOf('enabled', 'disabled')),
  disabledCause: means(
    `Why it is disabled: ${meaningOf.disabledCauses}. Null if enabled.`,
    Maybe(OneOf(...disabledCauses)),
  ),
  disabledAt: means('When the endpoint was disabled. Null if it is enabled.', Maybe(Instant)),
  mode: means('Mode whose events are sent to the endpoint.', ModeField),
  format: means(
    'Shape of the payloads: that of Form A (`A`) or of Form B (`B`). The form that created the endpoint decides.',
    OneOf('A', 'B'),
  ),
  suppressedTypes: Type.Array(Type.String(), {
    description:
      'Event types that the endpoint subscribes to and that are not sent, because the person who last set it up cannot read them.',
  }),
  eventVersions: Type.Integer({
    description: 'Highest version of event types that is sent. `upgradeVersions` raises it.',
  }),
  retryConfig: means('When a failed delivery to the endpoint is attempted again.', RetryConfig),
  failuresInARow: Type.Integer({
    description: 'Number of deliveries that have failed since the last one that succeeded.',
  }),
  failingSince: means(
    'When the first of the failures in a row was. Null if the last delivery succeeded.',
    Maybe(Instant),
  ),
  previousSecretUntil: means(
    'Until when requests are signed with the old secret too. Null unless a rotation is under way.',
    Maybe(Instant),
  ),
  createdBy: means('Unique identifier of the person who created the endpoint. Null if Risiti did.', Maybe(Uuid)),
  createdAt: means('When the endpoint was created.', Instant),
  updatedAt: means('When the endpoint last changed.', Instant),
}
export const EndpointView = Named('WebhookEndpoint', endpointFields)
export const NewEndpointView = Named('WebhookEndpointWithSecret', {
  ...endpointFields,
  secret: Type.Optional(
    means(
      'Secret that requests are signed with, shown only in this reply. Absent if the request was a repeat.',
      Type.String(),
    ),
  ),
  secretAlreadyShown: Type.Optional(
    means(
      'True if the request was a repeat with the same Idempotency-Key, so that the secret is left out.',
      Type.Boolean(),
    ),
  ),
})

function suppressed(endpoint: Endpoint): string[] {
  // Patterns of the other form use names that this form does not know.
  if (endpoint.format !== 'a') return []
  const delivered = typesDelivered(endpoint, webhookFormat)
  return typesMeant(endpoint.patterns, webhookFormat)
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
  format: endpoint.format === 'a' ? ('A' as const) : ('B' as const),
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
