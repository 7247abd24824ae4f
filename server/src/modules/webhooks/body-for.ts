import { readableData } from '../../kernel/events.ts'
import type { EventToTell } from '../../platform/events/told-events.store.ts'
import type { Dialect } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'

/** What is told of an event to one endpoint: no more than its snapshot reads. */
export function bodyFor(endpoint: Endpoint, dialect: Dialect, event: EventToTell, isTest = false): string {
  const data = readableData(event.type, event.data, new Set(endpoint.capabilities))
  return dialect.bodyOf({ ...event, data, isTest }, endpoint.mode)
}
