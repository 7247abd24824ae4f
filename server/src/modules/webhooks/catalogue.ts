import type { Capability } from '../../kernel/capabilities.ts'
import { eventDescriptions } from '../../kernel/event-descriptions.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'

export interface CatalogueEntry {
  readonly type: EventType
  readonly description: string
  /** of the payload's form */
  readonly version: number
  /** what it is about, for grouping on a page */
  readonly family: string
  /** whether it happens in one mode, or to the organisation as a whole */
  readonly scope: 'mode' | 'organisation'
  /** all there are can be had; one that goes will be called so a while before */
  readonly status: 'available'
  readonly capability: Capability
  /** a ping is sent to the one endpoint that was asked for; nobody else can have it */
  readonly subscribable: boolean
}

const onlyOnDemand: readonly EventType[] = ['webhook_endpoint.pinged']

/** Every type of event, as a listener sees it. */
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
    subscribable: !onlyOnDemand.includes(type),
  }
})

export const subscribableTypes: readonly EventType[] = catalogue
  .filter(({ subscribable }) => subscribable)
  .map(({ type }) => type)
