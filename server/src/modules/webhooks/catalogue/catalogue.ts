import type { Capability } from '../../../kernel/capabilities.ts'
import { eventDescriptions } from '../../../kernel/event-descriptions.ts'
import { type EventType, eventTypes } from '../../../kernel/events.ts'
import { subscribableTypes } from './patterns.ts'

export interface CatalogueEntry {
  readonly type: EventType
  readonly description: string
  /** Version of the payload. */
  readonly version: number
  /** First part of the name, for grouping on a page. */
  readonly family: string
  /** Whether it happens in one mode or to the organisation as a whole. */
  readonly scope: 'mode' | 'organisation'
  /** All types are available. A type that is to be removed will be marked here first. */
  readonly status: 'available'
  readonly capability: Capability
  /** False for pings, which are sent on request only. */
  readonly subscribable: boolean
}

/** Every event type, as shown to callers. */
export const catalogue: readonly CatalogueEntry[] = (Object.keys(eventTypes) as EventType[]).map((type) => {
  const { version, scope, capability } = eventTypes[type]
  return {
    type,
    description: eventDescriptions[type],
    version,
    family: type.split('.')[0] as string,
    scope,
    status: 'available',
    capability,
    subscribable: subscribableTypes.includes(type),
  }
})
