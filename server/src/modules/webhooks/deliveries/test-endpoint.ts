import type { TokenCaller } from '../../../kernel/callers.ts'
import { type EventType, eventTypes } from '../../../kernel/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { sampleData, samples } from '../catalogue/samples.ts'
import type { EndpointId } from '../endpoints/endpoint.ts'
import { emitEndpointEvent, endpointPayload } from '../endpoints/endpoint-events.ts'
import { findEndpoint } from '../endpoints/endpoints.store.ts'
import { findDelivery, insertManualDelivery, insertQueued } from './deliveries.store.ts'
import { type Delivery, type DeliveryId, deliveryIdOf, payloadFor } from './delivery.ts'

const ping: EventType = 'webhook_endpoint.pinged'

const isType = (name: string): name is EventType => Object.hasOwn(eventTypes, name)

/** Works also for a disabled endpoint. Attempted once, and the result does not count as success or failure. */
export const testEndpoint = operation(
  {
    time: 'real',
    needs: ['webhook.endpoint.test'],
    refuses: ['resource.not_found', 'request.invalid', 'auth.capability_missing', 'webhook.type_not_told'],
  },
  async (
    context: Inside<TokenCaller>,
    { id, type = ping }: { id: EndpointId; type?: string | undefined },
  ): Promise<Delivery> => {
    const { tx, caller, now, ports, wake } = context
    const { tenant } = caller
    if (!isType(type))
      throw invalid([{ path: 'type', rule: 'enum', message: 'must be an event type; see webhook-event-types' }])
    const { capability, version, scope } = eventTypes[type]
    if (type !== ping && !caller.capabilities.has(capability))
      throw refuse('auth.capability_missing', {
        details: [{ path: 'type', rule: 'capability', message: `needs ${capability}` }],
      })
    const endpoint = await findEndpoint(tx, tenant, id)
    if (!endpoint || endpoint.deletedAt) throw refuse('resource.not_found')
    const format = ports.webhookFormats.of(endpoint.format)
    if (format.nameOf(type) === null) throw refuse('webhook.type_not_told')
    emitEndpointEvent(context, ping, endpoint, { type })
    const eventId: string = newId()
    const event = {
      organisationId: tenant.organisationId,
      id: eventId,
      type,
      version,
      mode: scope === 'mode' ? tenant.mode : null,
      objectVersion: samples[type].objectVersion,
      data:
        type === ping
          ? { ...endpointPayload(endpoint), type }
          : sampleData(type, ports.jurisdictions.of(caller.country)),
      createdAt: now,
    }
    const deliveryId: DeliveryId = deliveryIdOf(eventId, id)
    // A sample shows every field, because its data is made up.
    const body = payloadFor({ ...endpoint, capabilities: [...caller.capabilities] }, format, event, true)
    await insertManualDelivery(tx, tenant, { id: deliveryId, endpointId: id, eventId, type, body, isTest: true }, now)
    await insertQueued(tx, tenant, id, deliveryId)
    wake('webhooks')
    return (await findDelivery(tx, tenant, deliveryId)) as Delivery
  },
)
