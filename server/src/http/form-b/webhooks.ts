import Type from 'typebox'
import {
  type Delivery,
  type DeliveryId,
  deliveryStatuses,
  disabledCauses,
  type Endpoint,
  type EndpointId,
  mostPatterns,
} from '../../modules/webhooks/index.ts'
import { mostUrlCharacters } from '../../platform/outbound/outbound-http.ts'
import { OrgParams } from '../both/members.ts'
import { RedeliveredView, RedeliverFailedBody, toRedelivered } from '../both/redelivered.ts'
import { NewRetryConfig, planFrom, RetryConfig, retryConfigOf } from '../both/retry-config.ts'
import { webhookEndpoints as endpoints } from '../endpoints/webhooks.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  Named,
  OneOf,
  OrgId,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import { eventNames } from './events.ts'
import { ModeName, modeNames } from './mode-names.ts'

const webhooksPath = '/a/v1/organizations/{orgId}/webhooks'

const webhookFields = {
  id: Uuid,
  url: Type.String(),
  events: List(Type.String()),
  description: Maybe(Type.String()),
  environment: ModeName,
  isActive: Type.Boolean(),
  disabledCause: Maybe(OneOf(...disabledCauses)),
  retryConfig: RetryConfig,
  createdAt: Instant,
  updatedAt: Instant,
}
const WebhookView = Named('Webhook', webhookFields)
const NewWebhookView = Named('WebhookWithSecret', {
  ...webhookFields,
  secret: Type.Optional(Type.String()),
  secretAlreadyShown: Type.Optional(Type.Boolean()),
})

const toWebhook = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: [...endpoint.patterns],
  description: endpoint.description,
  environment: modeNames[endpoint.mode],
  isActive: endpoint.disabledAt === null,
  disabledCause: endpoint.disabledCause,
  retryConfig: retryConfigOf(endpoint),
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.updatedAt.toISOString(),
})

const DeliveryView = Named('Delivery', {
  id: Uuid,
  webhookId: Uuid,
  eventId: Uuid,
  event: Maybe(Type.String()),
  status: OneOf(...deliveryStatuses),
  test: Type.Boolean(),
  attempts: Type.Integer(),
  responseStatus: Maybe(Type.Integer()),
  responseBody: Maybe(Type.String()),
  error: Maybe(Type.String()),
  nextRetryAt: Maybe(Instant),
  createdAt: Instant,
  completedAt: Maybe(Instant),
})

function toDelivery(delivery: Delivery) {
  const last = delivery.log.at(-1)
  return {
    id: delivery.id,
    webhookId: delivery.endpointId,
    eventId: delivery.eventId,
    event: eventNames[delivery.type],
    status: delivery.status,
    test: delivery.isTest,
    attempts: delivery.attempts,
    responseStatus: last?.statusCode ?? null,
    responseBody: last?.response ?? null,
    error: delivery.reason ?? last?.error ?? null,
    nextRetryAt: isoOrNull(delivery.nextAttemptAt),
    createdAt: delivery.createdAt.toISOString(),
    completedAt: isoOrNull(delivery.closedAt),
  }
}

const ById = Fields({ orgId: OrgId, id: Uuid })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as EndpointId })
const ofWebhook = {
  path: `${webhooksPath}/{id}`,
  status: 200,
  params: ById,
  reply: WebhookView,
  encode: toWebhook,
} as const
const Url = Type.String({
  format: 'single-line',
  minLength: 1,
  maxLength: mostUrlCharacters,
  description: 'HTTPS, of the public internet',
})
const Events = Type.Array(Text(1, 100), {
  minItems: 1,
  maxItems: mostPatterns,
  description: 'event types, `prefix.*` or `*`',
})

export const webhooks = {
  list: speak(endpoints.list, {
    path: webhooksPath,
    status: 200,
    params: OrgParams,
    query: Fields(PageQuery()),
    reply: List(WebhookView),
    decode: ({ query }) => ({ page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toWebhook),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    path: webhooksPath,
    status: 201,
    params: OrgParams,
    body: Fields({
      url: Url,
      events: Events,
      description: Type.Optional(Maybe(Prose(0, 200))),
      retryConfig: Type.Optional(NewRetryConfig),
    }),
    reply: NewWebhookView,
    decode: ({ body }) => ({
      dialect: 'b' as const,
      url: body.url,
      description: body.description ?? null,
      patterns: body.events,
      plan: planFrom(body.retryConfig ?? null),
    }),
    encode: ({ secret, ...made }) => ({ ...toWebhook(made), secret }),
    withoutSecret: ({ secret: _, ...view }) => ({ ...view, secretAlreadyShown: true }),
    location: ({ id }) => `/a/v1/organizations/me/webhooks/${id}`,
  }),
  get: speak(endpoints.get, { ...ofWebhook, decode: idOf }),
  update: speak(endpoints.update, {
    ...ofWebhook,
    body: Fields({
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(Maybe(Prose(0, 200))),
      isActive: Type.Optional(Type.Boolean()),
      replayMissed: Type.Optional(
        Type.Boolean({ description: 'with `isActive: true`: deliver what happened while it was disabled' }),
      ),
      retryConfig: Type.Optional(Maybe(NewRetryConfig)),
    }),
    decode: ({ params, body: { events, isActive, retryConfig, ...edit } }) => ({
      id: params.id as EndpointId,
      edit: {
        ...edit,
        patterns: events,
        enabled: isActive,
        plan: retryConfig === undefined ? undefined : planFrom(retryConfig),
      },
    }),
    fieldNames: { enabled: 'isActive' },
  }),
  delete: speak(endpoints.delete, {
    path: `${webhooksPath}/{id}`,
    status: 200,
    params: ById,
    reply: Fields({ id: Uuid }),
    decode: idOf,
    encode: ({ id }) => ({ id }),
  }),
  rotateSecret: elsewhere,
  test: speak(endpoints.test, {
    path: `${webhooksPath}/{id}/test`,
    status: 202,
    params: ById,
    reply: DeliveryView,
    decode: idOf,
    encode: toDelivery,
  }),
  listTypes: elsewhere,
  listEvents: elsewhere,
  getEvent: elsewhere,
  redeliverEvent: elsewhere,
  listDeliveries: elsewhere,
  getDelivery: elsewhere,
  redeliver: speak(endpoints.redeliver, {
    path: `${webhooksPath}/deliveries/{deliveryId}/retry`,
    status: 202,
    params: Fields({ orgId: OrgId, deliveryId: Uuid }),
    reply: DeliveryView,
    decode: ({ params }) => ({ id: params.deliveryId as DeliveryId }),
    encode: toDelivery,
  }),
  redeliverFailed: speak(endpoints.redeliverFailed, {
    path: `${webhooksPath}/{id}/retry-failed`,
    status: 202,
    params: ById,
    body: RedeliverFailedBody,
    reply: RedeliveredView,
    decode: ({ params, body }) => ({ endpointId: params.id as EndpointId, since: new Date(body.since) }),
    encode: toRedelivered,
  }),
  listOfEndpoint: speak(endpoints.listOfEndpoint, {
    status: 200,
    params: Fields({ orgId: OrgId, webhookId: Uuid }),
    query: Fields({ ...PageQuery(), status: Type.Optional(OneOf(...deliveryStatuses)) }),
    reply: List(DeliveryView),
    decode: ({ params, query }) => ({
      endpointId: params.webhookId as EndpointId,
      status: query.status,
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toDelivery),
    pagination: (page) => page,
  }),
}
