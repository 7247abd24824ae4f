import Type, { type TObject, type TSchema } from 'typebox'
import { eventDescriptions } from '../../kernel/event-descriptions.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import { sampleEvent } from '../../modules/webhooks/index.ts'
import { Instant, ModeField, means, named, OneOf, Uuid } from '../definitions/fields.ts'
import type { Form } from '../definitions/form.ts'
import { sampleCountry } from '../shared/contract-words.ts'
import { eventPayloads } from '../shared/event-schemas.ts'
import { eventNames } from './events.ts'
import { statuses } from './invoice-fields.ts'
import { fieldNames, webhookFormat } from './webhook-format.ts'

const objectVersion = Type.Optional(
  Type.Integer({
    description: 'Grows with every change of the object. Drop an event that is older than what you have.',
  }),
)

const statusOfInvoice = means(
  'Status of the invoice after the event. `Invoice.status` explains the values.',
  OneOf(...statuses),
)

const renamed = (type: EventType, { properties, ...about }: TObject): TSchema =>
  Type.Object(
    {
      ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [fieldNames[name] ?? name, schema])),
      ...(type.startsWith('invoice.') ? { status: statusOfInvoice } : {}),
      objectVersion,
    },
    'named' in about ? { named: about.named } : {},
  )

const Envelope = named(
  'EventEnvelope',
  Type.Object({
    id: means('Unique identifier of the event, the same at every attempt.', Uuid),
    type: Type.String({ description: 'The type of the event.' }),
    environment: means('The mode of the webhook.', ModeField),
    timestamp: means('When the event happened.', Instant),
    test: Type.Optional(Type.Boolean({ description: 'True if it is a test with made-up data.' })),
    data: Type.Object({}, { description: 'The payload of the type.' }),
  }),
)

function dataOf(type: EventType): TSchema {
  const schema: TSchema = eventPayloads[type]
  return 'anyOf' in schema
    ? Type.Union((schema.anyOf as TObject[]).map((one) => renamed(type, one)))
    : renamed(type, schema as TObject)
}

/** Requests that this form sends to endpoints. The examples come from its own encoder, so that they match real ones. */
export const publishedWebhooks: NonNullable<Form['webhooks']> = {
  format: webhookFormat,
  headers: {
    'X-Webhook-Signature':
      '`sha256=<hex>`: HMAC-SHA256 of the timestamp, a full stop and the JSON text of `data` alone, in hex. The key is the whole secret as text, `whsec_` included.',
    'X-Webhook-Signature-Previous': 'The same with the previous secret. Only during a rotation.',
    'X-Webhook-Timestamp':
      'Unix time of this attempt, in seconds. Refuse a request that is more than 300 seconds from now.',
    'X-Webhook-Event': 'Type of the event.',
    'X-Webhook-ID': 'Unique identifier of the event, the same at every attempt.',
    'X-Webhook-Delivery-Attempt': 'Number of this attempt, from 1.',
  },
  requests: (Object.keys(eventTypes) as EventType[]).flatMap((type) => {
    const name = eventNames[type]
    if (name === null) return []
    const body = Type.Intersect([Envelope, Type.Object({ type: OneOf(name), data: dataOf(type) })])
    return [
      {
        name,
        description: eventDescriptions[type],
        body,
        example: JSON.parse(webhookFormat.bodyOf(sampleEvent(type, sampleCountry), 'sandbox')) as object,
      },
    ]
  }),
}
