import Type from 'typebox'
import { longestCursor } from '../../kernel/cursors.ts'
import type { EventType } from '../../kernel/events.ts'
import {
  cursorOf,
  type DeliveryId,
  deliveryStatuses,
  type EndpointId,
  longestOverlapSeconds,
  mostPatterns,
  sampleEvent,
  usualOverlapSeconds,
  webhookOperations,
} from '../../modules/webhooks/index.ts'
import { mostUrlCharacters } from '../../platform/outbound/public-urls.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  List,
  Maybe,
  ModeField,
  means,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { webhookRoutes as routes } from '../routes/webhooks.ts'
import { sampleCountry } from '../shared/contract-words.ts'
import { RedeliveredView, RedeliverFailedBody, toRedelivered } from '../shared/redelivered.ts'
import { NewRetryConfig, planFrom } from '../shared/retry-config.ts'
import { eventNames } from './events.ts'
import { DeliveryView, LoggedDeliveryView, toDelivery, toLogged } from './webhook-delivery-view.ts'
import { EndpointView, NewEndpointView, toEndpoint } from './webhook-endpoint-view.ts'
import { eventHere, webhookFormat } from './webhook-format.ts'

const Url = Type.String({
  format: 'single-line',
  minLength: 1,
  maxLength: mostUrlCharacters,
  description: 'Address that events are sent to: `https://`, with a host name of the public internet.',
})
const Patterns = Type.Array(Text(1, 100), {
  minItems: 1,
  maxItems: mostPatterns,
  description: 'What to subscribe to: event types, families such as `invoice.*`, or `*` for everything.',
})

const withoutSecret = <V extends { secret?: string }>({ secret: _, ...view }: V) => ({
  ...view,
  secretAlreadyShown: true,
})

export const EventView = Named('Event', {
  id: means('Unique identifier of the event (UUIDv7).', Uuid),
  type: means('Type of the event, such as `invoice.created`.', Type.String()),
  version: means('Version of the event type, from 1. It grows when the form of the payload changes.', Type.Integer()),
  mode: means('Mode that it happened in. Null if it concerns the organisation as a whole.', Maybe(ModeField)),
  scope: means(
    'Whether it happened in one mode (`mode`) or to the organisation as a whole (`organization`).',
    OneOf('mode', 'organization'),
  ),
  organizationId: means('Unique identifier of the organisation that it happened in.', Uuid),
  createdAt: means('When the event happened.', Instant),
  data: means(
    'Payload of the event and version of the object.',
    Fields({
      object: means('Payload of the event. Its fields depend on the type.', Type.Record(Type.String(), Type.Unknown())),
      objectVersion: Type.Optional(
        Type.Integer({
          description: 'Grows with every change of the object. Drop an event that is older than what you have.',
        }),
      ),
    }),
  ),
  cursor: Type.String({ description: 'Position of the event. Send it as `after` to read the events that follow.' }),
  payload: Type.Optional(
    means(
      'Exact body, as text, that an endpoint of the requested `format` receives. Null if the format does not have the type. Only if you sent `format`.',
      Maybe(Type.String()),
    ),
  ),
})

const toEvent = (event: webhookOperations.ReadEvent) => ({
  ...eventHere(event),
  cursor: cursorOf(event),
  ...(event.payload === undefined ? {} : { payload: event.payload }),
})
/** Shorter than the time limit of a request. */
const longestWaitSeconds = 25

const sampleHere = (type: EventType) =>
  JSON.parse(webhookFormat.bodyOf(sampleEvent(type, sampleCountry), 'sandbox')) as Record<string, unknown>

const EndpointById = Fields({ id: means('Unique identifier of the endpoint.', Uuid) })
const EventById = Fields({ id: means('Unique identifier of the event.', Uuid) })
const DeliveryById = Fields({ id: means('Unique identifier of the delivery.', Uuid) })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as EndpointId })
const ofEndpoint = { status: 200, params: EndpointById, reply: EndpointView, encode: toEndpoint } as const
const TypeQuery = Type.Optional(
  means('Return only those of this event type, or of a family such as `invoice.*`.', Text(1, 100)),
)
const instantOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

