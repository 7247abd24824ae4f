import { describe, expect, test } from 'vitest'
import { allCapabilities, capabilities, isCapability, keyCapabilities, missingFrom } from './capabilities.ts'
import { type SystemRoleName, systemRole, systemRoleNames, systemRoles } from './roles.ts'

// Every list here is copied by hand from the contract, not from the catalogue.
const words = (text: string): string[] => text.trim().split(/\s+/)

const keyMayHold = words(`
  organization.read billing.account.read billing.usage.read billing.ledger.read billing.statement.read
  billing.payment.read billing.subscription.read webhook.endpoint.read webhook.endpoint.test webhook.delivery.read
  webhook.delivery.redeliver invoice.read invoice.stats.read invoice.create invoice.update_draft invoice.delete_draft
  invoice.finalise invoice.validate invoice.submit invoice.retry invoice.query_status invoice.cancel
  invoice.record_payment invoice.send_to_buyer invoice.download_pdf invoice.download_authority_copy invoice.reopen
  invoice.share invoice.inbound.read reference.read tax_id.lookup buyer.read buyer.create buyer.update buyer.delete
  buyer.verify_tax_id item.read item.create item.update item.archive seller.read tax_connection.read`)

const forPeopleAlone = words(`
  live_mode.use organization.update_contact member.suspend member.restore billing.low_balance.configure
  billing.subscription.subscribe billing.subscription.cancel billing.subscription.renew billing.subscription.resume
  billing.credits.purchase collection.read collection.manage
  organization.update organization.transfer_ownership member.read member.update member.remove member.change_role
  invitation.read invitation.create invitation.withdraw role.read role.manage
  api_key.read api_key.create api_key.update api_key.revoke api_key.rotate
  webhook.endpoint.manage tax_connection.manage seller.create seller.update seller.delete seller.verify_tax_id`)

const everything = [...keyMayHold, ...forPeopleAlone]

const invoicingUpToFinalise = words(`
  invoice.read invoice.stats.read invoice.create invoice.update_draft invoice.delete_draft invoice.finalise
  invoice.validate invoice.query_status invoice.send_to_buyer invoice.download_pdf invoice.download_authority_copy
  invoice.reopen invoice.share invoice.inbound.read reference.read tax_id.lookup`)
const invoicingBeyond = words('invoice.submit invoice.retry invoice.cancel invoice.record_payment')
const parties = words(`
  buyer.read buyer.create buyer.update buyer.delete buyer.verify_tax_id
  seller.read seller.create seller.update seller.delete seller.verify_tax_id`)
const items = words('item.read item.create item.update item.archive')
const surroundings = words('organization.read member.read role.read tax_connection.read')
const billingReads = words(`
  billing.account.read billing.usage.read billing.ledger.read billing.statement.read billing.payment.read
  billing.subscription.read`)
const otherReads = words(`
  invitation.read api_key.read collection.read webhook.endpoint.read webhook.delivery.read`)

const member = [...surroundings, ...invoicingUpToFinalise, ...parties, ...items]
const reads = words(`
  organization.read member.read invitation.read role.read api_key.read billing.account.read billing.usage.read
  billing.ledger.read billing.statement.read billing.payment.read billing.subscription.read collection.read
  webhook.endpoint.read webhook.delivery.read invoice.read invoice.stats.read invoice.download_pdf
  invoice.download_authority_copy invoice.inbound.read reference.read buyer.read item.read seller.read
  tax_connection.read`)

const expected: Record<SystemRoleName, string[]> = {
  OWNER: everything,
  ADMIN: everything.filter((name) => name !== 'organization.transfer_ownership'),
  ACCOUNTANT: [...member, ...invoicingBeyond, 'collection.read', 'collection.manage', ...billingReads],
  MEMBER: member,
  DEVELOPER: [
    ...member,
    ...billingReads,
    ...otherReads,
    ...words('api_key.create api_key.update api_key.revoke api_key.rotate'),
    ...words('webhook.endpoint.test webhook.endpoint.manage webhook.delivery.redeliver'),
  ],
  VIEWER: reads,
}

const capabilitiesOf = (name: SystemRoleName) => new Set(systemRole(name).capabilities)

