import type { TokenCaller } from '../../../kernel/callers.ts'
import { eventTypes } from '../../../kernel/events.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { findInFeed } from '../../../platform/events/event-feed.store.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { feedBeginning } from '../catalogue/feed.ts'
import { type Endpoint, type EndpointId, isEntitledTo } from '../endpoints/endpoint.ts'
import { findEndpoint } from '../endpoints/endpoints.store.ts'
import {
  findBody,
  findDelivery,
  insertManualDelivery,
  insertQueued,
  lockDelivery,
  saveRequeued,
} from './deliveries.store.ts'
import { type Delivery, type DeliveryId, deliveryIdOf, isOpen, mostAttempts, payloadFor } from './delivery.ts'
import { mayReadDelivery, typesFor } from './read-webhooks.ts'

/**
 * Refuses if the stored bytes hold fields that the endpoint's snapshot does not allow: a person with fewer capabilities
 * may have chosen its address.
 */
async function requireEntitled(
  { tx, caller }: Inside<TokenCaller>,
  { capabilities }: Endpoint,
  { id, type, isTest }: Delivery,
): Promise<void> {
  if (!capabilities.includes(eventTypes[type].capability)) throw refuse('webhook.not_entitled')
  const body = await findBody(tx, caller.tenant, id)
  if (!isEntitledTo(capabilities, { type, isTest, body })) throw refuse('webhook.not_entitled')
}

async function requeue(context: Inside<TokenCaller>, endpoint: Endpoint, delivery: Delivery): Promise<Delivery> {
  const { tx, caller, now, wake } = context
  const { tenant } = caller
  await requireEntitled(context, endpoint, delivery)
  if (isOpen(delivery)) throw refuse('webhook.delivery_open')
  if (delivery.attempts >= mostAttempts) throw refuse('webhook.too_many_attempts')
  await saveRequeued(tx, tenant, delivery.id, now)
  await insertQueued(tx, tenant, delivery.endpointId, delivery.id)
  wake('webhooks')
  return (await findDelivery(tx, tenant, delivery.id)) as Delivery
}

/** Sends the stored bytes again to the endpoint as it is now. The log keeps earlier attempts. */
export const redeliver = operation(
  {
    time: 'real',
    needs: ['webhook.delivery.redeliver'],
    refuses: [
      'resource.not_found',
      'webhook.delivery_open',
      'webhook.endpoint_deleted',
      'webhook.too_many_attempts',
      'webhook.not_entitled',
    ],
  },
  async (context: Inside<TokenCaller>, { id }: { id: DeliveryId }): Promise<Delivery> => {
    const { tx, caller } = context
    const delivery = await lockDelivery(tx, caller.tenant, id)
    if (!delivery || !mayReadDelivery(caller.capabilities, delivery)) throw refuse('resource.not_found')
    const endpoint = await findEndpoint(tx, caller.tenant, delivery.endpointId)
    if (!endpoint || endpoint.deletedAt) throw refuse('webhook.endpoint_deleted')
    return await requeue(context, endpoint, delivery)
  },
)

/** Also for an endpoint that is disabled or does not subscribe to the type. */
export const redeliverEvent = operation(
  {
    time: 'real',
    needs: ['webhook.delivery.redeliver'],
    refuses: [
      'resource.not_found',
      'webhook.delivery_open',
      'webhook.not_entitled',
      'webhook.type_not_told',
      'webhook.too_many_attempts',
    ],
  },
  async (
    context: Inside<TokenCaller>,
    { eventId, endpointId }: { eventId: string; endpointId: EndpointId },
  ): Promise<Delivery> => {
    const { tx, caller, now, ports, wake } = context
    const { tenant } = caller
    const filter = { types: typesFor(caller.capabilities), from: feedBeginning(now) }
    const event = await findInFeed(tx, tenant, filter, eventId)
    const endpoint = await findEndpoint(tx, tenant, endpointId)
    if (!event || !endpoint || endpoint.deletedAt) throw refuse('resource.not_found')
    if (!endpoint.capabilities.includes(eventTypes[event.type].capability)) throw refuse('webhook.not_entitled')
    const format = ports.webhookFormats.of(endpoint.format)
    if (format.nameOf(event.type) === null) throw refuse('webhook.type_not_told')
    const id = deliveryIdOf(eventId, endpointId)
    const body = payloadFor(endpoint, format, event)
    const made = { id, endpointId, eventId, type: event.type, body, isTest: false }
    if (!(await insertManualDelivery(tx, tenant, made, now)))
      return await requeue(context, endpoint, (await lockDelivery(tx, tenant, id)) as Delivery)
    await insertQueued(tx, tenant, endpointId, id)
    wake('webhooks')
    return (await findDelivery(tx, tenant, id)) as Delivery
  },
)
