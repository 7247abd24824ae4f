import type { Capability } from './capabilities.ts'

/**
 * The core name of everything that the outside may be told of, with the capability that a listener must hold.
 * A form of the API may give an event another name at its edge.
 */
export const eventTypes = {
  'organization.created': { capability: 'organization.read' },
  'member.joined': { capability: 'member.read' },
  'api_key.created': { capability: 'api_key.read' },
} as const satisfies Record<string, { capability: Capability }>

export type EventType = keyof typeof eventTypes