describe('the catalogue of capabilities', () => {
  test('is the contract’s list, each once', () => {
    expect(allCapabilities.toSorted()).toEqual(everything.toSorted())
    expect(new Set(allCapabilities).size).toBe(allCapabilities.length)
  })

  test('allows API keys exactly the contract’s list', () => {
    expect(keyCapabilities.toSorted()).toEqual(keyMayHold.toSorted())
  })

  test('has a label and a noun for each', () => {
    for (const { name, label, area } of capabilities) {
      expect(label).toMatch(/^[A-Z].*[a-z]$/)
      expect(name.startsWith(`${area}.`)).toBe(true)
    }
    expect(new Set(capabilities.map(({ label }) => label)).size).toBe(capabilities.length)
  })

  test('marks the read-only capabilities', () => {
    const looking = capabilities.filter((capability) => capability.reads).map(({ name }) => name)
    expect(looking.toSorted()).toEqual(reads.toSorted())
  })

  test('recognises its own names only', () => {
    expect(everything.filter((name) => !isCapability(name))).toEqual([])
    for (const name of ['', 'invoice', 'invoice.', 'Invoice.read', 'invoice.read ', 'toString', '__proto__'])
      expect(isCapability(name), name).toBe(false)
  })

  test('lists what one set lacks of another', () => {
    expect(missingFrom(new Set(['item.read']), ['item.read', 'item.create'])).toEqual(['item.create'])
    expect(missingFrom(new Set(['item.read']), [])).toEqual([])
    expect(missingFrom(new Set(), ['item.read'])).toEqual(['item.read'])
  })
})

describe('the roles of the system', () => {
  test('are six, ranked in this order, with ids that never change', () => {
    expect(systemRoles.map(({ name, rank, id }) => [name, rank, id])).toEqual([
      ['OWNER', 0, '00000000-0000-7000-8000-000000000001'],
      ['ADMIN', 1, '00000000-0000-7000-8000-000000000002'],
      ['ACCOUNTANT', 2, '00000000-0000-7000-8000-000000000003'],
      ['MEMBER', 3, '00000000-0000-7000-8000-000000000004'],
      ['DEVELOPER', 4, '00000000-0000-7000-8000-000000000005'],
      ['VIEWER', 5, '00000000-0000-7000-8000-000000000006'],
    ])
  })

  test.each(systemRoleNames)('%s has the decided capabilities, each once', (name) => {
    expect(systemRole(name).capabilities.toSorted()).toEqual(expected[name].toSorted())
  })

  test('include each other if one can do all that another can', () => {
    const within: [inner: SystemRoleName, outer: SystemRoleName][] = [
      ['ADMIN', 'OWNER'],
      ['ACCOUNTANT', 'ADMIN'],
      ['DEVELOPER', 'ADMIN'],
      ['MEMBER', 'ACCOUNTANT'],
      ['MEMBER', 'DEVELOPER'],
      ['VIEWER', 'DEVELOPER'],
    ]
    for (const [inner, outer] of within) {
      expect(missingFrom(capabilitiesOf(outer), capabilitiesOf(inner)), `${inner} within ${outer}`).toEqual([])
      expect(missingFrom(capabilitiesOf(inner), capabilitiesOf(outer)), `${outer} beyond ${inner}`).not.toEqual([])
    }
  })

  test('differ as decided', () => {
    expect(missingFrom(capabilitiesOf('ADMIN'), capabilitiesOf('OWNER'))).toEqual(['organization.transfer_ownership'])
    expect(missingFrom(capabilitiesOf('MEMBER'), ['invoice.finalise', 'invoice.submit'])).toEqual(['invoice.submit'])
    for (const name of ['ACCOUNTANT', 'MEMBER', 'DEVELOPER', 'VIEWER'] as const)
      expect(missingFrom(capabilitiesOf(name), ['role.manage', 'member.change_role', 'live_mode.use'])).toHaveLength(3)
  })

  test.each(systemRoleNames)('%s may see roles, members and the organisation', (name) => {
    expect(missingFrom(capabilitiesOf(name), ['role.read', 'member.read', 'organization.read'])).toEqual([])
  })

  test('VIEWER has no capability that changes anything', () => {
    expect(systemRole('VIEWER').capabilities.filter((name) => !/\.read$|\.download_/.test(name))).toEqual([])
  })
})
