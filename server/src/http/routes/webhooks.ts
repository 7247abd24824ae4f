import { webhookOperations } from '../../modules/webhooks/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const endpoints = '/n/v1/webhook-endpoints'
const events = '/n/v1/webhook-events'
const deliveries = '/n/v1/webhook-deliveries'

const newestFirst = 'Deliveries of the newest events come first. `total` counts at most 1,000 beyond the page.'

export const webhookRoutes = {
  list: defineRoute('GET', endpoints, 'token', webhookOperations.listWebhookEndpoints, {
    summary: 'List webhook endpoints of your mode',
  }),
  create: defineRoute('POST', endpoints, 'user', webhookOperations.createEndpoint, {
    summary: 'Create a webhook endpoint',
    description:
      'The endpoint belongs to the mode of your session. It receives only events that you may read. The reply has its secret, which is never shown again.',
  }),
  get: defineRoute('GET', `${endpoints}/{id}`, 'token', webhookOperations.getEndpoint, {
    summary: 'Get a webhook endpoint',
  }),
  update: defineRoute('PATCH', `${endpoints}/{id}`, 'user', webhookOperations.updateEndpoint, {
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'After you change the address or the events, the endpoint receives only events that you may read. Disabling fails the deliveries that wait. Enabling resets the failures; with `replayMissed` it also sends the events that were missed.',
  }),
  delete: defineRoute('DELETE', `${endpoints}/{id}`, 'user', webhookOperations.deleteEndpoint, {
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries that wait fail with `endpoint_disabled`. All its deliveries stay readable.',
  }),
  rotateSecret: defineRoute('POST', `${endpoints}/{id}/rotate-secret`, 'user', webhookOperations.rotateSecret, {
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'Only this reply has the new secret. During the overlap every request is signed with both secrets. Rotating again ends the oldest secret at once.',
  }),
  test: defineRoute('POST', `${endpoints}/{id}/test`, 'token', webhookOperations.testEndpoint, {
    summary: 'Send a test to a webhook endpoint',
    description:
      'Sends a ping, or a sample of an event type, marked with `test: true`. It is attempted once and is free.',
  }),
  listTypes: defineRoute('GET', '/n/v1/webhook-event-types', 'token', webhookOperations.listEventTypes, {
    summary: 'List event types',
  }),
  listEvents: defineRoute('GET', events, 'token', webhookOperations.listWebhookEvents, {
    summary: 'List events of the last 30 days',
    description:
      'Newest first; `total` counts at most 1,000 beyond the page. To miss none, follow the events with `after`: send `start` or the `cursor` of the last event that you have. They then come oldest first. With `wait` the request waits for the next event if you have all.',
  }),
  getEvent: defineRoute('GET', `${events}/{id}`, 'token', webhookOperations.getWebhookEvent, {
    summary: 'Get an event',
  }),
  redeliverEvent: defineRoute('POST', `${events}/{id}/redeliver`, 'token', webhookOperations.redeliverEvent, {
    summary: 'Send an event to an endpoint',
    description:
      'Works also if the endpoint is disabled or does not subscribe to the type. The event is attempted once.',
  }),
  listDeliveries: defineRoute('GET', deliveries, 'token', webhookOperations.listWebhookDeliveries, {
    summary: 'List deliveries',
    description: newestFirst,
  }),
  getDelivery: defineRoute('GET', `${deliveries}/{id}`, 'token', webhookOperations.getDelivery, {
    summary: 'Get a delivery with its attempts',
  }),
  redeliver: defineRoute('POST', `${deliveries}/{id}/redeliver`, 'token', webhookOperations.redeliver, {
    summary: 'Send a delivery again',
    description: 'Sends the same bytes, to the current address and with the current secret. It is attempted once.',
  }),
  redeliverFailed: defineRoute(
    'POST',
    `${endpoints}/{id}/redeliver-failed`,
    'token',
    webhookOperations.redeliverFailed,
    {
      summary: 'Send all failed deliveries of an endpoint again',
      description:
        'Sends all failed deliveries of events since a time, oldest first, with the retries of the endpoint. They keep their identifiers and their bytes. The reply has their number; they are sent in the background. Tests and events that you may not read are left out. One call sends at most 50,000 deliveries. If `hasMore` is true, call again later.',
    },
  ),
  listOfEndpoint: defineRoute(
    'GET',
    '/a/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries',
    'token',
    webhookOperations.listEndpointDeliveries,
    { summary: 'List deliveries to a webhook', description: newestFirst },
  ),
}
