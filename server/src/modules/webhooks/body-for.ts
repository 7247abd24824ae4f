import type { Capability } from '../../kernel/capabilities.ts'
import { readableData } from '../../kernel/events.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { OutgoingEvent } from '../../platform/events/event-feed.store.ts'
import type { Dialect } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'

/** Body of an event, limited to the fields that the capabilities allow. */
export const bodyAsRead = (
  dialect: Dialect,
  mode: Mode,
  held: ReadonlySet<Capability>,
  event: OutgoingEvent,
  isTest = false,
): string => dialect.bodyOf({ ...event, data: readableData(event.type, event.data, held), isTest }, mode)

/** Body of an event for one endpoint, limited to what its snapshot of capabilities allows. */
export const bodyFor = (endpoint: Endpoint, dialect: Dialect, event: OutgoingEvent, isTest = false): string =>
  bodyAsRead(dialect, endpoint.mode, new Set(endpoint.capabilities), event, isTest)
