/**
 * Every capability of the system. `key`: an API key can hold it when its capabilities are chosen one by one. `reads`:
 * it changes nothing; presets and roles are built from these.
 */
const catalogue = {
  'organization.read': { label: 'See the organisation profile and its audit log', key: true, reads: true },
  'organization.update': { label: 'Change the organisation profile', key: false, reads: false },
  'organization.update_contact': {
    label: 'Change the contact email, the address and the bank details',
    key: false,
    reads: false,
  },
  'organization.transfer_ownership': { label: 'Hand the organisation to another owner', key: false, reads: false },
  'live_mode.use': { label: 'Create and rotate live API keys', key: false, reads: false },

  'member.read': { label: 'See members', key: false, reads: true },
  'member.update': { label: 'Edit members’ profiles', key: false, reads: false },
  'member.change_role': { label: 'Change members’ roles and permissions', key: false, reads: false },
  'member.suspend': { label: 'Suspend members', key: false, reads: false },
  'member.restore': { label: 'Restore suspended members', key: false, reads: false },
  'member.remove': { label: 'Remove members', key: false, reads: false },
  'invitation.read': { label: 'See invitations', key: false, reads: true },
  'invitation.create': { label: 'Invite people', key: false, reads: false },
  'invitation.withdraw': { label: 'Withdraw invitations', key: false, reads: false },
  'role.read': { label: 'See roles and their capabilities', key: false, reads: true },
  'role.manage': { label: 'Create, change and delete custom roles', key: false, reads: false },

  'api_key.read': { label: 'See API keys', key: false, reads: true },
  'api_key.create': { label: 'Create API keys', key: false, reads: false },
  'api_key.update': { label: 'Rename API keys and change what they may do', key: false, reads: false },
  'api_key.revoke': { label: 'Revoke API keys', key: false, reads: false },
  'api_key.rotate': { label: 'Rotate API keys', key: false, reads: false },

  'billing.account.read': { label: 'See the credit balance', key: true, reads: true },
  'billing.usage.read': { label: 'See credit usage', key: true, reads: true },
  'billing.ledger.read': { label: 'See the credit ledger', key: true, reads: true },
  'billing.statement.read': { label: 'See and export credit statements', key: true, reads: true },
  'billing.payment.read': { label: 'See payments', key: true, reads: true },
  'billing.subscription.read': { label: 'See subscriptions', key: true, reads: true },
  'billing.low_balance.configure': { label: 'Set the low-balance threshold', key: false, reads: false },
  'billing.subscription.subscribe': { label: 'Subscribe to a plan', key: false, reads: false },
  'billing.subscription.cancel': { label: 'Cancel a subscription', key: false, reads: false },
  'billing.subscription.renew': { label: 'Pay for an overdue subscription', key: false, reads: false },
  'billing.subscription.resume': { label: 'Take back a cancellation', key: false, reads: false },
  'billing.credits.purchase': { label: 'Buy credits', key: false, reads: false },

  'collection.read': { label: 'See collection accounts and received payments', key: false, reads: true },
  'collection.manage': { label: 'Manage collection accounts, matches and refunds', key: false, reads: false },

  'webhook.endpoint.read': { label: 'See webhook endpoints and event types', key: true, reads: true },
  'webhook.endpoint.test': { label: 'Send test events', key: true, reads: false },
  'webhook.endpoint.manage': { label: 'Create, change and delete webhook endpoints', key: false, reads: false },
  'webhook.delivery.read': { label: 'See events and deliveries', key: true, reads: true },
  'webhook.delivery.redeliver': { label: 'Deliver events again', key: true, reads: false },

  'invoice.read': { label: 'See invoices', key: true, reads: true },
  'invoice.stats.read': { label: 'See invoice statistics', key: true, reads: true },
  'invoice.create': { label: 'Create invoices and notes', key: true, reads: false },
  'invoice.update_draft': { label: 'Edit drafts', key: true, reads: false },
  'invoice.delete_draft': { label: 'Delete drafts', key: true, reads: false },
  'invoice.finalise': { label: 'Finalise invoices', key: true, reads: false },
  'invoice.validate': { label: 'Validate invoices', key: true, reads: false },
  'invoice.submit': { label: 'Submit invoices to the tax authority', key: true, reads: false },
  'invoice.retry': { label: 'Retry failed submissions', key: true, reads: false },
  'invoice.query_status': { label: 'Ask the tax authority for a status', key: true, reads: false },
  'invoice.cancel': { label: 'Cancel accepted invoices', key: true, reads: false },
  'invoice.record_payment': { label: 'Record payments on invoices', key: true, reads: false },
  'invoice.send_to_buyer': { label: 'Send invoices to buyers', key: true, reads: false },
  'invoice.download_pdf': { label: 'Download invoices', key: true, reads: true },
  'invoice.download_authority_copy': { label: 'Download the authority’s copy', key: true, reads: true },
  'invoice.reopen': { label: 'Reopen finalised invoices', key: true, reads: false },
  'invoice.share': { label: 'Share invoices by link', key: true, reads: false },
  'invoice.inbound.read': { label: 'See received invoices', key: true, reads: true },

  'reference.read': { label: 'See code lists', key: true, reads: true },
  'tax_id.lookup': { label: 'Look up tax numbers', key: true, reads: false },

  'buyer.read': { label: 'See buyers', key: true, reads: true },
  'buyer.create': { label: 'Create buyers', key: true, reads: false },
  'buyer.update': { label: 'Edit buyers', key: true, reads: false },
  'buyer.delete': { label: 'Delete or archive buyers', key: true, reads: false },
  'buyer.verify_tax_id': { label: 'Verify buyers’ tax numbers', key: true, reads: false },

  'item.read': { label: 'See saved items', key: true, reads: true },
  'item.create': { label: 'Create saved items', key: true, reads: false },
  'item.update': { label: 'Edit saved items', key: true, reads: false },
  'item.archive': { label: 'Archive and delete saved items', key: true, reads: false },

  'seller.read': { label: 'See sellers', key: true, reads: true },
  'seller.create': { label: 'Create sellers', key: false, reads: false },
  'seller.update': { label: 'Edit sellers', key: false, reads: false },
  'seller.delete': { label: 'Delete sellers', key: false, reads: false },
  'seller.verify_tax_id': { label: 'Verify sellers’ tax numbers', key: false, reads: false },

  'tax_connection.read': { label: 'See the tax-authority connection', key: true, reads: true },
  'tax_connection.manage': { label: 'Connect to and disconnect from the tax authority', key: false, reads: false },
} as const

