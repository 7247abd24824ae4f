import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
})
afterAll(() => app.close())

const org = '/a/v1/organizations/me'
const newRole = async (name: string): Promise<string> =>
  (
    await app.b.post(`${org}/roles`, {
      token: owner.token,
      body: { name, displayName: name, permissions: ['invoice.read'] },
    })
  ).data.id

test('a role whose keys and invitations have ended can be deleted, and its name used again', async () => {
  const { token } = owner
  const roleId = await newRole('night-shift')
  const key = await app.b.post(`${org}/api-keys`, { token, body: { mode: 'sandbox', roleId } })
  const invitation = await app.b.post(`${org}/invitations`, {
    token,
    body: { email: 'guest@example.test', fullName: 'A Guest', roleId },
  })
  expectRefusal(await app.b.delete(`${org}/roles/${roleId}`, { token }), 'role.in_use')
  await app.b.patch(`${org}/api-keys/${key.data.id}/revoke`, { token })
  expectRefusal(await app.b.delete(`${org}/roles/${roleId}`, { token }), 'role.in_use')
  await app.b.delete(`${org}/invitations/${invitation.data.id}`, { token })
  expect((await app.b.delete(`${org}/roles/${roleId}`, { token })).status).toBe(200)

  // A key that had the role still shows it.
  expect((await app.b.get(`${org}/api-keys/${key.data.id}`, { token })).data.role.name).toBe('night-shift')
  expectRefusal(await app.b.get(`${org}/roles/${roleId}`, { token }), 'resource.not_found')
  expect((await app.b.get(`${org}/roles`, { token })).data.map((role: { id: string }) => role.id)).not.toContain(roleId)
  expect(await newRole('night-shift')).not.toBe(roleId)
  const member = await app.member(owner.organisationId, 'VIEWER')
  const given = await app.b.patch(`${org}/users/${member.userId}/role`, { token, body: { roleId } })
  expect([given.status, faultPaths(given)]).toEqual([400, ['roleId']])
})

test('an ended key has no capabilities', async () => {
  const { token } = owner
  const key = await app.a.post(`${org}/api-keys`, { token, body: { name: 'Till', mode: 'sandbox' } })
  const path = `${org}/api-keys/${key.data.id}`
  expect((await app.a.get(`${path}/permissions`, { token })).data.capabilities).not.toEqual([])
  await app.a.patch(`${path}/revoke`, { token })
  expect((await app.a.get(`${path}/permissions`, { token })).data.capabilities).toEqual([])
})
