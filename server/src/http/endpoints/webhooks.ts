import {
  createEndpoint,
  deleteEndpoint,
  getDelivery,
  getEndpoint,
  getWebhookEvent,
  listEndpointDeliveries,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookEndpoints,
  listWebhookEvents,
  redeliver,
  redeliverEvent,
  redeliverFailed,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '../../modules/webhooks/index.ts'
import { endpoint } from '../endpoint.ts'

const endpoints = '/n/v1/webhook-endpoints'
const events = '/n/v1/webhook-events'
const deliveries = '/n/v1/webhook-deliveries'

const newestFirst = 'Those of the newest events first. `total` is counted up to a thousand beyond the page.'

export const webhookEndpoints = {
  list: endpoint('GET', endpoints, 'both', listWebhookEndpoints, {
    summary: 'Webhook endpoints of your mode, without their secrets',
  }),
  create: endpoint('POST', endpoints, 'user', createEndpoint, {
    summary: 'Create a webhook endpoint',
    description:
      'It belongs to the mode of your session and is told of what you may read, no more. Its secret is in this answer and can never be retrieved again.',
  }),
  get: endpoint('GET', `${endpoints}/{id}`, 'both', getEndpoint, { summary: 'A webhook endpoint' }),
  update: endpoint('PATCH', `${endpoints}/{id}`, 'user', updateEndpoint, {
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'Whoever changes the address or the events answers for what goes there: from then on it is told of what they may read. Disabling fails what waits for it; enabling clears its failures, and with `replayMissed` delivers what happened meanwhile.',
  }),
  delete: endpoint('DELETE', `${endpoints}/{id}`, 'user', deleteEndpoint, {
    summary: 'Delete a webhook endpoint',
    description: 'What waits for it fails with `endpoint_disabled`. Its deliveries stay readable.',
  }),
  rotateSecret: endpoint('POST', `${endpoints}/{id}/rotate-secret`, 'user', rotateSecret, {
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'The new one is in this answer only. During the overlap every request is signed with both; rotating again ends the older one at once.',
  }),
  test: endpoint('POST', `${endpoints}/{id}/test`, 'both', testEndpoint, {
    summary: 'Send a test to a webhook endpoint',
    description: 'A ping, or a sample of a type, marked with `test: true`. It is attempted once and costs nothing.',
  }),
  listTypes: endpoint('GET', '/n/v1/webhook-event-types', 'both', listEventTypes, {
    summary: 'Every type of event, and which of them you can subscribe to',
  }),
  listEvents: endpoint('GET', events, 'both', listWebhookEvents, {
    summary: 'Events of the last 30 days',
    description:
      'The newest first; `total` is counted up to a thousand beyond the page. With `after` in the order in which they can be followed: give the `cursor` of the last event that you have, or `start`, and you miss none.',
  }),
  getEvent: endpoint('GET', `${events}/{id}`, 'both', getWebhookEvent, { summary: 'An event' }),
  redeliverEvent: endpoint('POST', `${events}/{id}/redeliver`, 'both', redeliverEvent, {
    summary: 'Deliver an event to an endpoint',
    description: 'Also to one that is disabled or has not subscribed to it. It is attempted once.',
  }),
  listDeliveries: endpoint('GET', deliveries, 'both', listWebhookDeliveries, {
    summary: 'Deliveries',
    description: newestFirst,
  }),
  getDelivery: endpoint('GET', `${deliveries}/{id}`, 'both', getDelivery, {
    summary: 'A delivery with the log of its attempts',
  }),
  redeliver: endpoint('POST', `${deliveries}/{id}/redeliver`, 'both', redeliver, {
    summary: 'Deliver again',
    description: 'The same bytes to the address and with the secret of today. One more attempt, once.',
  }),
  redeliverFailed: endpoint('POST', `${endpoints}/{id}/redeliver-failed`, 'both', redeliverFailed, {
    summary: 'Send all failed deliveries of an endpoint again',
    description:
      'All failed deliveries of events since a time, the oldest first, by the retry plan of the endpoint. They keep their ids and their bytes. The reply says how many; sending goes on in the background. Tests are not sent again, nor are events that you may not read. One call sends at most 50,000; if `hasMore` is true, call again later.',
  }),
  listOfEndpoint: endpoint(
    'GET',
    '/a/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries',
    'both',
    listEndpointDeliveries,
    { summary: 'Deliveries to a webhook', description: newestFirst },
  ),
}
