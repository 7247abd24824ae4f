import Type from 'typebox'
import { longestCursor } from '../../kernel/cursors.ts'
import type { EventType } from '../../kernel/events.ts'
import {
  attemptErrors,
  cursorOf,
  type Delivery,
  type DeliveryId,
  deliveryStatuses,
  type EndpointId,
  longestOverlapSeconds,
  mostPatterns,
  sampleEvent,
  usualOverlapSeconds,
} from '../../modules/webhooks/index.ts'
import type { FedEvent } from '../../platform/events/told-events.store.ts'
import { mostUrlCharacters } from '../../platform/outbound/outbound-http.ts'
import { RedeliveredView, RedeliverFailedBody, toRedelivered } from '../both/redelivered.ts'
import { NewRetryConfig, planFrom } from '../both/retry-config.ts'
import { webhookEndpoints as endpoints } from '../endpoints/webhooks.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  ModeField,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import { eventNames } from './events.ts'
import { toldHere, webhookDialect } from './webhook-dialect.ts'
import { EndpointView, NewEndpointView, toEndpoint } from './webhook-endpoint-view.ts'

const Url = Type.String({
  format: 'single-line',
  minLength: 1,
  maxLength: mostUrlCharacters,
  description: 'HTTPS, of the public internet',
})
const Patterns = Type.Array(Text(1, 100), {
  minItems: 1,
  maxItems: mostPatterns,
  description: 'event types, `prefix.*` or `*`',
})

const withoutSecret = <V extends { secret?: string }>({ secret: _, ...view }: V) => ({
  ...view,
  secretAlreadyShown: true,
})

export const EventView = Named('Event', {
  id: Uuid,
  type: Type.String(),
  version: Type.Integer(),
  mode: Maybe(ModeField),
  scope: OneOf('mode', 'organization'),
  organizationId: Uuid,
  createdAt: Instant,
  data: Fields({
    object: Type.Record(Type.String(), Type.Unknown()),
    objectVersion: Type.Optional(
      Type.Integer({ description: 'a later change of the object has a higher one; drop what is older than you have' }),
    ),
  }),
  cursor: Type.String({ description: 'give it as `after` to read what comes next' }),
})

const toEvent = (event: FedEvent) => ({ ...toldHere(event), cursor: cursorOf(event) })

const attemptFields = {
  number: Type.Integer(),
  at: Instant,
  latencyMs: Maybe(Type.Integer()),
  statusCode: Maybe(Type.Integer()),
  error: Maybe(OneOf(...attemptErrors)),
  response: Maybe(Type.String({ description: 'the first kibibyte of the answer' })),
}
const deliveryFields = {
  id: Uuid,
  endpointId: Uuid,
  eventId: Uuid,
  type: Type.String(),
  status: OneOf(...deliveryStatuses),
  test: Type.Boolean(),
  attemptCount: Type.Integer(),
  lastStatusCode: Maybe(Type.Integer()),
  failureReason: Maybe(Type.String()),
  nextAttemptAt: Maybe(Instant),
  createdAt: Instant,
  completedAt: Maybe(Instant),
}
const DeliveryView = Named('Delivery', deliveryFields)
const LoggedDeliveryView = Named('LoggedDelivery', {
  ...deliveryFields,
  attempts: List(Named('DeliveryAttempt', attemptFields)),
})

