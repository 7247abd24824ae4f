/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export {
  getDelivery,
  getEndpoint,
  getWebhookEvent,
  listEndpointDeliveries,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookEndpoints,
  listWebhookEvents,
  mayConcern,
  type ReadEvent,
} from './deliveries/read-webhooks.ts'
export { redeliver, redeliverEvent } from './deliveries/redeliver.ts'
export { redeliverFailed } from './deliveries/redeliver-failed.ts'
export { testEndpoint } from './deliveries/test-endpoint.ts'
export { deleteEndpoint, updateEndpoint } from './endpoints/change-endpoint.ts'
export { createEndpoint } from './endpoints/create-endpoint.ts'
export { rotateSecret } from './endpoints/rotate-secret.ts'
