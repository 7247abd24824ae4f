export { type Callback, callbackAt, callbackFaults, requireRoomForCallback } from './callbacks.ts'
export { deleteEndpoint, updateEndpoint } from './change-endpoint.ts'
export { createEndpoint } from './create-endpoint.ts'
export { attemptErrors, type Delivery, type DeliveryId, deliveryStatuses } from './delivery.ts'
export { disabledCauses, type Endpoint, type EndpointId } from './endpoint.ts'
export { listEndpointsOf } from './endpoints.store.ts'
export { cursorOf } from './feed.ts'
export type { FormatName, WebhookEvent, WebhookFormat } from './format.ts'
export type { WebhookHttp } from './http-port.ts'
export { redeliverFailedJob, replayMissedJob, stopDeliveriesJob } from './job-payloads.ts'
export { mostPatterns, typesDelivered, typesMeant } from './patterns.ts'
export { purgeDeliveries } from './purge-deliveries.ts'
export { webhookQueue } from './queue.ts'
export { queueMetrics } from './queue-metrics.ts'
export {
  getDelivery,
  getEndpoint,
  getWebhookEvent,
  listEndpointDeliveries,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookEndpoints,
  listWebhookEvents,
} from './read-webhooks.ts'
export { redeliver, redeliverEvent } from './redeliver.ts'
export { type RedeliverResult, redeliverFailed, redeliverFurther } from './redeliver-failed.ts'
export { replayMissed } from './replay-missed.ts'
export { planBounds, type RetryPlan, usualPlan } from './retry-plan.ts'
export { longestOverlapSeconds, rotateSecret, usualOverlapSeconds } from './rotate-secret.ts'
export { sampleEvent } from './samples.ts'
export { webhookSealedColumns } from './sealed-columns.ts'
export { plainSignature, standardSignature, timestampedSignature } from './signatures.ts'
export { stopOpenDeliveries } from './stopping.store.ts'
export { testEndpoint } from './test-endpoint.ts'
