import { expect, test } from 'vitest'
import { allCapabilities } from '../../kernel/capabilities.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import { patternFaults } from '../../modules/webhooks/catalogue/patterns.ts'
import { eventNames as namesInA } from '../form-a/events.ts'
import { eventNames as namesInB } from '../form-b/events.ts'
import { webhookFormat } from '../form-b/webhook-format.ts'

/**
 * The contract's catalogue for the role-based form, for organisations, people, keys, parties, invoices, billing,
 * collection and webhooks. A change of status without a name of its own shares one name.
 */
const catalogue =
  `invoice.created invoice.updated invoice.sent invoice.submitted invoice.approved invoice.rejected invoice.submission_failed
  invoice.cancelled invoice.status.changed invoice.status.changed invoice.retry_scheduled user.created user.updated user.deleted user.role_changed user.status_changed organization.created
  organization.updated organization.onboarding_completed api_key.created api_key.revoked api_key.rotated
  api_key.permissions_changed organization.subscription_tier_changed organization.tax_number_verified seller.created seller.updated
  seller.tax_number_verified seller.tax_number_verification_failed buyer.created buyer.updated buyer.deleted
  buyer.tax_number_verified buyer.tax_number_verification_failed payment.created payment.succeeded payment.failed
  billing_account.status_changed billing_account.low_balance subscription.created subscription.renewed subscription.cancelled
  subscription.expired subscription.payment_failed subscription.payment_failed_final credit.balance_updated credit.purchased
  collection.payment_received collection.payment_reconciled collection.payment_applied collection.settlement_updated webhook.test`.split(
    /\s+/,
  )

/** Names of ours beside the contract's catalogue. */
const ofOurs = (Object.keys(eventTypes) as EventType[]).filter((type) =>
  /^quote\.|reminder|^invoice\.(disputed|dispute_resolved|payment_promise)/.test(type),
)

test('the role-based form has a catalogue name for each event, or does not deliver it', () => {
  const named = Object.values(namesInB).filter((name) => name !== null)
  expect(named.toSorted()).toEqual([...catalogue, ...ofOurs].toSorted())
  expect(namesInB['member.joined']).toBe('user.created')
  expect(namesInB['api_key.capabilities_changed']).toBe('api_key.permissions_changed')
})

test('every name of the role-based catalogue can be subscribed to, even without events', () => {
  expect(patternFaults([...new Set(catalogue), '*'], webhookFormat)).toEqual([])
  for (const name of ['organization.status_changed', 'subscription.plan_changed', 'webhook.test'])
    expect(patternFaults([name], webhookFormat)).toEqual([])
})

test('the capability-based form uses the core name of every event', () => {
  for (const type of Object.keys(eventTypes) as EventType[]) expect(namesInA[type]).toBe(type)
})

test('every event needs an existing capability', () => {
  for (const { capability } of Object.values(eventTypes)) expect(allCapabilities).toContain(capability)
})
