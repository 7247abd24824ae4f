import type { Capability } from '../../kernel/capabilities.ts'
import { readableData } from '../../kernel/events.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { EventToTell } from '../../platform/events/told-events.store.ts'
import type { Dialect } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'

/** What is told of an event to whoever reads so much of it. */
export const bodyAsRead = (
  dialect: Dialect,
  mode: Mode,
  held: ReadonlySet<Capability>,
  event: EventToTell,
  isTest = false,
): string => dialect.bodyOf({ ...event, data: readableData(event.type, event.data, held), isTest }, mode)

/** What is told of an event to one endpoint: no more than its snapshot reads. */
export const bodyFor = (endpoint: Endpoint, dialect: Dialect, event: EventToTell, isTest = false): string =>
  bodyAsRead(dialect, endpoint.mode, new Set(endpoint.capabilities), event, isTest)
