import Type, { type TObject, type TSchema } from 'typebox'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import { sampleEvent } from '../../modules/webhooks/index.ts'
import { eventPayloads } from '../both/event-payloads.ts'
import { Instant, ModeField, named, OneOf, Uuid } from '../fields.ts'
import type { Form } from '../form.ts'
import { eventNames } from './events.ts'
import { fieldNames, webhookDialect } from './webhook-dialect.ts'

const objectVersion = Type.Optional(
  Type.Integer({ description: 'a later change of the object has a higher one; drop what is older than you have' }),
)

const renamed = ({ properties, ...about }: TObject): TSchema =>
  Type.Object(
    {
      ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [fieldNames[name] ?? name, schema])),
      objectVersion,
    },
    'named' in about ? { named: about.named } : {},
  )

const Envelope = named(
  'EventEnvelope',
  Type.Object({
    id: Uuid,
    type: Type.String(),
    environment: ModeField,
    timestamp: Instant,
    test: Type.Optional(Type.Boolean({ description: 'made up, to try the webhook with' })),
    data: Type.Object({}),
  }),
)

function dataOf(type: EventType): TSchema {
  const schema: TSchema = eventPayloads[type]
  return 'anyOf' in schema ? Type.Union((schema.anyOf as TObject[]).map(renamed)) : renamed(schema as TObject)
}

/** What this form sends to receivers; the examples are what its own encoder makes of samples. */
export const toldWebhooks: NonNullable<Form['webhooks']> = {
  headers: {
    'X-Webhook-Signature':
      '`sha256=<hex>`: HMAC-SHA256 under the secret of `timestamp.` and the JSON text of `data` alone',
    'X-Webhook-Signature-Previous': 'the same under the secret before, while a rotation lasts',
    'X-Webhook-Timestamp': 'Unix seconds of this attempt; refuse what is more than 300 seconds from now',
    'X-Webhook-Event': 'the type',
    'X-Webhook-ID': 'the id of the event, the same at every attempt',
    'X-Webhook-Delivery-Attempt': 'the number of this attempt, from 1',
  },
  requests: (Object.keys(eventTypes) as EventType[]).flatMap((type) => {
    const name = eventNames[type]
    if (name === null) return []
    const body = Type.Intersect([Envelope, Type.Object({ type: OneOf(name), data: dataOf(type) })])
    return [{ name, body, example: JSON.parse(webhookDialect.bodyOf(sampleEvent(type), 'sandbox')) as object }]
  }),
}
