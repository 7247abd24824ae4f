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
import { mostUrlCharacters } from '../../platform/outbound/public-urls.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  OrgId,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { webhookRoutes as routes } from '../routes/webhooks.ts'
import { OrgParams } from '../shared/members.ts'
import { RedeliveredView, RedeliverFailedBody, toRedelivered } from '../shared/redelivered.ts'
import { NewRetryConfig, planFrom, RetryConfig, retryConfigOf } from '../shared/retry-config.ts'
import { meaningOf } from '../shared/value-meanings.ts'
import { eventNames } from './events.ts'
import { ModeName, modeNames } from './mode-names.ts'
import { webhookFormat } from './webhook-format.ts'

const webhooksPath = '/a/v1/organizations/{orgId}/webhooks'

const webhookFields = {
  id: means('Unique identifier of the webhook (UUIDv7).', Uuid),
  url: means('Address that events are sent to.', Type.String()),
  events: means('Event types and patterns that the webhook subscribes to.', List(Type.String())),
  description: means('Your own description of the webhook. Null if there is none.', Maybe(Type.String())),
  environment: means('Mode whose events are sent to the webhook: `sandbox` or `production`.', ModeName),
  isActive: means('True if events are sent to the webhook.', Type.Boolean()),
  disabledCause: means(
    `Why it is disabled: ${meaningOf.disabledCauses}. Null if active.`,
    Maybe(OneOf(...disabledCauses)),
  ),
  retryConfig: means('When a failed delivery to the webhook is attempted again.', RetryConfig),
  createdAt: means('When the webhook was created.', Instant),
  updatedAt: means('When the webhook last changed.', Instant),
}
const WebhookView = Named('Webhook', webhookFields)
const NewWebhookView = Named('WebhookWithSecret', {
  ...webhookFields,
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
  id: means('Unique identifier of the delivery (UUIDv7).', Uuid),
  webhookId: means('Unique identifier of the webhook.', Uuid),
  eventId: means('Unique identifier of the event.', Uuid),
  event: means(
    'Type of the event, such as `invoice.created`. Null if the type has no name in this form.',
    Maybe(Type.String()),
  ),
  status: means(meaningOf.deliveryStatuses, OneOf(...deliveryStatuses)),
  test: means('True if the payload is made up to try the webhook.', Type.Boolean()),
  attempts: means('Number of attempts so far.', Type.Integer()),
  responseStatus: means('HTTP status of the last reply. Null if there was none.', Maybe(Type.Integer())),
  responseBody: means('First 1,024 bytes of the last reply. Null if there was none.', Maybe(Type.String())),
  error: means(
    'Why the delivery or its last attempt failed, such as `timeout`. Null if nothing failed.',
    Maybe(Type.String()),
  ),
  nextRetryAt: means('When the next attempt is due. Null if none is.', Maybe(Instant)),
  createdAt: means('When the delivery was created.', Instant),
  completedAt: means('When the delivery ended, delivered or failed. Null until it does.', Maybe(Instant)),
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

const ById = Fields({ orgId: OrgId, id: means('Unique identifier of the webhook.', Uuid) })
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
  description: 'Address that events are sent to: `https://`, with a host name of the public internet.',
})
const Events = Type.Array(Text(1, 100), {
  minItems: 1,
  maxItems: mostPatterns,
  description: 'What to subscribe to: event types, families such as `invoice.*`, or `*` for everything.',
})

export const webhooks = {
  list: describeRoute(routes.list, {
    path: webhooksPath,
    status: 200,
    params: OrgParams,
    query: Fields(PageQuery()),
    reply: List(WebhookView),
    decode: ({ query }) => ({ page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toWebhook),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    path: webhooksPath,
    status: 201,
    params: OrgParams,
    body: Fields({
      url: Url,
      events: Events,
      description: Type.Optional(means('Your own description of the webhook.', Maybe(Prose(0, 200)))),
      retryConfig: Type.Optional(
        means('When a failed delivery is attempted again. The defaults if you leave it out.', NewRetryConfig),
      ),
    }),
    reply: NewWebhookView,
    decode: ({ body }) => ({
      format: webhookFormat.name,
      url: body.url,
      description: body.description ?? null,
      patterns: body.events,
      plan: planFrom(body.retryConfig ?? null),
    }),
    encode: ({ secret, ...made }) => ({ ...toWebhook(made), secret }),
    withoutSecret: ({ secret: _, ...view }) => ({ ...view, secretAlreadyShown: true }),
    location: ({ id }) => `/a/v1/organizations/me/webhooks/${id}`,
  }),
  get: describeRoute(routes.get, { ...ofWebhook, decode: idOf }),
  update: describeRoute(routes.update, {
    ...ofWebhook,
    body: Fields({
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(
        means('New description of the webhook. Send null to remove it.', Maybe(Prose(0, 200))),
      ),
      isActive: Type.Optional(means('Set to `false` to stop sending and to `true` to start again.', Type.Boolean())),
      replayMissed: Type.Optional(
        Type.Boolean({
          description: 'With `isActive: true`: also send the events that happened while the webhook was disabled.',
        }),
      ),
      retryConfig: Type.Optional(
        means('When a failed delivery is attempted again. Send null for the defaults.', Maybe(NewRetryConfig)),
      ),
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
  delete: describeRoute(routes.delete, {
    path: `${webhooksPath}/{id}`,
    status: 200,
    params: ById,
    reply: Fields({ id: means('Unique identifier of the webhook that was deleted.', Uuid) }),
    decode: idOf,
    encode: ({ id }) => ({ id }),
  }),
  rotateSecret: elsewhere,
  test: describeRoute(routes.test, {
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
  redeliver: describeRoute(routes.redeliver, {
    path: `${webhooksPath}/deliveries/{deliveryId}/retry`,
    status: 202,
    params: Fields({ orgId: OrgId, deliveryId: means('Unique identifier of the delivery.', Uuid) }),
    reply: DeliveryView,
    decode: ({ params }) => ({ id: params.deliveryId as DeliveryId }),
    encode: toDelivery,
  }),
  redeliverFailed: describeRoute(routes.redeliverFailed, {
    path: `${webhooksPath}/{id}/retry-failed`,
    status: 202,
    params: ById,
    body: RedeliverFailedBody,
    reply: RedeliveredView,
    decode: ({ params, body }) => ({ endpointId: params.id as EndpointId, since: new Date(body.since) }),
    encode: toRedelivered,
  }),
  listOfEndpoint: describeRoute(routes.listOfEndpoint, {
    status: 200,
    params: Fields({ orgId: OrgId, webhookId: means('Unique identifier of the webhook.', Uuid) }),
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(
        means(
          'Return only deliveries with this status. `Delivery.status` explains the values.',
          OneOf(...deliveryStatuses),
        ),
      ),
    }),
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
