import type { Caller } from '../../../kernel/callers.ts'
import type { EndpointPayload } from '../../../kernel/event-payloads.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../../kernel/events.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Endpoint } from './endpoint.ts'

/** An address may contain a secret of the receiver, so that events show only the host. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

export const endpointPayload = ({ id, url, patterns }: Pick<Endpoint, 'id' | 'url' | 'patterns'>): EndpointPayload => ({
  endpointId: id,
  host: hostOf(url),
  events: patterns,
})

export function emitEndpointEvent<Type extends EventOf<'webhook_endpoint'>>(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: Type,
  endpoint: Endpoint,
  ...further: MorePayload<Type, EndpointPayload>
): void {
  const { organisationId, mode, id } = endpoint
  emit<EventOf<'webhook_endpoint'>>(
    type,
    { organisationId, mode, objectId: id },
    payloadOf<Type, EndpointPayload>(endpointPayload(endpoint), further),
  )
}
