import Type from 'typebox'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import { sampleEvent } from '../../modules/webhooks/index.ts'
import { eventPayloads } from '../both/event-payloads.ts'
import { Instant, Maybe, ModeField, named, OneOf, Uuid } from '../fields.ts'
import type { Form } from '../form.ts'
import { eventNames } from './events.ts'
import { webhookDialect } from './webhook-dialect.ts'

const Envelope = named(
  'EventEnvelope',
  Type.Object({
    id: Uuid,
    type: Type.String(),
    version: Type.Integer(),
    mode: Maybe(ModeField),
    scope: OneOf('mode', 'organization'),
    organizationId: Uuid,
    createdAt: Instant,
    test: Type.Optional(Type.Boolean({ description: 'made up, to try the endpoint with' })),
    data: Type.Object({
      object: Type.Object({}, { description: 'what it tells of' }),
      objectVersion: Type.Optional(
        Type.Integer({
          description: 'a later change of the object has a higher one; drop what is older than you have',
        }),
      ),
    }),
  }),
)

const bodyOf = (type: EventType) =>
  Type.Intersect([
    Envelope,
    Type.Object({ type: OneOf(eventNames[type]), data: Type.Object({ object: eventPayloads[type] }) }),
  ])

/** What this form sends to receivers; the examples are what its own encoder makes of samples. */
export const toldWebhooks: NonNullable<Form['webhooks']> = {
  headers: {
    'Risiti-Signature':
      '`t=<unix>,v1=<hex>`: HMAC-SHA256 of `t.body` under the whole secret; any of several `v1` may match',
    'webhook-id': 'the id of the event, the same at every attempt',
    'webhook-timestamp': 'Unix seconds of this attempt',
    'webhook-signature': '`v1,<base64>`, as Standard Webhooks has it; several are apart by a space',
  },
  requests: (Object.keys(eventTypes) as EventType[]).map((type) => ({
    name: eventNames[type],
    body: bodyOf(type),
    example: JSON.parse(webhookDialect.bodyOf(sampleEvent(type), 'sandbox')) as object,
  })),
}
