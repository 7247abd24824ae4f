import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import type { EventNotice } from '../../../kernel/event-notice.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import { sql } from '../../../platform/database/sql.ts'
import { followProfile } from '../../sellers/follow-profile.ts'
import { grantFreeCredits } from './free-credits.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox', 'live'] })
})
afterAll(() => app.close())

const organisations = '/a/v1/organizations'
let given = 0
const newTaxNumber = () => `3${String(++given).padStart(7, '0')}-0001`

/** Live grants of an organisation with their causes. */
const grantsOf = (organisationId: string) =>
  app.runtime.db.rows<object>(sql`
    select type, amount, cause from credit_moves where organisation_id = ${organisationId} and mode = 'live' order by seq`)
const once = [{ type: 'grant', amount: 50n, cause: 'opening' }]

/** Opens the account and the primary seller at once. */
async function open(organisationId: OrganisationId): Promise<OrganisationId> {
  await app.openAccount(organisationId)
  await app.runner.run(followProfile, { caller: systemCaller, origin, input: { organisationId } })
  return organisationId
}
async function found({ token }: Person, own: object = {}): Promise<OrganisationId> {
  const body = { businessName: 'Another shop', email: 'shop@eze.ng', ...own }
  const made = await app.b.post(organisations, { token, body })
  expect(made.status, made.text).toBe(201)
  return await open(made.data.id)
}
/** A token for one of the person's organisations. The previous token stops working. */
async function actingFor(person: Person, organizationId: string, mode: Mode): Promise<Person> {
  const body = { organizationId, mode }
  const { data, text } = await app.b.post(`${organisations}/switch`, { token: person.token, body })
  if (!data) throw new Error(text)
  return { ...person, token: data.accessToken, refreshToken: data.refreshToken }
}
const confirm = async ({ token }: Person, taxNo: string) => {
  const reply = await app.b.post(`${organisations}/me/onboarding/verify-tax-number`, { token, body: { taxNo } })
  expect(reply.status, reply.text).toBe(200)
}
/** Handles the events of confirmed numbers in the test itself. It makes no difference if the queue was faster. */
async function settle(organisationId: OrganisationId): Promise<void> {
  const notices = await app.runtime.db.rows<EventNotice>(sql`
    select id as event_id, type, organisation_id, mode, object_id from events
     where organisation_id = ${organisationId} and type = 'organization.tax_number_verified' order by position`)
  expect(notices).not.toEqual([])
  for (const input of notices) await app.runner.run(grantFreeCredits, { caller: systemCaller, origin, input })
}

describe('the live credits of the free plan', () => {
  test('come at once with a person’s first organisation, and not with further ones', async () => {
    const person = await app.person()
    await open(person.organisationId)
    expect(await grantsOf(person.organisationId)).toEqual(once)
    for (const own of [{}, { asChild: true }, { taxNo: newTaxNumber() }])
      expect(await grantsOf(await found(person, own)), JSON.stringify(own)).toEqual([])
    // Sandbox credits are for every organisation.
    const second = await actingFor(person, await found(person), 'live')
    const { data } = await app.b.get('/b/v1/billing-accounts/me', { token: second.token })
    expect(data.balances).toMatchObject([
      { mode: 'sandbox', creditBalance: 100_000 },
      { mode: 'live', creditBalance: 0 },
    ])
  })

  test('come with the first own organisation of a person who was invited before', async () => {
    const owner = await app.person()
    const guest = await app.member(owner.organisationId, 'MEMBER')
    expect(await grantsOf(await found(guest))).toEqual(once)
    expect(await grantsOf(await found(guest))).toEqual([])
  })

  test('come once for ten concurrent organisations', async () => {
    const owner = await app.person()
    const guest = await app.member(owner.organisationId, 'MEMBER')
    const made = await Promise.all(Array.from({ length: 10 }, () => found(guest)))
    const grants = await Promise.all(made.map(grantsOf))
    expect(grants.flat()).toEqual(once)
  })

  test('come to a further organisation when its tax number is confirmed', async () => {
    const person = await app.person()
    await open(person.organisationId)
    const second = await found(person)
    await confirm(await actingFor(person, second, 'live'), newTaxNumber())
    await eventually(async () => expect(await grantsOf(second)).toEqual(once))
    await settle(second)
    expect(await grantsOf(second)).toEqual(once)
  })

  test('do not come for a tax number that the sandbox confirms', async () => {
    const person = await app.person()
    await open(person.organisationId)
    const second = await found(person)
    const taxNumber = newTaxNumber()
    const sandbox = await actingFor(person, second, 'sandbox')
    await confirm(sandbox, taxNumber)
    await settle(second)
    expect(await grantsOf(second)).toEqual([])
    // A sandbox confirmation does not use the number up.
    await confirm(await actingFor(sandbox, second, 'live'), taxNumber)
    await settle(second)
    expect(await grantsOf(second)).toEqual(once)
  })

  test('come once for each tax number, in any spelling and for any organisation', async () => {
    const taxNumber = newTaxNumber()
    const [first, other] = [await app.person({ mode: 'live' }), await app.person()]
    await open(first.organisationId)
    await open(other.organisationId)
    // The first organisation already has its credits, and its number counts as used anyway.
    await confirm(first, taxNumber)
    await settle(first.organisationId)
    expect(await grantsOf(first.organisationId)).toEqual(once)
    let acting = other
    for (const written of [taxNumber, taxNumber.replace('-', '')]) {
      const further = await found(acting)
      acting = await actingFor(acting, further, 'live')
      await confirm(acting, written)
      await settle(further)
      expect(await grantsOf(further)).toEqual([])
    }
  })

  test('come once for each organisation, for any number of tax numbers', async () => {
    const person = await app.person()
    await open(person.organisationId)
    const second = await found(person)
    const acting = await actingFor(person, second, 'live')
    for (let time = 0; time < 3; time++) await confirm(acting, newTaxNumber())
    await settle(second)
    expect(await grantsOf(second)).toEqual(once)
  })

  test('stay with an organisation without a recorded creator', async () => {
    const { id } = await app.runtime.db.one<{ id: OrganisationId }>(sql`
      insert into organisations (id, name, country, created_at, updated_at)
      values (gen_random_uuid(), 'Old', 'NG', now(), now()) returning id`)
    await app.openAccount(id)
    expect(await grantsOf(id)).toEqual(once)
  })
})
