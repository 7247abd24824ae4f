import Type from 'typebox'
import { eventDescriptions } from '../../kernel/event-descriptions.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import { sampleEvent } from '../../modules/webhooks/index.ts'
import { Instant, Maybe, ModeField, means, named, OneOf, Uuid } from '../definitions/fields.ts'
import type { Form } from '../definitions/form.ts'
import { sampleCountry } from '../shared/contract-words.ts'
import { eventPayloads } from '../shared/event-schemas.ts'
import { eventNames } from './events.ts'
import { webhookFormat } from './webhook-format.ts'

const Envelope = named(
  'EventEnvelope',
  Type.Object({
    id: means('Unique identifier of the event, the same at every attempt.', Uuid),
    type: Type.String({ description: 'The type of the event.' }),
    version: Type.Integer({ description: 'Version of the payload of this type.' }),
    mode: means('The mode that it happened in. Null if it concerns the organisation as a whole.', Maybe(ModeField)),
    scope: means(
      'Whether it happened in one mode (`mode`) or to the organisation as a whole (`organization`).',
      OneOf('mode', 'organization'),
    ),
    organizationId: means('The organisation that it happened in.', Uuid),
    createdAt: means('When the event happened.', Instant),
    test: Type.Optional(Type.Boolean({ description: 'True if it is a test with made-up data.' })),
    data: Type.Object(
      {
        object: Type.Object({}, { description: 'The payload of the type.' }),
        objectVersion: Type.Optional(
          Type.Integer({
            description: 'Grows with every change of the object. Drop an event that is older than what you have.',
          }),
        ),
      },
      { description: 'The payload, and the version of the object that it describes.' },
    ),
  }),
)

const bodyOf = (type: EventType) =>
  Type.Intersect([
    Envelope,
    Type.Object({
      type: OneOf(eventNames[type]),
      data: Type.Object({ object: eventPayloads[type] }),
    }),
  ])

/** Requests that this form sends to endpoints. The examples come from its own encoder, so that they match real ones. */
export const publishedWebhooks: NonNullable<Form['webhooks']> = {
  format: webhookFormat,
  headers: {
    'Risiti-Signature':
      '`t=<unix>,v1=<hex>`: HMAC-SHA256 of `t.body`, in hex. The key is the whole secret as text, `whsec_` included. During a rotation there are two `v1`; accept either.',
    'webhook-id': 'Unique identifier of the event, the same at every attempt.',
    'webhook-timestamp': 'Unix time of this attempt, in seconds.',
    'webhook-signature':
      '`v1,<base64>`: HMAC-SHA256 of `webhook-id.webhook-timestamp.body`, in base64, as Standard Webhooks defines it. The key is the bytes that you get by base64-decoding the secret without `whsec_`. During a rotation there are two, separated by a space.',
  },
  requests: (Object.keys(eventTypes) as EventType[]).map((type) => ({
    name: eventNames[type],
    description: eventDescriptions[type],
    body: bodyOf(type),
    example: JSON.parse(webhookFormat.bodyOf(sampleEvent(type, sampleCountry), 'sandbox')) as object,
  })),
}
