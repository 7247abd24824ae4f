export { background } from './background.ts'
export { cursorOf } from './catalogue/feed.ts'
export type { FormatName, WebhookEvent, WebhookFormat } from './catalogue/format.ts'
export { mostPatterns, typesDelivered, typesMeant } from './catalogue/patterns.ts'
export { sampleEvent } from './catalogue/samples.ts'
export { attemptErrors, type Delivery, type DeliveryId, deliveryStatuses } from './deliveries/delivery.ts'

export type { RedeliverResult } from './deliveries/redeliver-failed.ts'

export { type Callback, callbackAt, callbackFaults, requireRoomForCallback } from './endpoints/callbacks.ts'

export { disabledCauses, type Endpoint, type EndpointId } from './endpoints/endpoint.ts'
export { listEndpointsOf } from './endpoints/endpoints.store.ts'
export { planBounds, type RetryPlan, usualPlan } from './endpoints/retry-plan.ts'
export { longestOverlapSeconds, usualOverlapSeconds } from './endpoints/rotate-secret.ts'
export { plainSignature, standardSignature, timestampedSignature } from './endpoints/signatures.ts'
export * as webhookOperations from './operations.ts'
export type { WebhookHttp } from './sending/http-port.ts'
