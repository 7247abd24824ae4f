import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisations = '/a/v1/organizations'
const children = `${organisations}/me/children`
const part = ({ token }: Pick<Person, 'token'>, id: string) => app.b.delete(`${children}/${id}`, { token })
const idsOf = async ({ token }: Person) =>
  (await app.b.get(children, { token })).data.map(({ id }: { id: string }) => id)

/** A child with its own owner beside the person who created it. */
async function childOf(parent: Person, name = 'Kano branch') {
  const body = { businessName: name, email: 'branch@eze.ng', asChild: true }
  const made = await app.b.post(organisations, { token: parent.token, body })
  expect(made.status, made.text).toBe(201)
  const owner = await app.member(made.data.id, 'OWNER')
  return { id: made.data.id as string, owner }
}
const told = (organisationId: string) =>
  app.runtime.db.rows(sql`
    select type, object_id, actor_kind, actor_id, actor_name, address, user_agent, data from events
     where organisation_id = ${organisationId} and type in ('organization.child_parted', 'organization.parted')`)

test('a parent parts from a child, which continues independently', async () => {
  const parent = await app.person()
  const [gone, kept] = [await childOf(parent), await childOf(parent, 'Jos branch')]
  const pool = `${organisations}/me/credit-pool-config`
  await app.b.patch(pool, { token: gone.owner.token, body: { fallbackToPrimary: true, minimumReserve: 7 } })
  const reply = await part(parent, gone.id.toUpperCase())
  expect([reply.status, reply.data]).toEqual([200, { id: gone.id, parted: true }])
  expect(await idsOf(parent)).toEqual([kept.id])
  const own = await app.b.get(`${organisations}/me`, { token: gone.owner.token })
  expect(own.data).toMatchObject({ id: gone.id, parentId: null, businessName: 'Kano branch' })
  expect((await app.b.get(pool, { token: gone.owner.token })).data).toEqual({
    primaryCoversSecondary: false,
    fallbackToPrimary: false,
    minimumReserve: 7,
  })
  expectRefusal(await part(parent, gone.id), 'resource.not_found')
})

test('both organisations get an event, and the child’s does not name the person', async () => {
  const parent = await app.person()
  const { id, owner } = await childOf(parent)
  await part(parent, id)
  expect(await told(parent.organisationId)).toEqual([
    expect.objectContaining({
      type: 'organization.child_parted',
      objectId: id,
      actorId: parent.userId,
      address: '127.0.0.1',
      data: { name: 'Kano branch' },
    }),
  ])
  expect(await told(id)).toEqual([
    {
      type: 'organization.parted',
      objectId: id,
      actorKind: 'system',
      actorId: null,
      actorName: 'Risiti',
      address: '',
      userAgent: '',
      data: { parentId: parent.organisationId, parentName: 'Eze Stores' },
    },
  ])
  const [mail] = await app.mailTo(owner.email)
  expect(mail?.subject).toBe('Kano branch is no longer a child organisation')
  expect(mail?.text).toContain('Eze Stores has parted from Kano branch')
})

test('only an own child can be parted from', async () => {
  const [parent, stranger] = [await app.person(), await app.person()]
  const { id, owner } = await childOf(parent)
  const grandchild = await childOf(owner, 'Market stall')
  const notTheirs: [Person, string][] = [
    [stranger, id],
    [owner, id],
    [owner, parent.organisationId],
    [parent, parent.organisationId],
    [parent, stranger.organisationId],
    [parent, grandchild.id],
    [parent, randomUUID()],
    [parent, 'me'],
    [parent, 'kano'],
  ]
  for (const [who, child] of notTheirs) expectRefusal(await part(who, child), 'resource.not_found')
  expect(await idsOf(parent)).toEqual([id])
  expect(await idsOf(owner)).toEqual([grandchild.id])
})

test('parting needs a person with the capability, in the role-based form', async () => {
  const parent = await app.person()
  const { id } = await childOf(parent)
  for (const who of [
    await app.member(parent.organisationId, 'VIEWER'),
    await memberHolding(app, parent, 'organization.read', 'organization.update_contact'),
  ])
    expectRefusal(await part(who, id), 'auth.capability_missing')
  expectRefusal(await part({ token: await app.key(parent.organisationId) }, id), 'auth.users_only')
  expectRefusal(await app.a.delete(`${children}/${id}`, { token: parent.token }), 'route.elsewhere')
  expect((await part(await memberHolding(app, parent, 'organization.update'), id)).status).toBe(200)
})

test('of several concurrent partings one succeeds', async () => {
  const parent = await app.person()
  const { id } = await childOf(parent)
  const replies = await Promise.all(Array.from({ length: 5 }, () => part(parent, id)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
  expect(await told(parent.organisationId)).toHaveLength(1)
})
