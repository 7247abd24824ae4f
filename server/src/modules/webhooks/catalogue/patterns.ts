import type { Capability } from '../../../kernel/capabilities.ts'
import { type EventType, eventTypes } from '../../../kernel/events.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import type { WebhookFormat } from './format.ts'

export const mostPatterns = 100

/** Pings are sent on request only. */
const onlyOnDemand: readonly EventType[] = ['webhook_endpoint.pinged']

export const subscribableTypes: readonly EventType[] = (Object.keys(eventTypes) as EventType[]).filter(
  (type) => !onlyOnDemand.includes(type),
)

/** `*`, `prefix.*` or one name. */
export function matches(pattern: string, name: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

/** Each pattern must match at least one type that can be subscribed to. */
export function patternFaults(patterns: readonly string[], format: WebhookFormat): Fault[] {
  const typeNames = subscribableTypes.map((type) => format.nameOf(type)).filter((name) => name !== null)
  const names = [...typeNames, ...(format.furtherNames ?? [])]
  return patterns.flatMap((pattern, at) =>
    names.some((name) => matches(pattern, name))
      ? []
      : [
          {
            path: `events[${at}]`,
            rule: 'pattern',
            message: 'must be an event type, a prefix followed by `.*`, or `*`',
          },
        ],
  )
}

/** Types that match the patterns, without regard to capabilities. */
export const typesMeant = (patterns: readonly string[], format: WebhookFormat): EventType[] =>
  subscribableTypes.filter((type) => {
    const name = format.nameOf(type)
    return name !== null && patterns.some((pattern) => matches(pattern, name))
  })

interface Subscription {
  readonly patterns: readonly string[]
  readonly capabilities: readonly Capability[]
}

/** Types that match the patterns and that the endpoint's snapshot of capabilities allows. */
export function typesDelivered({ patterns, capabilities }: Subscription, format: WebhookFormat): Set<EventType> {
  const held = new Set(capabilities)
  return new Set(typesMeant(patterns, format).filter((type) => held.has(eventTypes[type].capability)))
}