const toDelivery = (delivery: Delivery) => ({
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
/** Ended attempts as they were logged, and the one that is under way. */
const toLogged = (delivery: Delivery) => ({
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

const sampleHere = (type: EventType) =>
  JSON.parse(webhookDialect.bodyOf(sampleEvent(type), 'sandbox')) as Record<string, unknown>

const ById = Fields({ id: Uuid })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as EndpointId })
const ofEndpoint = { status: 200, params: ById, reply: EndpointView, encode: toEndpoint } as const
const TypeQuery = Type.Optional(Text(1, 100))
const instantOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

export const webhooks = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(EndpointView),
    decode: ({ query }) => ({ page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toEndpoint),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    body: Fields({
      url: Url,
      description: Type.Optional(Maybe(Prose(0, 200))),
      events: Patterns,
      retryConfig: Type.Optional(NewRetryConfig),
    }),
    reply: NewEndpointView,
    decode: ({ body }) => ({
      dialect: 'a' as const,
      url: body.url,
      description: body.description ?? null,
      patterns: body.events,
      plan: planFrom(body.retryConfig ?? null),
    }),
    encode: ({ secret, ...made }) => ({ ...toEndpoint(made), secret }),
    withoutSecret,
    location: ({ id }) => `/n/v1/webhook-endpoints/${id}`,
  }),
  get: speak(endpoints.get, { ...ofEndpoint, decode: idOf }),
  update: speak(endpoints.update, {
    ...ofEndpoint,
    body: Fields({
      url: Type.Optional(Url),
      description: Type.Optional(Maybe(Prose(0, 200))),
      events: Type.Optional(Patterns),
      enabled: Type.Optional(Type.Boolean()),
      replayMissed: Type.Optional(
        Type.Boolean({ description: 'with `enabled: true`: deliver what happened while it was disabled' }),
      ),
      retryConfig: Type.Optional(Maybe(NewRetryConfig)),
      upgradeVersions: Type.Optional(Type.Boolean({ description: 'move to the latest version of every event type' })),
    }),
    decode: ({ params, body: { events, retryConfig, ...edit } }) => ({
      id: params.id as EndpointId,
      edit: { ...edit, patterns: events, plan: retryConfig === undefined ? undefined : planFrom(retryConfig) },
    }),
  }),
  delete: speak(endpoints.delete, {
    status: 200,
    params: ById,
    reply: Fields({ id: Uuid }),
    decode: idOf,
    encode: ({ id }) => ({ id }),
  }),
  rotateSecret: speak(endpoints.rotateSecret, {
    status: 200,
    params: ById,
    body: Fields({
      overlapSeconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: longestOverlapSeconds, default: usualOverlapSeconds }),
      ),
    }),
    reply: NewEndpointView,
    decode: ({ params, body }) => ({ id: params.id as EndpointId, overlapSeconds: body.overlapSeconds }),
    encode: ({ secret, ...rotated }) => ({ ...toEndpoint(rotated), secret }),
    withoutSecret,
  }),
  test: speak(endpoints.test, {
    status: 202,
    params: ById,
    body: Fields({ type: Type.Optional(Text(1, 100)) }),
    reply: LoggedDeliveryView,
    decode: ({ params, body }) => ({ id: params.id as EndpointId, type: body.type }),
    encode: toLogged,
  }),
  listTypes: speak(endpoints.listTypes, {
    status: 200,
    reply: List(
      Fields({
        type: Type.String(),
        description: Type.String({ description: 'When it is emitted, and what its payload holds.' }),
        version: Type.Integer(),
        family: Type.String(),
        scope: OneOf('mode', 'organization'),
        status: OneOf('available'),
        capability: Type.String(),
        subscribable: Type.Boolean(),
        formBName: Maybe(Type.String({ description: 'what endpoints that were made in Form B know it as' })),
        sample: Type.Record(Type.String(), Type.Unknown(), {
          description: 'what an endpoint is sent, with made-up data',
        }),
      }),
    ),
    decode: () => undefined,
    encode: (entries) =>
      entries.map(({ type, description, version, family, scope, status, capability, subscribable, nameInB }) => ({
        type: eventNames[type],
        description,
        version,
        family,
        scope: scope === 'mode' ? ('mode' as const) : ('organization' as const),
        status,
        capability,
        subscribable,
        formBName: nameInB,
        sample: sampleHere(type),
      })),
    pagination: (entries) => ({ page: 1, limit: entries.length, total: entries.length }),
  }),
  listEvents: speak(endpoints.listEvents, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      type: TypeQuery,
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: longestCursor,
          format: 'single-line',
          description:
            '`start`, or the `cursor` of an event: the events after it, in an order that never changes. `total` then says how many are left, up to 1000. Or the `nextCursor` of a page: the next page, in the order of that page.',
        }),
      ),
    }),
    reply: List(EventView),
    decode: ({ query }) => ({
      type: query.type,
      from: instantOf(query.from),
      to: instantOf(query.to),
      after: query.after,
      page: pageFrom({ page: query.page, limit: query.limit }),
    }),
    encode: ({ rows }) => rows.map(toEvent),
    pagination: (page) => page,
  }),
  getEvent: speak(endpoints.getEvent, {
    status: 200,
    params: ById,
    reply: EventView,
    decode: ({ params }) => ({ id: params.id }),
    encode: toEvent,
  }),
  redeliverEvent: speak(endpoints.redeliverEvent, {
    status: 202,
    params: ById,
    body: Fields({ endpointId: Uuid }),
    reply: LoggedDeliveryView,
    decode: ({ params, body }) => ({ eventId: params.id, endpointId: body.endpointId as EndpointId }),
    encode: toLogged,
  }),
  listDeliveries: speak(endpoints.listDeliveries, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      endpointId: Type.Optional(Uuid),
      eventId: Type.Optional(Uuid),
      status: Type.Optional(OneOf(...deliveryStatuses)),
      type: TypeQuery,
    }),
    reply: List(DeliveryView),
    decode: ({ query }) => ({
      endpointId: query.endpointId as EndpointId | undefined,
      eventId: query.eventId,
      status: query.status,
      type: query.type,
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toDelivery),
    pagination: (page) => page,
  }),
  getDelivery: speak(endpoints.getDelivery, {
    status: 200,
    params: ById,
    reply: LoggedDeliveryView,
    decode: ({ params }) => ({ id: params.id as DeliveryId }),
    encode: toLogged,
  }),
  redeliver: speak(endpoints.redeliver, {
    status: 202,
    params: ById,
    reply: LoggedDeliveryView,
    decode: ({ params }) => ({ id: params.id as DeliveryId }),
    encode: toLogged,
  }),
  redeliverFailed: speak(endpoints.redeliverFailed, {
    status: 202,
    params: ById,
    body: RedeliverFailedBody,
    reply: RedeliveredView,
    decode: ({ params, body }) => ({ endpointId: params.id as EndpointId, since: new Date(body.since) }),
    encode: toRedelivered,
  }),
  listOfEndpoint: elsewhere,
}
