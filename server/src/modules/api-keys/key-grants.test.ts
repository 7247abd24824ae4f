import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const keys = '/a/v1/organizations/me/api-keys'
const create = ({ token }: { token: string }, own: object = {}) =>
  app.a.post(keys, { token, body: { name: 'Server', mode: 'sandbox', ...own } })
const replace = ({ token }: { token: string }, id: string, capabilities: unknown) =>
  app.a.put(`${keys}/${id}/capabilities`, { token, body: { capabilities } })
const capabilitiesOf = async (token: string) =>
  (await app.a.get('/a/v1/auth/me', { token })).data.capabilities as string[]
const sorted = (names: readonly string[]) => [...names].sort()

/** Copied by hand from the contract: what a key can hold, and what the presets contain. */
const reads = `organization.read billing.account.read billing.usage.read billing.ledger.read billing.statement.read
  billing.payment.read billing.subscription.read webhook.endpoint.read webhook.delivery.read invoice.read
  invoice.stats.read invoice.download_pdf invoice.download_authority_copy invoice.inbound.read reference.read buyer.read
  item.read seller.read tax_connection.read`.split(/\s+/)
const invoicingWork = `invoice.create invoice.update_draft invoice.delete_draft invoice.finalise invoice.validate
  invoice.submit invoice.retry invoice.query_status invoice.cancel invoice.record_payment invoice.send_to_buyer
  invoice.reopen invoice.share tax_id.lookup buyer.create buyer.update buyer.delete buyer.verify_tax_id item.create
  item.update item.archive`.split(/\s+/)
const webhookWork = ['webhook.endpoint.test', 'webhook.delivery.redeliver']
const notForKeys = `organization.update organization.update_contact organization.transfer_ownership live_mode.use
  member.read member.update member.remove member.change_role member.suspend member.restore invitation.read
  invitation.create invitation.withdraw role.read role.manage api_key.read api_key.create api_key.update api_key.revoke
  api_key.rotate billing.low_balance.configure billing.subscription.subscribe billing.subscription.cancel
  billing.subscription.renew billing.subscription.resume billing.credits.purchase collection.read collection.manage
  webhook.endpoint.manage tax_connection.manage seller.create seller.update seller.delete seller.verify_tax_id`.split(
  /\s+/,
)
const presets = {
  read_only: sorted(reads),
  invoicing: sorted([...reads, ...invoicingWork]),
  full_integration: sorted([...reads, ...invoicingWork, ...webhookWork]),
}

describe('the capabilities of a new key', () => {
  let owner: Person
  beforeAll(async () => {
    owner = await app.person()
  })

  test('the contract’s lists together contain every capability', async () => {
    const { data } = await app.a.get('/a/v1/organizations/me/roles/permissions/available', owner)
    const all = data.permissions.map(({ name }: { name: string }) => name)
    expect(sorted(all)).toEqual(sorted([...presets.full_integration, ...notForKeys]))
    expect(sorted(data.apiKeyPermissions)).toEqual(presets.full_integration)
  })

  test.each(Object.entries(presets))('the preset %s has exactly these capabilities', async (preset, held) => {
    const { data } = await create(owner, { preset })
    expect(data).toMatchObject({ preset, role: null })
    expect(sorted(data.capabilities)).toEqual(held)
    expect(await capabilitiesOf(data.key)).toEqual(held)
  })

  test('the preset is read_only when neither preset nor capabilities are given', async () => {
    const { data } = await create(owner)
    expect([data.preset, sorted(data.capabilities)]).toEqual(['read_only', presets.read_only])
  })

  test('capabilities can be listed, each once, and an empty list makes a key without any', async () => {
    const { data } = await create(owner, { capabilities: ['invoice.create', 'buyer.read', 'invoice.create'] })
    expect([data.preset, data.capabilities]).toEqual([null, ['invoice.create', 'buyer.read']])
    expect(await capabilitiesOf(data.key)).toEqual(['buyer.read', 'invoice.create'])
    const none = (await create(owner, { capabilities: [] })).data
    expect([none.preset, none.capabilities, await capabilitiesOf(none.key)]).toEqual([null, [], []])
    const profile = `/a/v1/organizations/${owner.organisationId}`
    expectRefusal(await app.a.get(profile, { token: none.key }), 'auth.capability_missing')
  })

  test('preset and capabilities are combined', async () => {
    const { data } = await create(owner, { preset: 'read_only', capabilities: ['item.create', 'invoice.read'] })
    expect(data.preset).toBe('read_only')
    expect(await capabilitiesOf(data.key)).toEqual(sorted([...reads, 'item.create']))
  })

  test('each capability that no key may have is refused', async () => {
    const { id } = (await create(owner)).data
    const wanted = ['invoice.read', ...notForKeys, 'invoice.eat', '*', 7]
    const places = wanted.slice(1).map((_, index) => `capabilities[${index + 1}]`)
    for (const reply of [await create(owner, { capabilities: wanted }), await replace(owner, id, wanted)]) {
      expectRefusal(reply, 'request.invalid')
      expect([...new Set(faultPaths(reply))]).toEqual(sorted(places))
    }
    expect(faultPaths(await create(owner, { preset: 'everything', roleId: owner.userId }))).toEqual([
      'preset',
      'roleId',
    ])
    for (const body of [
      {},
      { capabilities: 'invoice.read' },
      { capabilities: null },
      { capabilities: [], preset: 'x' },
    ])
      expectRefusal(await app.a.put(`${keys}/${id}/capabilities`, { token: owner.token, body }), 'request.invalid')
  })
})

