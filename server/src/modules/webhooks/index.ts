export { background } from './background.ts'
export { cursorOf } from './catalogue/feed.ts'
export type { FormatName, WebhookEvent, WebhookFormat } from './catalogue/format.ts'
export { mostPatterns, typesDelivered, typesMeant } from './catalogue/patterns.ts'
export { sampleEvent } from './catalogue/samples.ts'
export { attemptErrors, type Delivery, type DeliveryId, deliveryStatuses } from './deliveries/delivery.ts'
export {
  getDelivery,
  getEndpoint,
  getWebhookEvent,
  listEndpointDeliveries,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookEndpoints,
  listWebhookEvents,
} from './deliveries/read-webhooks.ts'
export { redeliver, redeliverEvent } from './deliveries/redeliver.ts'
export { type RedeliverResult, redeliverFailed } from './deliveries/redeliver-failed.ts'
export { testEndpoint } from './deliveries/test-endpoint.ts'
export { type Callback, callbackAt, callbackFaults, requireRoomForCallback } from './endpoints/callbacks.ts'
export { deleteEndpoint, updateEndpoint } from './endpoints/change-endpoint.ts'
export { createEndpoint } from './endpoints/create-endpoint.ts'
export { disabledCauses, type Endpoint, type EndpointId } from './endpoints/endpoint.ts'
export { listEndpointsOf } from './endpoints/endpoints.store.ts'
export { planBounds, type RetryPlan, usualPlan } from './endpoints/retry-plan.ts'
export { longestOverlapSeconds, rotateSecret, usualOverlapSeconds } from './endpoints/rotate-secret.ts'
export { plainSignature, standardSignature, timestampedSignature } from './endpoints/signatures.ts'
export type { WebhookHttp } from './sending/http-port.ts'
