import type { Capability } from './capabilities.ts'

interface Telling {
  /** what whoever listens, or reads of it afterwards, must hold: the right to read the object that it is about */
  readonly capability: Capability
  /** what it tells of another object beside, and what that takes */
  readonly guarded?: Readonly<Record<string, Capability>>
}

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
  'organization.child_parted': { capability: 'organization.read' },
  'organization.parted': { capability: 'organization.read' },

  'member.joined': { capability: 'member.read' },
  'member.updated': { capability: 'member.read' },
  'member.removed': { capability: 'member.read' },
  'member.role_changed': { capability: 'member.read' },
  'member.status_changed': { capability: 'member.read' },
  'member.second_factor_removed': { capability: 'member.read' },
  'member.change_asked': { capability: 'member.read' },

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

  'organization.subscription_tier_changed': { capability: 'organization.read' },

  'organization.tax_number_verified': { capability: 'organization.read' },

  'seller.created': { capability: 'seller.read' },
  'seller.updated': { capability: 'seller.read' },
  'seller.deleted': { capability: 'seller.read' },
  'seller.tax_id_verified': { capability: 'seller.read' },
  'seller.tax_id_verification_failed': { capability: 'seller.read' },

  'buyer.created': { capability: 'buyer.read' },
  'buyer.updated': { capability: 'buyer.read' },
  'buyer.deleted': { capability: 'buyer.read' },
  'buyer.archived': { capability: 'buyer.read' },
  'buyer.tax_id_verified': { capability: 'buyer.read' },
  'buyer.tax_id_verification_failed': { capability: 'buyer.read' },

  'item.created': { capability: 'item.read' },
  'item.updated': { capability: 'item.read' },
  'item.deleted': { capability: 'item.read' },
  'item.archived': { capability: 'item.read' },
  'item.unarchived': { capability: 'item.read' },

  'invoice.created': { capability: 'invoice.read' },
  'invoice.updated': { capability: 'invoice.read' },
  'invoice.deleted': { capability: 'invoice.read' },
  'invoice.finalised': { capability: 'invoice.read' },
  'invoice.reopened': { capability: 'invoice.read' },
  'invoice.sent': { capability: 'invoice.read', guarded: { to: 'buyer.read' } },
  'invoice.shared': { capability: 'invoice.read' },
  'invoice.unshared': { capability: 'invoice.read' },
  'invoice.payment_recorded': { capability: 'invoice.read' },
  'invoice.payment_reversed': { capability: 'invoice.read' },
  'invoice.paid': { capability: 'invoice.read' },

  'billing.account.status_changed': { capability: 'billing.account.read' },
  'billing.balance.updated': { capability: 'billing.account.read' },
  'billing.balance.low': { capability: 'billing.account.read' },
  'billing.credits.purchased': { capability: 'billing.payment.read' },
  'billing.payment.created': { capability: 'billing.payment.read' },
  'billing.payment.succeeded': { capability: 'billing.payment.read' },
  'billing.payment.failed': { capability: 'billing.payment.read' },
  'billing.payment.expired': { capability: 'billing.payment.read' },
  'billing.payment.refunded': { capability: 'billing.payment.read' },
  'billing.payment.disputed': { capability: 'billing.payment.read' },
  'billing.payment.charged_back': { capability: 'billing.payment.read' },
  'billing.subscription.created': { capability: 'billing.subscription.read' },
  'billing.subscription.activated': { capability: 'billing.subscription.read' },
  'billing.subscription.renewed': { capability: 'billing.subscription.read' },
  'billing.subscription.cancelled': { capability: 'billing.subscription.read' },
  'billing.subscription.resumed': { capability: 'billing.subscription.read' },
  'billing.subscription.past_due': { capability: 'billing.subscription.read' },
  'billing.subscription.payment_failed': { capability: 'billing.subscription.read' },
  'billing.subscription.payment_failed_final': { capability: 'billing.subscription.read' },
  'billing.subscription.expired': { capability: 'billing.subscription.read' },
} as const satisfies Record<string, Telling>

export type EventType = keyof typeof eventTypes

/** The types of event that somebody may read of. */
export const readableTypes = (held: ReadonlySet<Capability>): EventType[] =>
  (Object.keys(eventTypes) as EventType[]).filter((type) => held.has(eventTypes[type].capability))

/** What an event tells somebody: all of it but what belongs to an object that they may not read. */
export function readableData(type: EventType, data: object, held: ReadonlySet<Capability>): object {
  const { guarded = {} }: Telling = eventTypes[type]
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => guarded[name] === undefined || held.has(guarded[name])),
  )
}