describe('a creator cannot give a key capabilities that the creator lacks', () => {
  /** The work of a member, without the steps after finalising. */
  const beyondDeveloper = ['invoice.cancel', 'invoice.record_payment', 'invoice.retry', 'invoice.submit']

  test('a developer', async () => {
    const owner = await app.person()
    const developer = await app.member(owner.organisationId, 'DEVELOPER')
    for (const preset of ['invoicing', 'full_integration']) {
      const refused = await create(developer, { preset })
      expectRefusal(refused, 'role.above_own')
      expect([refused.status, refused.body.error.code]).toEqual([403, 'PERM001'])
      expect(faultPaths(refused)).toEqual(beyondDeveloper)
    }
    expectRefusal(await create(developer, { capabilities: ['invoice.submit'] }), 'role.above_own')
    const own = presets.full_integration.filter((name) => !beyondDeveloper.includes(name))
    const { data } = await create(developer, { capabilities: own })
    expect(sorted(data.capabilities)).toEqual(own)
    expect((await create(developer)).data.preset).toBe('read_only')

    const refused = await replace(developer, data.id, ['invoice.submit', 'invoice.read'])
    expectRefusal(refused, 'role.above_own')
    expect(faultPaths(refused)).toEqual(['invoice.submit'])
    expect(await capabilitiesOf(data.key)).toEqual(own)
    const full = (await create(owner, { preset: 'full_integration' })).data
    expect((await replace(developer, full.id, ['invoice.read'])).status).toBe(200)
  })

  test('the reply lists the capabilities of the key, and those that the caller could grant', async () => {
    const owner = await app.person()
    const { id } = (await create(owner, { capabilities: ['invoice.submit', 'item.read'] })).data
    const seen = async (who: Person) => (await app.a.get(`${keys}/${id}/permissions`, who)).data
    const shown = await seen(owner)
    expect(shown).toEqual({ id, capabilities: ['invoice.submit', 'item.read'], grantable: expect.any(Array) })
    expect(sorted(shown.grantable)).toEqual(presets.full_integration)
    const developer = await app.member(owner.organisationId, 'DEVELOPER')
    expect(sorted((await seen(developer)).grantable)).toEqual(
      presets.full_integration.filter((name) => !beyondDeveloper.includes(name)),
    )
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expect(sorted((await seen(viewer)).grantable)).toEqual(presets.read_only)
  })

  test('reading needs the capability to read keys', async () => {
    const owner = await app.person()
    const { id } = (await create(owner)).data
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expect((await app.a.get(`${keys}/${id}`, viewer)).status).toBe(200)
    const { token } = viewer
    for (const reply of [
      await create(viewer),
      await replace(viewer, id, []),
      await app.a.patch(`${keys}/${id}`, { token, body: { name: 'x' } }),
      await app.a.patch(`${keys}/${id}/revoke`, { token }),
      await app.a.post(`${keys}/${id}/rotate`, { token, body: {} }),
    ])
      expectRefusal(reply, 'auth.capability_missing')
    for (const role of ['MEMBER', 'ACCOUNTANT'] as const) {
      const reply = await app.a.get(keys, await app.member(owner.organisationId, role))
      expectRefusal(reply, 'auth.capability_missing')
      expect(faultPaths(reply)).toEqual(['api_key.read'])
    }
  })
})

describe('replacing what a key may do', () => {
  test('takes effect at once, and earlier tokens of the key stop', async () => {
    const owner = await app.person()
    const { key, ...before } = (await create(owner, { preset: 'invoicing' })).data
    const issue = async () => (await app.a.post('/a/v1/auth/token', { token: key })).data.accessToken as string
    const token = await issue()
    expect(await capabilitiesOf(token)).toEqual(presets.invoicing)
    const replaced = await replace(owner, before.id, ['organization.read', 'item.read', 'item.read'])
    expect(replaced.status).toBe(200)
    expect(replaced.data).toEqual({ ...before, preset: null, capabilities: ['organization.read', 'item.read'] })

    const refused = await app.a.get('/a/v1/auth/me', { token })
    expectRefusal(refused, 'auth.token_outdated')
    expect([refused.status, refused.body.error.code]).toEqual([401, 'AUTH001'])
    expect(await capabilitiesOf(key)).toEqual(['item.read', 'organization.read'])
    expect(await capabilitiesOf(await issue())).toEqual(['item.read', 'organization.read'])
    const profile = `/a/v1/organizations/${owner.organisationId}`
    expect((await app.a.get(profile, { token: key })).status).toBe(200)
    await replace(owner, before.id, ['item.read'])
    expectRefusal(await app.a.get(profile, { token: key }), 'auth.capability_missing')

    const events = sql`select data from events where object_id = ${before.id} and type = 'api_key.capabilities_changed' order by position`
    expect(await app.runtime.db.rows(events)).toEqual([
      { data: { name: 'Server', capabilities: ['organization.read', 'item.read'] } },
      { data: { name: 'Server', capabilities: ['item.read'] } },
    ])
  })

  test('changes that key alone', async () => {
    const owner = await app.person()
    const [one, other] = [(await create(owner)).data, (await create(owner)).data]
    const { accessToken } = (await app.a.post('/a/v1/auth/token', { token: other.key })).data
    await replace(owner, one.id, [])
    expect(await capabilitiesOf(accessToken)).toEqual(presets.read_only)
    expect(await capabilitiesOf(other.key)).toEqual(presets.read_only)
  })
})
