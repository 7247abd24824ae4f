import type { Capability } from '../../../kernel/capabilities.ts'
import { readableData } from '../../../kernel/events.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import type { OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import type { WebhookFormat } from '../catalogue/format.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** Body of an event, limited to the fields that the capabilities allow. */
export const payloadAsRead = (
  format: WebhookFormat,
  mode: Mode,
  held: ReadonlySet<Capability>,
  event: OutgoingEvent,
  isTest = false,
): string => format.bodyOf({ ...event, data: readableData(event.type, event.data, held), isTest }, mode)

/** Body of an event for one endpoint, limited to what its snapshot of capabilities allows. */
export const payloadFor = (endpoint: Endpoint, format: WebhookFormat, event: OutgoingEvent, isTest = false): string =>
  payloadAsRead(format, endpoint.mode, new Set(endpoint.capabilities), event, isTest)