export type Capability = keyof typeof catalogue

export interface CapabilityEntry {
  readonly name: Capability
  readonly label: string
  /** First part of the name, for grouping on a page. */
  readonly area: string
  readonly keyMayHold: boolean
  readonly reads: boolean
}

export const capabilities: readonly CapabilityEntry[] = Object.entries(catalogue).map(([name, entry]) => ({
  name: name as Capability,
  label: entry.label,
  area: name.split('.')[0] as string,
  keyMayHold: entry.key,
  reads: entry.reads,
}))

export const allCapabilities: readonly Capability[] = capabilities.map((entry) => entry.name)
export const readingCapabilities: readonly Capability[] = capabilities.filter((c) => c.reads).map((c) => c.name)
export const keyCapabilities: readonly Capability[] = capabilities.filter((c) => c.keyMayHold).map((c) => c.name)

/**
 * What a connected program may hold: what a key may hold, and two more that people read with programs. `api_key.read` is for the request
 * log; the keys themselves are for people.
 */
export const programCapabilities: readonly Capability[] = allCapabilities.filter(
  (name) => keyCapabilities.includes(name) || name === 'collection.read' || name === 'api_key.read',
)

export const isCapability = (name: string): name is Capability => Object.hasOwn(catalogue, name)

/** The capabilities of `wanted` that `held` lacks; empty means that the holder may grant all of them. */
export function missingFrom(held: ReadonlySet<Capability>, wanted: Iterable<Capability>): Capability[] {
  return [...wanted].filter((capability) => !held.has(capability))
}
