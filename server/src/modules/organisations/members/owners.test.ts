import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { allCapabilities } from '../../../kernel/capabilities.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisation = '/a/v1/organizations/me'
const whoAmI = ({ token }: Person): Promise<Reply> => app.a.get('/a/v1/auth/me', { token })
const adminId = systemRole('ADMIN').id

const remove = (client: Client, by: Person, userId: string) =>
  client.delete(`${organisation}/users/${userId}`, { token: by.token })
const demote = (client: Client, by: Person, userId: string) =>
  client.patch(`${organisation}/users/${userId}/role`, { token: by.token, body: { roleId: adminId } })
const suspend = (client: Client, by: Person, userId: string) =>
  client.patch(`${organisation}/users/${userId}/status`, { token: by.token, body: { status: 'suspended' } })
const leave = (client: Client, by: Person) => client.post(`${organisation}/leave`, { token: by.token })

const activeOwners = async (organisationId: string) =>
  (
    await app.runtime.db.rows<{ userId: string }>(sql`
      select user_id from memberships
       where organisation_id = ${organisationId} and role_id = ${systemRole('OWNER').id} and status = 'active'`)
  ).map(({ userId }) => userId)
const endings = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where organisation_id = ${organisationId} and type = 'member.removed' order by position`,
    )
  ).map(({ data }) => data)

describe.each(['A', 'B'] as const)('leaving in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('a removed member loses access at once, and continues in another organisation', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const member = await app.member(owner.organisationId, 'MEMBER')
    const body = { businessName: 'Own shop', email: 'own@shop.ng' }
    const own = (await app.b.post('/a/v1/organizations', { token: member.token, body })).data.id
    const removed = await remove(client, admin, member.userId)
    expect([removed.status, removed.data]).toEqual([200, { id: member.userId, removed: true, apiKeys: [] }])
    expectRefusal(await whoAmI(member), 'auth.token_outdated')
    expect((await whoAmI(await refreshed(app, member))).data.organizationId).toBe(own)
    for (const again of [
      await remove(client, admin, member.userId),
      await client.get(`${organisation}/users/${member.userId}`, { token: owner.token }),
    ])
      expectRefusal(again, 'resource.not_found')
    expect(await endings(owner)).toEqual([{ email: member.email, role: 'MEMBER', how: 'removed' }])
  })

  test('a caller cannot remove oneself, a member with more capabilities, or a non-member', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    for (const ref of ['me', admin.userId]) expectRefusal(await remove(client, admin, ref), 'member.is_you')
    expectRefusal(await remove(client, admin, owner.userId), 'member.above_own')
    const stranger = await app.person()
    for (const id of [stranger.userId, randomUUID(), 'not-an-id'])
      expectRefusal(await remove(client, owner, id), 'resource.not_found')
    const member = await app.member(owner.organisationId, 'MEMBER')
    expectRefusal(await remove(client, member, admin.userId), 'auth.capability_missing')
    const key = { ...owner, token: await app.key(owner.organisationId) }
    expectRefusal(await remove(client, key, admin.userId), 'auth.users_only')
    expectRefusal(await leave(client, key), 'auth.users_only')
    expect(await endings(owner)).toEqual([])
    expect((await whoAmI(stranger)).status).toBe(200)
  })

  test('members of every role may leave', async () => {
    const owner = await app.person()
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expectRefusal(
      await client.post(`/a/v1/organizations/${randomUUID()}/leave`, { token: viewer.token }),
      'resource.not_found',
    )
    const left = await leave(client, viewer)
    expect(left.data).toEqual({ organizationId: owner.organisationId, left: true, apiKeys: [] })
    expectRefusal(await whoAmI(viewer), 'auth.token_outdated')
    const outside = await refreshed(app, viewer)
    expect((await whoAmI(outside)).data.organizationId).toBeNull()
    expectRefusal(await leave(client, outside), 'resource.not_found')
    expect(await endings(owner)).toEqual([{ email: viewer.email, role: 'VIEWER', how: 'left' }])
  })

  test('the last owner cannot be demoted, suspended or removed, and cannot leave', async () => {
    const owner = await app.person()
    // Has every capability of an owner, so that only the rule can stop them.
    const mighty = await memberHolding(app, owner, ...allCapabilities)
    const retired = await app.member(owner.organisationId, 'OWNER')
    expect((await suspend(client, owner, retired.userId)).status).toBe(200)
    const tries = [
      () => demote(client, mighty, owner.userId),
      () => demote(client, owner, 'me'),
      () => suspend(client, mighty, owner.userId),
      () => remove(client, mighty, owner.userId),
      () => leave(client, owner),
    ]
    for (const attempt of tries) expectRefusal(await attempt(), 'member.last_owner')
    expect(await activeOwners(owner.organisationId)).toEqual([owner.userId])
    expect((await whoAmI(owner)).data.role).toBe('OWNER')
    // A suspended owner does not count as the last owner.
    expect((await demote(client, mighty, retired.userId)).status).toBe(200)
    expect((await remove(client, mighty, retired.userId)).status).toBe(200)
  })

  test('with a second owner each of these actions works', async () => {
    const tries = [
      (owner: Person, other: Person) => demote(client, other, owner.userId),
      (owner: Person) => demote(client, owner, 'me'),
      (owner: Person, other: Person) => suspend(client, other, owner.userId),
      (owner: Person, other: Person) => remove(client, other, owner.userId),
      (owner: Person) => leave(client, owner),
    ]
    for (const attempt of tries) {
      const owner = await app.person()
      const other = await app.member(owner.organisationId, 'OWNER')
      expect((await attempt(owner, other)).status).toBe(200)
      expect(await activeOwners(owner.organisationId)).toEqual([other.userId])
      expectRefusal(await leave(client, other), 'member.last_owner')
    }
  })
})

/** What two owners do to each other, or each to themselves, at the same time. */
const duels: Record<string, (client: Client, own: Person, other: Person) => Promise<Reply>> = {
  'remove each other': (client, own, other) => remove(client, own, other.userId),
  'demote each other': (client, own, other) => demote(client, own, other.userId),
  'demote themselves': (client, own) => demote(client, own, 'me'),
  'suspend each other': (client, own, other) => suspend(client, own, other.userId),
  leave: (client, own) => leave(client, own),
}
const acts = Object.values(duels)

describe('of two owners one remains', () => {
  async function duel(first: (one: Person, two: Person) => Promise<Reply>, second: typeof first): Promise<number[]> {
    const one = await app.person()
    const two = await app.member(one.organisationId, 'OWNER')
    const replies = await Promise.all([first(one, two), second(two, one)])
    expect(await activeOwners(one.organisationId), replies.map(({ text }) => text).join('\n')).toHaveLength(1)
    return replies.map(({ status }) => status).sort()
  }

  test.each(Object.keys(duels))('when both %s concurrently', async (name) => {
    const act = duels[name] as (typeof acts)[number]
    const fight = () =>
      duel(
        (own, other) => act(app.a, own, other),
        (own, other) => act(app.b, own, other),
      )
    for (let round = 0; round < casesToTry(8, 20); round += 4)
      for (const statuses of await Promise.all([fight(), fight(), fight(), fight()])) {
        expect(statuses[0]).toBe(200)
        expect([401, 404, 409]).toContain(statuses[1])
      }
  })

  test('for any combination of these actions', async () => {
    for (const first of acts)
      await Promise.all(
        acts.map((second) =>
          duel(
            (own, other) => first(app.a, own, other),
            (own, other) => second(app.b, own, other),
          ),
        ),
      )
  })
})