export const webhooks = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(EndpointView),
    decode: ({ query }) => ({ page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toEndpoint),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    body: Fields({
      url: Url,
      description: Type.Optional(means('Your own description of the endpoint.', Maybe(Prose(0, 200)))),
      events: Patterns,
      retryConfig: Type.Optional(
        means('When a failed delivery is attempted again. The defaults if you leave it out.', NewRetryConfig),
      ),
    }),
    reply: NewEndpointView,
    decode: ({ body }) => ({
      format: webhookFormat.name,
      url: body.url,
      description: body.description ?? null,
      patterns: body.events,
      plan: planFrom(body.retryConfig ?? null),
    }),
    encode: ({ secret, ...made }) => ({ ...toEndpoint(made), secret }),
    withoutSecret,
    location: ({ id }) => `/n/v1/webhook-endpoints/${id}`,
  }),
  get: describeRoute(routes.get, { ...ofEndpoint, decode: idOf }),
  update: describeRoute(routes.update, {
    ...ofEndpoint,
    body: Fields({
      url: Type.Optional(Url),
      description: Type.Optional(
        means('New description of the endpoint. Send null to remove it.', Maybe(Prose(0, 200))),
      ),
      events: Type.Optional(Patterns),
      enabled: Type.Optional(means('Set to `false` to stop sending and to `true` to start again.', Type.Boolean())),
      replayMissed: Type.Optional(
        Type.Boolean({
          description: 'With `enabled: true`: also send the events that happened while the endpoint was disabled.',
        }),
      ),
      retryConfig: Type.Optional(
        means('When a failed delivery is attempted again. Send null for the defaults.', Maybe(NewRetryConfig)),
      ),
      upgradeVersions: Type.Optional(
        Type.Boolean({ description: 'Set to `true` to receive the latest version of every event type.' }),
      ),
    }),
    decode: ({ params, body: { events, retryConfig, ...edit } }) => ({
      id: params.id as EndpointId,
      edit: { ...edit, patterns: events, plan: retryConfig === undefined ? undefined : planFrom(retryConfig) },
    }),
  }),
  delete: describeRoute(routes.delete, {
    status: 200,
    params: EndpointById,
    reply: Fields({ id: means('Unique identifier of the endpoint that was deleted.', Uuid) }),
    decode: idOf,
    encode: ({ id }) => ({ id }),
  }),
  rotateSecret: describeRoute(routes.rotateSecret, {
    status: 200,
    params: EndpointById,
    body: Fields({
      overlapSeconds: Type.Optional(
        means(
          'Seconds during which requests are signed with the old secret too. 0 ends the old secret at once.',
          Type.Integer({ minimum: 0, maximum: longestOverlapSeconds, default: usualOverlapSeconds }),
        ),
      ),
    }),
    reply: NewEndpointView,
    decode: ({ params, body }) => ({ id: params.id as EndpointId, overlapSeconds: body.overlapSeconds }),
    encode: ({ secret, ...rotated }) => ({ ...toEndpoint(rotated), secret }),
    withoutSecret,
  }),
  test: describeRoute(routes.test, {
    status: 202,
    params: EndpointById,
    body: Fields({
      type: Type.Optional(means('Event type to send a sample of. A ping is sent if you leave it out.', Text(1, 100))),
    }),
    reply: LoggedDeliveryView,
    decode: ({ params, body }) => ({ id: params.id as EndpointId, type: body.type }),
    encode: toLogged,
  }),
  listTypes: describeRoute(routes.listTypes, {
    status: 200,
    reply: List(
      Fields({
        type: means('Name of the event type, such as `invoice.created`.', Type.String()),
        description: Type.String({ description: 'When the event is emitted, and what its payload holds.' }),
        version: means('Latest version of the event type, from 1.', Type.Integer()),
        family: means('First part of the name, such as `invoice`.', Type.String()),
        scope: means(
          'Whether it happens in one mode (`mode`) or to the organisation as a whole (`organization`).',
          OneOf('mode', 'organization'),
        ),
        status: means('Always `available`. A type that is to be removed will be announced here.', OneOf('available')),
        capability: means('Capability that is needed to receive events of the type.', Type.String()),
        subscribable: means(
          'True if endpoints can subscribe to the type. Pings are sent on request only.',
          Type.Boolean(),
        ),
        formBName: means(
          'Name of the type for endpoints that were created in Form B. Null if Form B does not have it.',
          Maybe(Type.String()),
        ),
        sample: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Body that an endpoint receives, with made-up data.',
        }),
      }),
    ),
    decode: () => undefined,
    encode: (entries) =>
      entries.map(({ type, description, version, family, scope, status, capability, subscribable, names }) => ({
        type: eventNames[type],
        description,
        version,
        family,
        scope: scope === 'mode' ? ('mode' as const) : ('organization' as const),
        status,
        capability,
        subscribable,
        formBName: names.b ?? null,
        sample: sampleHere(type),
      })),
    pagination: (entries) => ({ page: 1, limit: entries.length, total: entries.length }),
  }),
  listEvents: describeRoute(routes.listEvents, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      type: TypeQuery,
      from: Type.Optional(means('Return only events at or after this time.', Instant)),
      to: Type.Optional(means('Return only events before this time.', Instant)),
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: longestCursor,
          format: 'single-line',
          description:
            '`start`, or the `cursor` of an event: the events after it, in an order that never changes. `total` then says how many are left, up to 1,000. Or the `nextCursor` of a page: the next page, in the order of that page.',
        }),
      ),
      wait: Type.Optional(
        means(
          'Seconds to wait if there is no event after `after`. The reply comes with the first event, or empty once the time is over.',
          Type.Integer({ minimum: 0, maximum: longestWaitSeconds, default: 0 }),
        ),
      ),
      format: Type.Optional(
        means(
          'Format of webhooks, such as `a` for that of Form A. Each event then has the `payload` that an endpoint of this format receives.',
          Text(1, 20),
        ),
      ),
    }),
    reply: List(EventView),
    decode: ({ query }) => ({
      waitSeconds: query.wait,
      format: query.format,
      type: query.type,
      from: instantOf(query.from),
      to: instantOf(query.to),
      after: query.after,
      page: pageFrom({ page: query.page, limit: query.limit }),
    }),
    encode: ({ rows }) => rows.map(toEvent),
    pagination: (page) => page,
    waits: {
      waitMs: ({ waitSeconds }) => (waitSeconds ?? 0) * 1_000,
      isEmpty: ({ rows }) => rows.length === 0,
      concerns: webhookOperations.mayConcern,
    },
  }),
  getEvent: describeRoute(routes.getEvent, {
    status: 200,
    params: EventById,
    reply: EventView,
    decode: ({ params }) => ({ id: params.id }),
    encode: toEvent,
  }),
  redeliverEvent: describeRoute(routes.redeliverEvent, {
    status: 202,
    params: EventById,
    body: Fields({ endpointId: means('Unique identifier of the endpoint to send the event to.', Uuid) }),
    reply: LoggedDeliveryView,
    decode: ({ params, body }) => ({ eventId: params.id, endpointId: body.endpointId as EndpointId }),
    encode: toLogged,
  }),
  listDeliveries: describeRoute(routes.listDeliveries, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      endpointId: Type.Optional(means('Return only deliveries to this endpoint.', Uuid)),
      eventId: Type.Optional(means('Return only deliveries of this event.', Uuid)),
      status: Type.Optional(
        means(
          'Return only deliveries with this status. `Delivery.status` explains the values.',
          OneOf(...deliveryStatuses),
        ),
      ),
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
  getDelivery: describeRoute(routes.getDelivery, {
    status: 200,
    params: DeliveryById,
    reply: LoggedDeliveryView,
    decode: ({ params }) => ({ id: params.id as DeliveryId }),
    encode: toLogged,
  }),
  redeliver: describeRoute(routes.redeliver, {
    status: 202,
    params: DeliveryById,
    reply: LoggedDeliveryView,
    decode: ({ params }) => ({ id: params.id as DeliveryId }),
    encode: toLogged,
  }),
  redeliverFailed: describeRoute(routes.redeliverFailed, {
    status: 202,
    params: EndpointById,
    body: RedeliverFailedBody,
    reply: RedeliveredView,
    decode: ({ params, body }) => ({ endpointId: params.id as EndpointId, since: new Date(body.since) }),
    encode: toRedelivered,
  }),
  listOfEndpoint: elsewhere,
}
