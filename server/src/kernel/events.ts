import type { Capability } from './capabilities.ts'

/**
 * The core name of everything that happens, with the capability that a listener must hold.
 * A form of the API may give an event another name at its edge, or none.
 */
export const eventTypes = {
  'organization.created': { capability: 'organization.read' },
  'organization.updated': { capability: 'organization.read' },
  'organization.phone_verified': { capability: 'organization.read' },
  'organization.onboarding_completed': { capability: 'organization.read' },
  'organization.credit_pool_changed': { capability: 'organization.read' },

  'member.joined': { capability: 'member.read' },
  'member.updated': { capability: 'member.read' },
  'member.removed': { capability: 'member.read' },
  'member.role_changed': { capability: 'member.read' },
  'member.status_changed': { capability: 'member.read' },
  'member.second_factor_removed': { capability: 'member.read' },

  'invitation.created': { capability: 'invitation.read' },
  'invitation.resent': { capability: 'invitation.read' },
  'invitation.withdrawn': { capability: 'invitation.read' },
  'invitation.accepted': { capability: 'invitation.read' },
  'invitation.expired': { capability: 'invitation.read' },

  'role.created': { capability: 'role.read' },
  'role.updated': { capability: 'role.read' },
  'role.deleted': { capability: 'role.read' },

  'api_key.created': { capability: 'api_key.read' },
  'api_key.updated': { capability: 'api_key.read' },
  'api_key.capabilities_changed': { capability: 'api_key.read' },
  'api_key.rotated': { capability: 'api_key.read' },
  'api_key.revoked': { capability: 'api_key.read' },
  'api_key.expired': { capability: 'api_key.read' },
} as const satisfies Record<string, { capability: Capability }>

export type EventType = keyof typeof eventTypes
